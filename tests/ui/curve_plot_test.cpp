// The curves of History: what their axes say.
#include <cmath>

#include "tests/ui/run_fixture.h"
#include "ui/train/curve_plot.h"
#include "ui/words/format.h"

using namespace hearth;

class CurvePlotTest : public RunFixture {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }

    void ticksStandWhereTheirLabelsSay_data() {
        QTest::addColumn<double>("last");
        QTest::addColumn<double>("highest");
        QTest::newRow("three rounds") << 3.0 << 2.3;
        QTest::newRow("fourteen rounds") << 14.0 << 2.5;
        QTest::newRow("a million rounds") << 1e6 << 1.2;
        QTest::newRow("a small loss") << 60.0 << 0.034;
        QTest::newRow("a tiny loss") << 60.0 << 0.0004;
        QTest::newRow("a fast run") << 60.0 << 123456.0;
    }
    void ticksStandWhereTheirLabelsSay() {
        QFETCH(double, last);
        QFETCH(double, highest);
        CurvePlot plot(QStringLiteral("plot"), QStringLiteral("Plot"));
        plot.resize(400, 240);
        plot.show({{{{1, 1, highest}, {last, last, highest / 3}}, false}}, CurvePlot::Axis::Round, last);
        for (const Qt::Orientation orientation : {Qt::Horizontal, Qt::Vertical}) {
            const QStringList labels = plot.tickLabels(orientation);
            QVERIFY2(labels.size() >= 3 && labels.size() <= 9, qPrintable(labels.join(QLatin1Char(' '))));
            std::vector<double> values;
            for (const QString &label : labels)
                values.push_back(QLocale().toDouble(label));
            // Equal steps on the axis are equal steps in words.
            const double step = values[1] - values[0];
            QVERIFY(step > 0);
            for (std::size_t i = 1; i < values.size(); ++i)
                QVERIFY2(std::abs(values[i] - values[i - 1] - step) < step * 1e-6,
                         qPrintable(labels.join(QLatin1Char(' '))));
            if (orientation == Qt::Horizontal)
                QVERIFY(step == std::round(step));
        }
    }

    void timeIsWrittenAsInTheListOfEvents_data() {
        QTest::addColumn<double>("last");
        QTest::newRow("seconds") << 8.0;
        QTest::newRow("half an hour") << 1800.0;
        QTest::newRow("hours") << 20'000.0;
    }
    void timeIsWrittenAsInTheListOfEvents() {
        QFETCH(double, last);
        CurvePlot plot(QStringLiteral("plot"), QStringLiteral("Plot"));
        plot.resize(400, 240);
        plot.show({{{{1, 1, 2.0}, {last, last, 1.0}}, false}}, CurvePlot::Axis::Time, last);
        const QStringList labels = plot.tickLabels(Qt::Horizontal);
        QVERIFY2(labels.size() >= 3 && labels.size() <= 9, qPrintable(labels.join(QLatin1Char(' '))));
        QCOMPARE(labels.first(), QStringLiteral("0:00"));
        double before = -1;
        for (const QString &label : labels) {
            double seconds = 0;
            for (const QString &part : label.split(QLatin1Char(':')))
                seconds = 60 * seconds + part.toInt();
            QVERIFY2(label == formatClock(seconds), qPrintable(label));
            QVERIFY2(seconds > before, qPrintable(labels.join(QLatin1Char(' '))));
            before = seconds;
        }
    }
};

QTEST_MAIN(CurvePlotTest)
#include "curve_plot_test.moc"
