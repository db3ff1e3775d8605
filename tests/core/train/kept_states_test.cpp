// The states that workers keep, get and give: which, how long, and what is no state.
#include <QCborArray>

#include "core/wire/state_chunks.h"
#include "tests/core/base/patience.h"
#include "tests/core/train/recovery_cases.h"

using namespace hearth;
using namespace hearth::recovery;

class KeptStatesTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aMissingStateIsNamed_data();
    void aMissingStateIsNamed();
    void chunksOfANewerTermWait();
    void badChunksEndTheWorker_data();
    void badChunksEndTheWorker();
    void fiftyRoundsKeepThreeVersions();
    void committedVersionsStay();
    void statesOfFormerLayersGoWithTheNextCommit();
    void aVersionThatIsKeptStaysUntilANewerOneIsCommitted();
    void statesAreThoseOfTheWeights();
    void whatWasAskedForBeforeAHaltIsNotSent();
    void layersWithoutStateAreHeld();
    void aBackupOfForeignLayersIsRefused();
};

void KeptStatesTest::aMissingStateIsNamed_data() {
    QTest::addColumn<bool>("toSend");
    QTest::newRow("to compute") << false;
    QTest::newRow("to send") << true;
}

void KeptStatesTest::aMissingStateIsNamed() {
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
void KeptStatesTest::chunksOfANewerTermWait() {
    LoopbackHome home(3);
    PlainCoordinator coordinator = coordinatorOf(home);
    QCOMPARE(coordinator.start(two), QString());
    QCOMPARE(coordinator.runTo(3), QString());
    QCOMPARE(coordinator.halt(), QString());
    const auto states = home.states(1, 2, 5, 3);
    QVERIFY2(states, states ? "" : qPrintable(states.error().toString()));
    Deployment next = withNewcomer(coordinator);
    next.term = coordinator.term + 5;
    for (int layer = 2; layer < 5; ++layer) {
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

void KeptStatesTest::badChunksEndTheWorker_data() {
    QTest::addColumn<int>("index");
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("bytes");
    QTest::newRow("more chunks than the layer has") << 0 << 9 << 64;
    QTest::newRow("a chunk beyond the last") << 1 << 1 << 64;
    QTest::newRow("a wrong size") << 0 << 1 << 3;
}

void KeptStatesTest::badChunksEndTheWorker() {
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
    QTRY_COMPARE_WITH_TIMEOUT(home.finishedStatus(0), WorkerService::failedStatus, patience);
}

void KeptStatesTest::fiftyRoundsKeepThreeVersions() {
    LoopbackHome home(2);
    PlainCoordinator coordinator = coordinatorOf(home);
    QCOMPARE(coordinator.start(two), QString());
    QCOMPARE(coordinator.runTo(50), QString());
    QCOMPARE(coordinator.halt(), QString());
    QCOMPARE(coordinator.halted().at(0).states, (std::vector<HeldState>{{50, 0, 2}, {49, 0, 2}, {48, 0, 2}}));
    QCOMPARE(coordinator.halted().at(1).states, (std::vector<HeldState>{{50, 2, 5}, {49, 2, 5}, {48, 2, 5}}));
}

void KeptStatesTest::committedVersionsStay() {
    LoopbackHome home(2);
    PlainCoordinator coordinator = coordinatorOf(home);
    QCOMPARE(coordinator.start(one), QString());
    QCOMPARE(coordinator.runTo(4), QString());
    home.note(0, QStringLiteral("commit"), {{QLatin1String("version"), 3}});
    QCOMPARE(coordinator.runTo(9), QString());
    QCOMPARE(coordinator.halt(), QString());
    QCOMPARE(coordinator.halted().at(0).states, (std::vector<HeldState>{{9, 0, 5}, {8, 0, 5}, {7, 0, 5}, {3, 0, 5}}));
    home.note(0, QStringLiteral("commit"), {{QLatin1String("version"), 9}});
    QCOMPARE(coordinator.halt(), QString());
    QCOMPARE(coordinator.halted().at(0).states, (std::vector<HeldState>{{9, 0, 5}}));
}

/// Else a device would keep something of every layer that it ever had.
void KeptStatesTest::statesOfFormerLayersGoWithTheNextCommit() {
    const TestPlan turned{4, {{0, 2, {{1, 4}}, 3}, {2, 5, {{0, 4}}, 1}}};
    LoopbackHome home(2);
    PlainCoordinator coordinator = coordinatorOf(home);
    QCOMPARE(coordinator.start(two), QString());
    QCOMPARE(coordinator.runTo(3), QString());
    QCOMPARE(coordinator.recover(turned), QString());
    QCOMPARE(coordinator.runTo(6), QString());
    for (const int device : {0, 1})
        home.note(device, QStringLiteral("commit"), {{QLatin1String("version"), 6}});
    QCOMPARE(coordinator.halt(), QString());
    QCOMPARE(coordinator.halted().at(0).states, (std::vector<HeldState>{{6, 2, 5}}));
    QCOMPARE(coordinator.halted().at(1).states, (std::vector<HeldState>{{6, 0, 2}}));
}

void KeptStatesTest::aVersionThatIsKeptStaysUntilANewerOneIsCommitted() {
    LoopbackHome home(2);
    PlainCoordinator coordinator = coordinatorOf(home);
    coordinator.keepEvery = 4;
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
    QCOMPARE(stored(), (Stored{{0, 4}, {1, 4}}));
    QCOMPARE(coordinator.runTo(11), QString());
    QVERIFY(home.waitFor([&] { return home.copies.size() >= 4; }));
    QCOMPARE(stored(), (Stored{{0, 4}, {0, 8}, {1, 4}, {1, 8}}));
    QCOMPARE(coordinator.halt(), QString());
    QCOMPARE(coordinator.halted().at(0).states,
             (std::vector<HeldState>{{11, 0, 2}, {10, 0, 2}, {9, 0, 2}, {8, 0, 5}, {4, 0, 5}}));
    home.note(0, QStringLiteral("commit"), {{QLatin1String("version"), 8}});
    QCOMPARE(coordinator.halt(), QString());
    QCOMPARE(coordinator.halted().at(0).states, (std::vector<HeldState>{{11, 0, 2}, {10, 0, 2}, {9, 0, 2}, {8, 0, 5}}));
}

/// Layer by layer, the first bytes of a state are its weights as weights.get gives them.
void KeptStatesTest::statesAreThoseOfTheWeights() {
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
        for (std::size_t i = 0; i < narrowCnn().layers[layer].shape.tensors.size(); ++i, ++next) {
            const auto bytes = weights[next].data->bytes();
            QVERIFY2(std::ranges::equal(
                         bytes, (*states)[layer]->bytes().subspan(static_cast<std::size_t>(offset), bytes.size())),
                     qPrintable(weights[next].spec.name));
            offset += weights[next].data->size();
        }
    }
}

/// It would come in the middle of what is asked for after it.
void KeptStatesTest::whatWasAskedForBeforeAHaltIsNotSent() {
    LoopbackHome home(1);
    PlainCoordinator coordinator = coordinatorOf(home);
    QCOMPARE(coordinator.start(one), QString());
    QCOMPARE(coordinator.runTo(3), QString());
    home.ask(0, QStringLiteral("state.get"),
             {{QLatin1String("version"), 3},
              {QLatin1String("layers"), QCborArray{0, 5}},
              {QLatin1String("spread_ms"), 2000}});
    QCOMPARE(coordinator.halt(), QString());  // comes while the compute thread looks for them
    const auto states = home.states(0, 0, 5, 3);
    QVERIFY2(states, states ? "" : qPrintable(states.error().toString()));
}

/// The second layer has no tensors, so nothing comes for it when it moves.
void KeptStatesTest::layersWithoutStateAreHeld() {
    LoopbackHome home(2);
    PlainCoordinator coordinator(home, normalized(), TrainingSpec(), padded(), batches());
    coordinator.snapshotEvery = 0;
    QCOMPARE(coordinator.start({4, {{0, 2, {{0, 4}}, 3}, {2, 4, {{1, 4}}, 1}}}), QString());
    QCOMPARE(coordinator.runTo(2), QString());
    QCOMPARE(coordinator.recover({4, {{0, 1, {{0, 4}}, 3}, {1, 4, {{1, 4}}, 1}}}), QString());
    QCOMPARE(coordinator.runTo(3), QString());
    QCOMPARE(coordinator.halt(), QString());
    QCOMPARE(coordinator.halted().at(1).states, (std::vector<HeldState>{{3, 1, 4}, {2, 1, 4}}));
}

void KeptStatesTest::aBackupOfForeignLayersIsRefused() {
    LoopbackHome home(2);
    PlainCoordinator coordinator = coordinatorOf(home);
    coordinator.backups = {{0, 3, 0, 1}};  // the first device computes two layers
    const auto refused = home.call(0, QStringLiteral("deploy"), coordinator.deployment(two).toCbor());
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, QStringLiteral("worker.bad-deployment"));
    coordinator.backups = {{0, 2, 0, 1}};
    QCOMPARE(coordinator.start(two), QString());
}

QTEST_GUILESS_MAIN(KeptStatesTest)
#include "kept_states_test.moc"
