// Halts, terms and states, one by one: what is kept, what is dropped, what is refused.
#include <QCborArray>
#include <QJsonDocument>
#include <QTest>
#include <stdexcept>

#include "core/model/catalogue.h"
#include "core/wire/state_chunks.h"
#include "tests/core/train/plain_coordinator.h"

using namespace hearth;

namespace {

constexpr int batchSize = 16;

InputTransform padded() {
    InputTransform input;
    input.pad = {2, 2};
    return input;
}

const std::vector<SampleBatch> &batches() {
    static const std::vector<SampleBatch> all = [] {
        std::vector<SampleBatch> made;
        for (int r = 0; r < 60; ++r)
            made.push_back(syntheticBatch(batchSize, 10, 100 + static_cast<quint64>(r)));
        return made;
    }();
    return all;
}

/// Four layers with statistics and without any state.
Model normalized() {
    const QByteArray json =
        R"({"format": "hearth-model/1", "name": "normalized", "input": [1, 32, 32], "classes": 10, "layers": [
      {"name": "stem", "kind": "sequence", "ops": [
        {"kind": "convolution", "channels": 8, "kernel": 3, "stride": 2, "padding": 1, "bias": false},
        {"kind": "batch-norm"}, {"kind": "relu"}]},
      {"name": "pool", "kind": "sequence", "ops": [{"kind": "max-pool", "kernel": 2, "stride": 2}]},
      {"name": "body", "kind": "sequence", "ops": [
        {"kind": "convolution", "channels": 16, "kernel": 3, "stride": 2, "padding": 1, "bias": false},
        {"kind": "batch-norm"}, {"kind": "relu"}]},
      {"name": "head", "kind": "sequence", "ops": [
        {"kind": "global-average-pool"}, {"kind": "flatten"}, {"kind": "linear", "features": 10}]}]})";
    const auto model = Model::fromJson(QJsonDocument::fromJson(json).object(), QStringLiteral("the test"));
    return model ? *model : throw std::runtime_error(qPrintable(model.error().toString()));
}

const TestPlan two{4, {{0, 2, {{0, 4}}, 3}, {2, 5, {{1, 4}}, 1}}};
const TestPlan one{16, {{0, 5, {{0, 16}}}}};
const TestPlan turned{4, {{0, 2, {{1, 4}}, 3}, {2, 5, {{0, 4}}, 1}}};

}  // namespace

class HaltTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void statisticsAreThoseBeforeTheRound_data();
    void statisticsAreThoseBeforeTheRound();
    void aWorkerWithoutLayersHoldsNothing();
    void termsOnlyRise();
    void framesOfOlderTermsAreDropped();
    void aHaltEndsADeployment();
    void aMissingStateIsNamed_data();
    void aMissingStateIsNamed();
    void chunksOfANewerTermWait();
    void badChunksEndTheWorker_data();
    void badChunksEndTheWorker();
    void fiftyRoundsKeepTwoVersions();
    void committedVersionsStay();
    void backupsGoOnWhenTheyAreCommitted();
    void aLostCoordinatorComesBack_data();
    void aLostCoordinatorComesBack();
    void statesAreThoseOfTheWeights();
    void layersWithoutStateAreHeld();
    void aBackupOfForeignLayersIsRefused();

  private:
    PlainCoordinator coordinatorOf(LoopbackHome &home) const {
        return PlainCoordinator(home, m_model, m_training, padded(), batches());
    }
    const Model m_model = *loadModel(QStringLiteral("fashion-cnn"));
    const TrainingSpec m_training;
};

void HaltTest::statisticsAreThoseBeforeTheRound_data() {
    QTest::addColumn<int>("microBatches");
    QTest::addColumn<bool>("recompute");
    for (const int microBatches : {1, 2, 3}) {
        QTest::addRow("halted after %d of 4 micro-batches", microBatches) << microBatches << false;
        QTest::addRow("halted after %d of 4 micro-batches, recomputed", microBatches) << microBatches << true;
    }
}

