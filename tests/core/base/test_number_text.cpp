// How estimates are written.
#include <QTest>

#include "core/base/number_text.h"

using namespace hearth;

class TestNumberText : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void longTimesAreToldInWholeMinutesAndHours_data() {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("a moment") << 0.0413 << QStringLiteral("41.3 ms");
        QTest::newRow("seconds") << 13.21 << QStringLiteral("13.2 s");
        QTest::newRow("minutes") << 125.0 << QStringLiteral("2 min 5 s");
        QTest::newRow("ten minutes and more") << 2463.0 << QStringLiteral("41 min");
        QTest::newRow("hours") << 12'000.0 << QStringLiteral("3 h 20 min");
        QTest::newRow("ten hours and more") << 41'900.0 << QStringLiteral("12 h");
        QTest::newRow("months") << 7.2e6 << QStringLiteral("2,000 h");
    }
    void longTimesAreToldInWholeMinutesAndHours() {
        QFETCH(double, seconds);
        QTEST(aboutSecondsText(seconds), "text");
    }

    void energyIsToldInTwoFigures_data() {
        QTest::addColumn<double>("joules");
        QTest::addColumn<QString>("text");
        QTest::newRow("less than a watt-hour") << 300.0 << QStringLiteral("0.08 Wh");
        QTest::newRow("a few") << 12'000.0 << QStringLiteral("3.3 Wh");
        QTest::newRow("many") << 126'000.0 << QStringLiteral("35 Wh");
        QTest::newRow("a part of a kilowatt-hour") << 756'000.0 << QStringLiteral("0.21 kWh");
        QTest::newRow("kilowatt-hours") << 4.32e6 << QStringLiteral("1.2 kWh");
        QTest::newRow("very many") << 4.32e9 << QStringLiteral("1,200 kWh");
    }
    void energyIsToldInTwoFigures() {
        QFETCH(double, joules);
        QTEST(energyText(joules), "text");
    }

    void otherLanguagesHaveTheirDigits() {
        const QLocale german(QLocale::German, QLocale::Germany);
        QCOMPARE(energyText(756'000, german), QStringLiteral("0,21 kWh"));
        QCOMPARE(aboutSecondsText(7.2e6, german), QStringLiteral("2.000 h"));
    }
};

QTEST_GUILESS_MAIN(TestNumberText)
#include "test_number_text.moc"
