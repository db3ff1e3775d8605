// Whatever happens in between, the weights are those of a plain loop over the same rounds.
#include <QTest>
#include <cmath>

#include "core/model/catalogue.h"
#include "tests/core/train/plain_coordinator.h"

using namespace hearth;

Q_DECLARE_METATYPE(hearth::TestPlan)
Q_DECLARE_METATYPE(hearth::PlainCoordinator::Source)
Q_DECLARE_METATYPE(std::vector<hearth::PlainCoordinator::Backup>)

namespace {

constexpr int batchSize = 16;
constexpr int rounds = 40;

InputTransform padded() {
    InputTransform input;
    input.pad = {2, 2};
    return input;
}

TrainingSpec trainingBy(bool adam) {
    TrainingSpec training;
    training.precision = Precision::Float64;
    training.optimizer.weightDecay = 1e-3;
    if (adam) {
        training.optimizer.kind = OptimizerSpec::Kind::Adam;
        training.optimizer.learningRate = 0.001;
    } else {
        training.optimizer.learningRate = 0.02;
        training.optimizer.momentum = 0.9;
    }
    return training;
}

const std::vector<SampleBatch> &batches() {
    static const std::vector<SampleBatch> all = [] {
        std::vector<SampleBatch> made;
        for (int r = 0; r < rounds; ++r)
            made.push_back(syntheticBatch(batchSize, 10, 100 + static_cast<quint64>(r)));
        return made;
    }();
    return all;
}

/// fashion-cnn has five layers.
const TestPlan one{16, {{0, 5, {{0, 16}}}}};
const TestPlan two{4, {{0, 2, {{0, 4}}, 3}, {2, 5, {{1, 4}}, 1}}};
const TestPlan twoOther{8, {{0, 3, {{1, 8}}, 2, true}, {3, 5, {{0, 8}}, 1}}};
const TestPlan three{4, {{0, 1, {{0, 4}}, 4}, {1, 3, {{1, 4}}, 2}, {3, 5, {{2, 4}}, 1}}};
const TestPlan threeTurned{4, {{0, 2, {{2, 4}}, 4}, {2, 4, {{0, 4}}, 2}, {4, 5, {{1, 4}}, 1}}};
const TestPlan group{8, {{0, 5, {{0, 5}, {1, 3}}, 1}}};
const TestPlan groupLast{8, {{0, 2, {{0, 8}}, 3}, {2, 5, {{1, 5}, {2, 3}}, 1}}};
const TestPlan groupFirst{8, {{0, 3, {{0, 3}, {1, 5}}, 3}, {3, 5, {{2, 8}}, 1}}};
const TestPlan oneTwo{8, {{0, 2, {{1, 8}}, 3}, {2, 5, {{2, 8}}, 1}}};
const TestPlan zeroTwo{8, {{0, 3, {{0, 8}}, 3}, {3, 5, {{2, 8}}, 1}}};
const TestPlan onlyOne{8, {{0, 5, {{1, 8}}}}};

}  // namespace

class RecoveryTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void haltsInAnyPhaseLeaveNoTrace_data();
    void haltsInAnyPhaseLeaveNoTrace();
    void trainingGoesOnWithoutALostDevice_data();
    void trainingGoesOnWithoutALostDevice();

  private:
    void compare(LoopbackHome &home, const PlainCoordinator &coordinator, bool adam);
    const Model m_model = *loadModel(QStringLiteral("fashion-cnn"));
};