/// A run with a round that was thrown away, and one without: the same bits on the same plan. Without snapshots, it is
/// the live state that goes on.
void HaltTest::statisticsAreThoseBeforeTheRound() {
    QFETCH(int, microBatches);
    QFETCH(bool, recompute);
    const TestPlan plan{4, {{0, 2, {{0, 4}}, 3, recompute}, {2, 4, {{1, 4}}, 1}}};
    const auto train = [&](bool halted) -> std::vector<NamedTensor> {
        LoopbackHome home(2);
        PlainCoordinator coordinator(home, normalized(), m_training, padded(), batches());
        coordinator.snapshotEvery = 0;
        if (!coordinator.start(plan).isEmpty() || !coordinator.runTo(2).isEmpty())
            return {};
        if (halted) {
            int frames = 0;
            home.onFrame = [&](int, int, const TensorFrame &) { ++frames; };
            home.feed(3, batches()[2], microBatches);
            if (!home.waitFor([&] { return frames == 2 * microBatches; }) || !coordinator.recover(plan).isEmpty())
                return {};
        }
        return coordinator.runTo(6).isEmpty() ? home.weights() : std::vector<NamedTensor>();
    };
    static const std::vector<NamedTensor> expected = train(false);
    const std::vector<NamedTensor> actual = train(true);
    QVERIFY(!expected.empty());
    QCOMPARE(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i)
        QVERIFY2(std::ranges::equal(actual[i].data->bytes(), expected[i].data->bytes()),
                 qPrintable(actual[i].spec.name));
}

void HaltTest::aWorkerWithoutLayersHoldsNothing() {
    LoopbackHome home(1);
    const auto halted = home.halt(0, 3);
    QVERIFY(halted);
    QCOMPARE(halted->version, quint64{0});
    QVERIFY(halted->states.empty());
    QCOMPARE(home.worker(0).term(), quint32{3});
}

void HaltTest::termsOnlyRise() {
    LoopbackHome home(1);
    QVERIFY(home.halt(0, 3));
    QVERIFY(home.halt(0, 3));
    const auto older = home.halt(0, 2);
    QVERIFY(!older);
    QCOMPARE(older.error().code, QStringLiteral("worker.bad-request"));
    QVERIFY(!home.call(0, QStringLiteral("halt"), {}));
    QVERIFY(!home.deploy(coordinatorOf(home).deployment(one)));  // of term 1
    QCOMPARE(home.worker(0).term(), quint32{3});
}

/// Any of these would end a worker that takes them in.
void HaltTest::framesOfOlderTermsAreDropped() {
    LoopbackHome home(2);
    PlainCoordinator coordinator = coordinatorOf(home);
    QCOMPARE(coordinator.start(two), QString());
    QCOMPARE(coordinator.runTo(2), QString());
    QCOMPARE(coordinator.recover(two), QString());
    TensorHeader late;
    late.term = 1;
    late.round = 3;
    late.stage = 7;
    late.dtype = DType::UInt8;
    late.dims = {4};
    for (const TensorKind kind : {TensorKind::Input, TensorKind::Activation, TensorKind::AllReduce, TensorKind::Replica,
                                  TensorKind::Evaluation}) {
        late.kind = kind;
        for (const int device : {0, 1})
            home.send(device, late, "late", 4);
    }
    QCOMPARE(coordinator.runTo(4), QString());
    QVERIFY(home.failures.empty());
}

void HaltTest::aHaltEndsADeployment() {
    LoopbackHome home(2);
    PlainCoordinator coordinator = coordinatorOf(home);
    QCOMPARE(coordinator.start(two), QString());
    QCOMPARE(coordinator.runTo(3), QString());
    QCOMPARE(coordinator.halt(), QString());
    Deployment next = coordinator.deployment(one);
    next.statesHeld = true;
    for (int layer = 2; layer < 5; ++layer)
        next.moves.push_back({layer, {}, LoopbackHome::fingerprintOf(0).toHex()});  // and nobody sends them
    Result<LoopbackHome::Halted> halted;
    const auto deployed = home.deploy(next, {}, [&] { halted = home.halt(0, ++coordinator.term); });
    QVERIFY(!deployed);
    QCOMPARE(deployed.error().code, QStringLiteral("worker.superseded"));
    QVERIFY(halted);
    QCOMPARE(halted->states, coordinator.halted().at(0).states);
    QCOMPARE(halted->version, quint64{3});
    QCOMPARE(coordinator.recover(one), QString());
    QCOMPARE(coordinator.runTo(5), QString());
}

void HaltTest::aMissingStateIsNamed_data() {
    QTest::addColumn<bool>("toSend");
    QTest::newRow("to compute") << false;
    QTest::newRow("to send") << true;
}

