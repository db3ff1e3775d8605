#include <QTest>

#include "core/base/median.h"

using namespace hearth;

class TestMedian : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aMedianStandsInTheMiddle_data() {
        QTest::addColumn<QList<double>>("values");
        QTest::addColumn<double>("lower");
        QTest::addColumn<double>("upper");
        QTest::newRow("one value") << QList<double>{3} << 3.0 << 3.0;
        QTest::newRow("two values") << QList<double>{5, 2} << 2.0 << 5.0;
        QTest::newRow("an odd number") << QList<double>{9, 1, 4} << 4.0 << 4.0;
        QTest::newRow("an even number") << QList<double>{9, 1, 4, 6} << 4.0 << 6.0;
    }
    void aMedianStandsInTheMiddle() {
        QFETCH(QList<double>, values);
        const std::vector<double> all(values.begin(), values.end());
        QTEST(lowerMedianOf(all), "lower");
        QTEST(medianOf(all), "upper");
    }
    void ranksCountFromTheLeast() {
        const std::vector<int> values{30, 10, 40, 20};
        QCOMPARE(valueOfRank(values, 0), 10);
        QCOMPARE(valueOfRank(values, 1), 20);
        QCOMPARE(valueOfRank(values, 3), 40);
    }
};

QTEST_GUILESS_MAIN(TestMedian)
#include "test_median.moc"
