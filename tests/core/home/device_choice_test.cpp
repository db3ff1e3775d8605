// Which device a word means.
#include <QTest>

#include "core/home/device_choice.h"

using namespace hearth;

namespace {

DeviceInfo deviceOf(char digit, const QString &name) {
    DeviceInfo device;
    device.id = QString(64, QLatin1Char(digit));
    device.name = name;
    return device;
}

}  // namespace

class DeviceChoiceTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aWordMeansOneDevice_data() {
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("id");  // its first digit; empty: none
        QTest::newRow("a name") << QStringLiteral("nano") << QStringLiteral("1");
        QTest::newRow("an id") << QString(64, QLatin1Char('1')) << QStringLiteral("1");
        QTest::newRow("an id that another one calls itself") << QString(64, QLatin1Char('4')) << QStringLiteral("4");
        QTest::newRow("the first digits of an id") << QString(16, QLatin1Char('2')) << QStringLiteral("2");
        QTest::newRow("these in groups, as they are listed")
            << QStringLiteral("2222 2222 2222 2222") << QStringLiteral("2");
        QTest::newRow("too few digits of an id") << QString(3, QLatin1Char('2')) << QString();
        QTest::newRow("the name of two") << QStringLiteral("twin") << QString();
        QTest::newRow("the name of none") << QStringLiteral("attic") << QString();
    }
    void aWordMeansOneDevice() {
        QFETCH(QString, word);
        const std::vector<DeviceInfo> home{deviceOf('1', QStringLiteral("nano")), deviceOf('2', QStringLiteral("twin")),
                                           deviceOf('3', QStringLiteral("twin")),
                                           deviceOf('5', QString(64, QLatin1Char('4'))),
                                           deviceOf('4', QStringLiteral("victim"))};
        const auto meant = deviceNamed(home, word);
        QTEST(meant ? meant->id.left(1) : QString(), "id");
        QVERIFY(meant || meant.error().code == QLatin1String("device.unknown"));
    }
};

QTEST_GUILESS_MAIN(DeviceChoiceTest)
#include "device_choice_test.moc"