void HaltTest::aMissingStateIsNamed() {
    QFETCH(bool, toSend);
    LoopbackHome home(2);
    PlainCoordinator coordinator = coordinatorOf(home);
    QCOMPARE(coordinator.start(two), QString());
    QCOMPARE(coordinator.runTo(3), QString());
    QCOMPARE(coordinator.halt(), QString());
    Deployment next = coordinator.deployment(toSend ? two : one);
    next.statesHeld = true;
    if (toSend)
        next.moves.push_back({2, LoopbackHome::fingerprintOf(0).toHex(), LoopbackHome::fingerprintOf(1).toHex()});
    const auto refused = home.call(0, QStringLiteral("deploy"), next.toCbor());
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, QStringLiteral("worker.no-state"));
    QVERIFY2(refused.error().cause.contains(QLatin1String("Layer 2 at version 3")), qPrintable(refused.error().cause));
    const auto unknown = home.states(0, 0, 3, 3);
    QVERIFY(!unknown);
    QCOMPARE(unknown.error().code, QStringLiteral("worker.no-state"));
    const auto again = home.halt(0, coordinator.term);
    QVERIFY(again);
    QCOMPARE(again->states, coordinator.halted().at(0).states);
    QVERIFY(home.failures.empty());
    QCOMPARE(coordinator.recover(one), QString());
    QCOMPARE(coordinator.runTo(5), QString());
}

/// A device that joins hears of the term by its deployment only, and a peer may be faster.
void HaltTest::chunksOfANewerTermWait() {
    LoopbackHome home(3);
    PlainCoordinator coordinator = coordinatorOf(home);
    QCOMPARE(coordinator.start(two), QString());
    QCOMPARE(coordinator.runTo(3), QString());
    QCOMPARE(coordinator.halt(), QString());
    const auto states = home.states(1, 2, 5, 3);
    QVERIFY2(states, states ? "" : qPrintable(states.error().toString()));
    Deployment next = coordinator.deployment({4, {{0, 2, {{0, 4}}, 3}, {2, 5, {{2, 4}}, 1}}});
    next.term = coordinator.term + 5;
    next.statesHeld = true;
    for (int layer = 2; layer < 5; ++layer) {
        next.moves.push_back({layer, {}, LoopbackHome::fingerprintOf(2).toHex()});
        home.sendState(2, layer, 3, (*states)[static_cast<std::size_t>(layer - 2)], next.term);
        home.sendState(2, layer, 3, (*states)[static_cast<std::size_t>(layer - 2)], coordinator.term);  // of no plan
    }
    const auto deployed = home.deploy(next);
    QVERIFY2(deployed, deployed ? "" : qPrintable(deployed.error().toString()));
    for (int layer = 2; layer < 5; ++layer)  // once more: a plan may come twice
        home.sendState(2, layer, 3, (*states)[static_cast<std::size_t>(layer - 2)], next.term);
    const auto halted = home.halt(2, next.term);
    QVERIFY(halted);
    QCOMPARE(halted->states, (std::vector<HeldState>{{3, 2, 5}}));
    const auto back = home.states(2, 2, 5, 3);
    QVERIFY(back);
    for (std::size_t i = 0; i < back->size(); ++i)
        QVERIFY(std::ranges::equal((*back)[i]->bytes(), (*states)[i]->bytes()));
}

void HaltTest::badChunksEndTheWorker_data() {
    QTest::addColumn<int>("index");
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("bytes");
    QTest::newRow("more chunks than the layer has") << 0 << 9 << 64;
    QTest::newRow("a chunk beyond the last") << 1 << 1 << 64;
    QTest::newRow("a wrong size") << 0 << 1 << 3;
}

void HaltTest::badChunksEndTheWorker() {
    QFETCH(int, index);
    QFETCH(int, count);
    QFETCH(int, bytes);
    LoopbackHome home(1);
    PlainCoordinator coordinator = coordinatorOf(home);
    Deployment next = coordinator.deployment(one);
    next.firstRound = 4;
    next.statesHeld = true;
    for (int layer = 0; layer < 5; ++layer)
        next.moves.push_back({layer, {}, LoopbackHome::fingerprintOf(0).toHex()});
    const auto deployed = home.deploy(next, {}, [&] {
        TensorHeader header = stateChunkHeader({0, 3, index, count}, bytes + index * stateChunkBytes, next.term);
        const std::vector<char> zeros(static_cast<std::size_t>(bytes));
        home.send(0, header, zeros.data(), bytes);
    });
    QVERIFY(!deployed);
    QCOMPARE(deployed.error().code, QStringLiteral("wire.bad-state"));
    QTRY_COMPARE(home.finishedStatus(0), WorkerService::failedStatus);
}

