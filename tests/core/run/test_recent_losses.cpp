#include <QTest>
#include <cmath>

#include "core/run/recent_losses.h"

using namespace hearth;

class TestRecentLosses : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void noneAreInfinitelyFarApart() { QVERIFY(std::isinf(RecentLosses().secondsBetween(1000))); }

    void countedOverTheTimeThatTheRunLasts_data() {
        QTest::addColumn<QList<double>>("losses");
        QTest::addColumn<double>("now");
        QTest::addColumn<double>("between");
        const double inf = std::numeric_limits<double>::infinity();
        QTest::newRow("one in the first minute counts as one in two") << QList<double>{5} << 6.0 << 120.0;
        QTest::newRow("three in five minutes") << QList<double>{10, 100, 290} << 300.0 << 100.0;
        QTest::newRow("old ones are forgotten") << QList<double>{10, 20, 900} << 1000.0 << 600.0;
        QTest::newRow("all are old") << QList<double>{10, 20} << 700.0 << inf;
        QTest::newRow("old ones before the newest are forgotten") << QList<double>{10, 1000} << 1001.0 << 600.0;
    }
    void countedOverTheTimeThatTheRunLasts() {
        QFETCH(QList<double>, losses);
        QFETCH(double, now);
        QFETCH(double, between);
        RecentLosses recent;
        for (const double loss : losses)
            recent.add(loss);
        QCOMPARE(recent.secondsBetween(now), between);
    }
};

QTEST_GUILESS_MAIN(TestRecentLosses)
#include "test_recent_losses.moc"
