// Wherever a round is halted, the weights stay those of a plain loop over the same rounds.
#include "tests/core/train/recovery_cases.h"

using namespace hearth;
using namespace hearth::recovery;

class RecoveryTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void haltsInAnyPhaseLeaveNoTrace_data();
    void haltsInAnyPhaseLeaveNoTrace();
};

void RecoveryTest::haltsInAnyPhaseLeaveNoTrace_data() {
    using Source = PlainCoordinator::Source;
    QTest::addColumn<TestPlan>("first");
    QTest::addColumn<TestPlan>("second");
    QTest::addColumn<bool>("adam");
    QTest::addColumn<int>("snapshotEvery");
    QTest::addColumn<Source>("source");
    QTest::newRow("from one device to two stages, SGD") << one << two << false << 1 << Source::Peers;
    QTest::newRow("the same two stages, SGD") << two << two << false << 1 << Source::Peers;
    QTest::newRow("the same two stages, only what they hold when halted, Adam")
        << two << two << true << 5 << Source::Peers;
    QTest::newRow("two stages that change places, Adam") << two << twoOther << true << 1 << Source::Peers;
    QTest::newRow("three stages turned around, Adam") << three << threeTurned << true << 1 << Source::Peers;
    QTest::newRow("three stages turned around, snapshots every 3, SGD")
        << three << threeTurned << false << 3 << Source::Peers;
    QTest::newRow("a group and two stages, SGD") << group << two << false << 1 << Source::Peers;
    QTest::newRow("a group, rolled back to the version that both have, SGD")
        << group << group << false << 2 << Source::Peers;
    QTest::newRow("groups re-cut, Adam") << groupLast << groupFirst << true << 1 << Source::Peers;
    QTest::newRow("interleaved stages, SGD") << interleaved << interleaved << false << 1 << Source::Peers;
    QTest::newRow("interleaved stages that change places, Adam")
        << interleaved << interleavedOther << true << 1 << Source::Peers;
    QTest::newRow("interleaved stages and a group, snapshots every 3, SGD")
        << interleavedOther << groupLast << false << 3 << Source::Peers;
    QTest::newRow("three stages and a group, from the coordinator, Adam")
        << three << groupLast << true << 1 << Source::Coordinator;
    QTest::newRow("three stages turned around, from the coordinator before the plan, SGD")
        << three << threeTurned << false << 1 << Source::CoordinatorBeforeDeploy;
}

/// Halted when the n-th tensor between workers has come since the last halt, for a different n each time; a plan of one
/// device, which has none, between rounds.
void RecoveryTest::haltsInAnyPhaseLeaveNoTrace() {
    QFETCH(TestPlan, first);
    QFETCH(TestPlan, second);
    QFETCH(bool, adam);
    QFETCH(int, snapshotEvery);
    QFETCH(PlainCoordinator::Source, source);
    LoopbackHome home(3);
    PlainCoordinator coordinator(home, narrowCnn(), trainingBy(adam), padded(), batches());
    coordinator.snapshotEvery = snapshotEvery;
    coordinator.source = source;
    int frames = 0, halts = 0;
    home.onFrame = [&](int, int, const TensorFrame &frame) {
        if (frame.header.kind != TensorKind::Replica)
            ++frames;
    };
    QCOMPARE(coordinator.start(first), QString());
    while (coordinator.version < rounds) {
        frames = 0;
        const quint64 last = std::min<quint64>(rounds, coordinator.version + 5);
        const int wanted = 1 + 11 * halts % 61;
        QCOMPARE(coordinator.runUntil([&] { return frames >= wanted; }, last), QString());
        if (coordinator.version == rounds)
            break;
        QVERIFY(++halts < 200);
        QCOMPARE(coordinator.recover(halts % 2 == 0 ? first : second), QString());
    }
    QVERIFY2(halts >= 5, qPrintable(QString::number(halts)));
    compare(home, coordinator, adam);
}

QTEST_GUILESS_MAIN(RecoveryTest)
#include "recovery_test.moc"