void HaltTest::fiftyRoundsKeepTwoVersions() {
    LoopbackHome home(2);
    PlainCoordinator coordinator = coordinatorOf(home);
    QCOMPARE(coordinator.start(two), QString());
    QCOMPARE(coordinator.runTo(50), QString());
    QCOMPARE(coordinator.halt(), QString());
    QCOMPARE(coordinator.halted().at(0).states, (std::vector<HeldState>{{50, 0, 2}, {49, 0, 2}}));
    QCOMPARE(coordinator.halted().at(1).states, (std::vector<HeldState>{{50, 2, 5}, {49, 2, 5}}));
}

void HaltTest::committedVersionsStay() {
    LoopbackHome home(2);
    PlainCoordinator coordinator = coordinatorOf(home);
    QCOMPARE(coordinator.start(one), QString());
    QCOMPARE(coordinator.runTo(4), QString());
    home.note(0, QStringLiteral("commit"), {{QLatin1String("version"), 3}});
    QCOMPARE(coordinator.runTo(9), QString());
    QCOMPARE(coordinator.halt(), QString());
    QCOMPARE(coordinator.halted().at(0).states, (std::vector<HeldState>{{9, 0, 5}, {8, 0, 5}, {3, 0, 5}}));
    home.note(0, QStringLiteral("commit"), {{QLatin1String("version"), 9}});
    QCOMPARE(coordinator.halt(), QString());
    QCOMPARE(coordinator.halted().at(0).states, (std::vector<HeldState>{{9, 0, 5}}));
}

void HaltTest::backupsGoOnWhenTheyAreCommitted() {
    LoopbackHome home(2);
    PlainCoordinator coordinator = coordinatorOf(home);
    coordinator.backupEvery = 2;
    coordinator.backups = {{0, 2, 0, 1}, {2, 5, 1, 0}};
    QCOMPARE(coordinator.start(two), QString());
    QCOMPARE(coordinator.runTo(7), QString());
    const auto stored = [&] {
        std::vector<std::pair<int, quint64>> all;
        for (const LoopbackHome::StoredCopy &copy : home.copies)
            all.emplace_back(copy.device, copy.version);
        std::sort(all.begin(), all.end());
        return all;
    };
    using Stored = std::vector<std::pair<int, quint64>>;
    QVERIFY(home.waitFor([&] { return home.copies.size() >= 2; }));
    QCOMPARE(stored(), (Stored{{0, 2}, {1, 2}}));
    for (const int device : {0, 1})
        home.note(device, QStringLiteral("commit"), {{QLatin1String("version"), 2}});
    QCOMPARE(home.call(0, QStringLiteral("clock"), {}).has_value(), true);
    QCOMPARE(home.call(1, QStringLiteral("clock"), {}).has_value(), true);
    QCOMPARE(coordinator.runTo(10), QString());
    QVERIFY(home.waitFor([&] { return home.copies.size() >= 4; }));
    QCOMPARE(stored(), (Stored{{0, 2}, {0, 8}, {1, 2}, {1, 8}}));
    QCOMPARE(coordinator.halt(), QString());
    QCOMPARE(coordinator.halted().at(0).states, (std::vector<HeldState>{{10, 0, 2}, {9, 0, 2}, {8, 0, 5}, {2, 0, 5}}));
}

void HaltTest::aLostCoordinatorComesBack_data() {
    QTest::addColumn<bool>("deploying");
    QTest::addColumn<bool>("hungUp");
    QTest::newRow("in the middle of a round") << false << true;
    QTest::newRow("in the middle of a round, without a farewell") << false << false;
    QTest::newRow("in the middle of a deployment") << true << true;
    QTest::newRow("in the middle of a deployment, without a farewell") << true << false;
}

