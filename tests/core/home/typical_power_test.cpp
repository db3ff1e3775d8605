// What a device is likely to take while it trains.
#include <QTest>

#include "core/home/typical_power.h"

using namespace hearth;

class TypicalPowerTest : public QObject {
    Q_OBJECT

    static DeviceInfo withCard(DeviceKind kind, std::optional<double> wattsLimit) {
        DeviceInfo device;
        device.kind = kind;
        device.card = GraphicsCard{QStringLiteral("NVIDIA GeForce RTX 3060"), qint64{12} << 30, {}, {}, {}, wattsLimit};
        return device;
    }
    static void check(const Estimated &watts, double least, double likely, double most) {
        QCOMPARE(watts.least, least);
        QCOMPARE(watts.likely, likely);
        QCOMPARE(watts.most, most);
    }

  private Q_SLOTS:
    void theKindSaysIt_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<double>("least");
        QTest::addColumn<double>("likely");
        QTest::addColumn<double>("most");
        QTest::newRow("a board") << QStringLiteral("board") << 5.0 << 10.0 << 20.0;
        QTest::newRow("a laptop") << QStringLiteral("laptop") << 20.0 << 40.0 << 80.0;
        QTest::newRow("a desktop") << QStringLiteral("desktop") << 60.0 << 120.0 << 240.0;
        QTest::newRow("nobody knows: any of them") << QString() << 5.0 << 40.0 << 240.0;
    }
    void theKindSaysIt() {
        QFETCH(QString, kind);
        QFETCH(double, least);
        QFETCH(double, likely);
        QFETCH(double, most);
        DeviceInfo device;
        device.kind = deviceKindFromWord(kind);
        check(typicalWatts(device), least, likely, most);
    }

    void aCardNeverTakesMoreThanItsLimit() {
        check(typicalWatts(withCard(DeviceKind::Desktop, 170)), 60 + 42.5, 120 + 85, 240 + 170);
    }
    void aCardWithoutALimitTakesWhatIsUsual() {
        check(typicalWatts(withCard(DeviceKind::Laptop, {})), 20 + 50, 40 + 100, 80 + 200);
    }
    void theOwnersLimitCounts() {
        DeviceInfo device = withCard(DeviceKind::Desktop, 170);
        device.limits.cardWatts = 100;
        check(typicalWatts(device), 60 + 25, 120 + 50, 240 + 100);
        device.card->wattsLimit.reset();
        check(typicalWatts(device), 60 + 25, 120 + 50, 240 + 100);
    }
    void aLimitThatTheDriverRefusesDoesNot() {
        DeviceInfo device = withCard(DeviceKind::Desktop, 170);
        device.limits.cardWatts = 100;
        device.card->trouble = QStringLiteral("The card's power was not limited.");
        check(typicalWatts(device), 60 + 42.5, 120 + 85, 240 + 170);
    }
    void whatTheCardTookIsKnown() {
        check(typicalWatts(withCard(DeviceKind::Desktop, 170), 150), 60 + 150, 120 + 150, 240 + 150);
    }
    void aCardThatDoesNotComputeIsAPartOfTheRest() {
        DeviceInfo device = withCard(DeviceKind::Desktop, 170);
        device.card->cause = QStringLiteral("It is too old.");
        check(typicalWatts(device, 30), 60, 120, 240);
    }
    void theCardOfABoardIsAPartOfIt() { check(typicalWatts(withCard(DeviceKind::Board, 10), 7), 5, 10, 20); }
};

QTEST_GUILESS_MAIN(TypicalPowerTest)
#include "typical_power_test.moc"