void RecoveryTest::compare(LoopbackHome &home, const PlainCoordinator &coordinator, bool adam) {
    static std::map<bool, ReferenceRun> references;
    ReferenceRun &expected = references[adam];
    if (expected.losses.empty())
        expected = trainPlainly(m_model, trainingBy(adam), padded(), batches());
    QVERIFY(coordinator.losses.size() >= std::size_t{rounds / 2});
    for (const auto &[round, loss] : coordinator.losses) {
        const double plain = expected.losses[round - 1];
        QVERIFY2(std::abs(loss - plain) <= 1e-10 * plain,
                 qPrintable(QStringLiteral("round %1: %2, not %3").arg(round).arg(loss, 0, 'g', 17).arg(plain)));
    }
    for (int member = 0; member < 2; ++member) {
        const std::vector<NamedTensor> weights = home.weights(member);
        QCOMPARE(weights.size(), expected.weights.size());
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const double difference = relativeDifference(weights[i], expected.weights[i]);
            QVERIFY2(difference <= 1e-10,
                     qPrintable(QStringLiteral("%1 differs by %2").arg(weights[i].spec.name).arg(difference)));
        }
    }
}

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
    PlainCoordinator coordinator(home, m_model, trainingBy(adam), padded(), batches());
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

void RecoveryTest::trainingGoesOnWithoutALostDevice_data() {
    using Backups = std::vector<PlainCoordinator::Backup>;
    QTest::addColumn<TestPlan>("first");
    QTest::addColumn<TestPlan>("second");
    QTest::addColumn<int>("lost");
    QTest::addColumn<Backups>("backups");
    QTest::addColumn<bool>("adam");
    const Backups ofThree{{0, 1, 0, 1}, {1, 3, 1, 2}, {3, 5, 2, 0}};
    QTest::newRow("the first of three stages, SGD") << three << oneTwo << 0 << ofThree << false;
    QTest::newRow("the second of three stages, Adam") << three << zeroTwo << 1 << ofThree << true;
    QTest::newRow("the last of three stages, on to a group, SGD") << three << group << 2 << ofThree << false;
    QTest::newRow("the last of three stages, on to one device, Adam") << three << onlyOne << 2 << ofThree << true;
    QTest::newRow("a member of a group, without any backup, Adam") << group << onlyOne << 0 << Backups() << true;
    QTest::newRow("a member of a group behind a stage, SGD") << groupLast << zeroTwo << 1 << Backups() << false;
    QTest::newRow("a stage before a group, SGD") << groupLast << oneTwo << 0 << Backups{{0, 2, 0, 2}} << false;
    QTest::newRow("one of two stages, its backup with a spare, Adam")
        << two << zeroTwo << 1 << Backups{{0, 2, 0, 2}, {2, 5, 1, 2}} << true;
}

void RecoveryTest::trainingGoesOnWithoutALostDevice() {
    QFETCH(TestPlan, first);
    QFETCH(TestPlan, second);
    QFETCH(int, lost);
    QFETCH(std::vector<PlainCoordinator::Backup>, backups);
    QFETCH(bool, adam);
    for (const int after : {5, 40}) {
        LoopbackHome home(3);
        PlainCoordinator coordinator(home, m_model, trainingBy(adam), padded(), batches());
        coordinator.snapshotEvery = 2;
        coordinator.backupEvery = 4;
        coordinator.backups = backups;
        QCOMPARE(coordinator.start(first), QString());
        QCOMPARE(coordinator.runTo(4), QString());
        QVERIFY(home.waitFor([&] { return home.copies.size() == backups.size(); }));
        for (const LoopbackHome::StoredCopy &copy : home.copies)
            QCOMPARE(copy.version, quint64{4});
        for (int device = 0; device < home.devices(); ++device)
            home.note(device, QStringLiteral("commit"), {{QLatin1String("version"), 4}});
        int frames = 0;
        home.onFrame = [&](int, int, const TensorFrame &frame) {
            if (frame.header.kind != TensorKind::Replica)
                ++frames;
        };
        QCOMPARE(coordinator.runUntil([&] { return frames >= after; }, rounds), QString());
        home.lose(lost);
        QCOMPARE(coordinator.halt(), QString());
        QVERIFY(coordinator.newestWhole() >= 4);
        coordinator.backups.clear();
        coordinator.backupEvery = 0;
        QCOMPARE(coordinator.goOn(second), QString());
        QCOMPARE(coordinator.runTo(rounds), QString());
        compare(home, coordinator, adam);
        if (QTest::currentTestFailed())
            return;
    }
}

QTEST_GUILESS_MAIN(RecoveryTest)
#include "recovery_test.moc"