void HaltTest::aLostCoordinatorComesBack() {
    QFETCH(bool, deploying);
    QFETCH(bool, hungUp);
    LoopbackHome home(2);
    PlainCoordinator coordinator = coordinatorOf(home);
    QCOMPARE(coordinator.start(two), QString());
    int frames = 0;
    home.onFrame = [&](int, int, const TensorFrame &) { ++frames; };
    QCOMPARE(coordinator.runUntil([&] { return frames >= 20; }, 20), QString());
    const auto comeBack = [&] {
        for (const int device : {0, 1}) {
            if (hungUp)
                home.hangUp(device);
            home.reconnect(device);
        }
    };
    if (deploying) {
        QCOMPARE(coordinator.halt(), QString());
        Deployment next = coordinator.deployment(turned);
        next.firstRound = static_cast<quint32>(coordinator.newestWhole() + 1);
        next.statesHeld = true;
        for (int layer = 0; layer < 5; ++layer)
            next.moves.push_back({layer, {}, LoopbackHome::fingerprintOf(layer < 2 ? 1 : 0).toHex()});
        for (const int device : {0, 1})
            home.ask(device, QStringLiteral("deploy"), next.toCbor());
        comeBack();
    } else {
        comeBack();
    }
    for (const int device : {0, 1}) {
        const auto hello = home.call(device, QStringLiteral("hello"), {{QLatin1String("run"), QLatin1String("test")}});
        QVERIFY2(hello, hello ? "" : qPrintable(hello.error().toString()));
    }
    QCOMPARE(coordinator.recover(turned), QString());
    QCOMPARE(coordinator.runTo(coordinator.version + 4), QString());
    QVERIFY(home.failures.empty());
}

/// Layer by layer, the first bytes of a state are its weights as weights.get gives them.
void HaltTest::statesAreThoseOfTheWeights() {
    LoopbackHome home(2);
    PlainCoordinator coordinator = coordinatorOf(home);
    QCOMPARE(coordinator.start(one), QString());
    QCOMPARE(coordinator.runTo(3), QString());
    const std::vector<NamedTensor> weights = home.weights();
    QVERIFY(!weights.empty());
    QCOMPARE(coordinator.halt(), QString());
    const auto states = home.states(0, 0, 5, 3);
    QVERIFY2(states, states ? "" : qPrintable(states.error().toString()));
    std::size_t next = 0;
    for (std::size_t layer = 0; layer < states->size(); ++layer) {
        qsizetype offset = 0;
        for (std::size_t i = 0; i < m_model.layers[layer].shape.tensors.size(); ++i, ++next) {
            const auto bytes = weights[next].data->bytes();
            QVERIFY2(std::ranges::equal(
                         bytes, (*states)[layer]->bytes().subspan(static_cast<std::size_t>(offset), bytes.size())),
                     qPrintable(weights[next].spec.name));
            offset += weights[next].data->size();
        }
    }
}

/// The second layer has no tensors, so nothing comes for it when it moves.
void HaltTest::layersWithoutStateAreHeld() {
    LoopbackHome home(2);
    PlainCoordinator coordinator(home, normalized(), m_training, padded(), batches());
    coordinator.snapshotEvery = 0;
    QCOMPARE(coordinator.start({4, {{0, 2, {{0, 4}}, 3}, {2, 4, {{1, 4}}, 1}}}), QString());
    QCOMPARE(coordinator.runTo(2), QString());
    QCOMPARE(coordinator.recover({4, {{0, 1, {{0, 4}}, 3}, {1, 4, {{1, 4}}, 1}}}), QString());
    QCOMPARE(coordinator.runTo(3), QString());
    QCOMPARE(coordinator.halt(), QString());
    QCOMPARE(coordinator.halted().at(1).states, (std::vector<HeldState>{{3, 1, 4}, {2, 1, 4}}));
}

void HaltTest::aBackupOfForeignLayersIsRefused() {
    LoopbackHome home(2);
    PlainCoordinator coordinator = coordinatorOf(home);
    coordinator.backupEvery = 2;
    coordinator.backups = {{0, 3, 0, 1}};  // the first device computes two layers
    const auto refused = home.call(0, QStringLiteral("deploy"), coordinator.deployment(two).toCbor());
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, QStringLiteral("worker.bad-deployment"));
    coordinator.backups = {{0, 2, 0, 1}};
    QCOMPARE(coordinator.start(two), QString());
}

QTEST_GUILESS_MAIN(HaltTest)
#include "halt_test.moc"
