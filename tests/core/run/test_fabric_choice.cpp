#include <QTest>

#include "core/run/fabric_choice.h"

using namespace hearth;

/// Which groups may leave the encrypted links.
class TestFabricChoice : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void groupsAreChosenByTheirAddresses_data();
    void groupsAreChosenByTheirAddresses();
    void aDeviceAloneNeedsNoFabric();
    void wordsAreKnownOrExplained();
};

namespace {

Deployment deploymentAt(const QStringList &addresses) {
    Deployment deployment;
    Deployment::Stage stage;
    for (qsizetype i = 0; i < addresses.size(); ++i) {
        const QString device(64, QLatin1Char(static_cast<char>('a' + i)));
        stage.members.push_back({device, static_cast<int>(i), 1});
        deployment.peers.push_back({device, addresses[i], 47601});
    }
    deployment.stages = {stage};
    return deployment;
}

}  // namespace

void TestFabricChoice::groupsAreChosenByTheirAddresses_data() {
    QTest::addColumn<FabricScope>("scope");
    QTest::addColumn<QStringList>("addresses");
    QTest::addColumn<bool>("overGloo");
    QTest::addColumn<bool>("warned");
    const auto list = [](const char *text) { return QString::fromLatin1(text).split(QLatin1Char(' ')); };
    using enum FabricScope;
    QTest::newRow("nothing is allowed") << None << list("127.0.0.1 127.0.0.1") << false << false;
    QTest::newRow("both on loopback") << Machine << list("127.0.0.1 127.0.0.1") << true << false;
    QTest::newRow("on two loopback addresses") << Machine << list("127.0.0.1 127.0.0.2 ::1") << true << false;
    QTest::newRow("on the same address of one machine") << Machine << list("10.0.0.4 10.0.0.4") << true << false;
    QTest::newRow("on two machines") << Machine << list("10.0.0.4 10.0.0.5") << false << true;
    QTest::newRow("one on loopback, one elsewhere") << Machine << list("127.0.0.1 10.0.0.5") << false << true;
    QTest::newRow("without an address") << Machine << QStringList{QString(), QString()} << false << true;
    QTest::newRow("by a name that may be anywhere") << Machine << list("127.0.0.1 localhost") << false << true;
    QTest::newRow("on two machines of a trusted network") << Network << list("10.0.0.4 10.0.0.5") << true << false;
}

void TestFabricChoice::groupsAreChosenByTheirAddresses() {
    QFETCH(FabricScope, scope);
    QFETCH(QStringList, addresses);
    QFETCH(bool, overGloo);
    QFETCH(bool, warned);
    Deployment deployment = deploymentAt(addresses);
    const auto warnings = chooseFabrics(deployment, scope);
    QCOMPARE(deployment.stages[0].fabric, overGloo ? QStringLiteral("gloo") : Deployment::builtinFabric());
    QCOMPARE(!warnings.empty(), warned);
    if (warned)
        QVERIFY2(warnings[0].advice.contains(QLatin1String("--trusted-fabric network")),
                 qPrintable(warnings[0].advice));
}

void TestFabricChoice::aDeviceAloneNeedsNoFabric() {
    Deployment deployment = deploymentAt({QStringLiteral("10.0.0.4")});
    QVERIFY(chooseFabrics(deployment, FabricScope::Network).empty());
    QCOMPARE(deployment.stages[0].fabric, Deployment::builtinFabric());
}

void TestFabricChoice::wordsAreKnownOrExplained() {
    QVERIFY(fabricScopeFromName({}) == FabricScope::None);
    QVERIFY(fabricScopeFromName(QStringLiteral("machine")) == FabricScope::Machine);
    QVERIFY(fabricScopeFromName(QStringLiteral("network")) == FabricScope::Network);
    const auto wrong = fabricScopeFromName(QStringLiteral("machin"));
    QVERIFY(!wrong);
    QVERIFY2(wrong.error().toString().contains(QLatin1String("\"machine\"")), qPrintable(wrong.error().toString()));
}

QTEST_GUILESS_MAIN(TestFabricChoice)
#include "test_fabric_choice.moc"
