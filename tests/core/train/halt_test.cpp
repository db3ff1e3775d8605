// Halts and terms: what goes on, what is dropped, what is refused.
#include <QCborArray>

#include "core/protocol/term_origins.h"
#include "tests/core/train/recovery_cases.h"

using namespace hearth;
using namespace hearth::recovery;

namespace {

const TestPlan turned{4, {{0, 2, {{1, 4}}, 3}, {2, 5, {{0, 4}}, 1}}};

}  // namespace

class HaltTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void statisticsAreThoseBeforeTheRound_data();
    void statisticsAreThoseBeforeTheRound();
    void aWorkerWithoutLayersHoldsNothing();
    void aWorkerWithoutLayersTakesItsFirstDeployment();
    void termsOnlyRise();
    void framesOfOlderTermsAreDropped();
    void aHaltEndsADeployment();
    void aLinkThatBreaksInADeploymentIsNotAvoided();
    void whatCameForAPlanThatDidNotComeAboutCounts();
    void aLostCoordinatorComesBack_data();
    void aLostCoordinatorComesBack();
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
        PlainCoordinator coordinator(home, normalized(), TrainingSpec(), padded(), batches());
        coordinator.snapshotEvery = 0;
        if (!coordinator.start(plan).isEmpty() || !coordinator.runTo(2).isEmpty())
            return {};
        if (halted) {
            int frames = 0;
            home.onFrame = [&](int, int, const TensorFrame &) { ++frames; };
            home.feed(3, batches()[2], microBatches);
            const bool allCame = home.waitFor([&] { return frames == 2 * microBatches; });
            home.onFrame = nullptr;
            if (!allCame || !coordinator.recover(plan).isEmpty())
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

/// Nothing is held anywhere yet, and it may be needed later.
void HaltTest::aWorkerWithoutLayersTakesItsFirstDeployment() {
    LoopbackHome home(3);
    Deployment deployment = coordinatorOf(home).deployment(two);
    const QString third = LoopbackHome::fingerprintOf(2).toHex();
    QVERIFY(!home.call(2, QStringLiteral("deploy"), deployment.toCbor()));
    deployment.peers.push_back({third, QStringLiteral("127.0.0.1"), 1});
    const auto taken = home.call(2, QStringLiteral("deploy"), deployment.toCbor());
    QVERIFY(taken);
    QVERIFY((*taken)[QStringLiteral("move_s")].isDouble());  // how long the coordinator waited for states
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

/// It was told of, and the next plan builds it again: no worker calls it out of reach.
void HaltTest::aLinkThatBreaksInADeploymentIsNotAvoided() {
    LoopbackHome home(2);
    PlainCoordinator coordinator = coordinatorOf(home);
    QCOMPARE(coordinator.start(two), QString());
    QCOMPARE(coordinator.runTo(3), QString());
    QCOMPARE(coordinator.halt(), QString());
    Deployment next = coordinator.deployment(turned);
    next.statesHeld = true;
    for (int layer = 0; layer < 5; ++layer) {
        const int from = layer < 2 ? 0 : 1;
        next.moves.push_back(
            {layer, LoopbackHome::fingerprintOf(from).toHex(), LoopbackHome::fingerprintOf(1 - from).toHex()});
    }
    const auto deployed = home.deploy(next, {}, [&] {
        home.endLinks(1);
        QVERIFY(home.waitFor([&] { return !home.lossTerms.empty(); }));
        for (const int device : {0, 1})  // answered when its layers are built and its states were to be sent
            QVERIFY(home.call(device, QStringLiteral("hello"), {{QLatin1String("run"), QLatin1String("test")}}));
        QCOMPARE(coordinator.halt(), QString());
    });
    QVERIFY(!deployed);
    QCOMPARE(deployed.error().code, QStringLiteral("worker.superseded"));
    QCOMPARE(home.lossTerms, std::vector<qint64>{qint64(next.term)});
    QCOMPARE(coordinator.recover(turned), QString());
    QCOMPARE(coordinator.runTo(5), QString());
    QVERIFY(home.failures.empty());
}

/// A newcomer has no plan behind it when the next change comes: what it was given is of that plan's course.
void HaltTest::whatCameForAPlanThatDidNotComeAboutCounts() {
    LoopbackHome home(3);
    PlainCoordinator coordinator = coordinatorOf(home);
    QCOMPARE(coordinator.start(two), QString());
    QCOMPARE(coordinator.runTo(3), QString());
    QCOMPARE(coordinator.halt(), QString());
    const auto states = home.states(1, 2, 5, 3);
    QVERIFY(states);
    const Deployment next = withNewcomer(coordinator);
    Result<QCborMap> halted;
    const auto deployed = home.deploy(next, {}, [&] {
        for (int layer = 2; layer < 4; ++layer)  // and the last one never comes
            home.sendState(2, layer, 3, (*states)[static_cast<std::size_t>(layer - 2)], next.term);
        QVERIFY(home.waitFor([&] { return home.hasTakenAll(2); }));
        TermOrigins origins;
        origins.begin(1, 0);
        origins.begin(next.term, 3);
        halted = home.call(2, QStringLiteral("halt"),
                           {{QLatin1String("term"), static_cast<qint64>(++coordinator.term)},
                            {QLatin1String("origins"), QCborArray::fromJsonArray(origins.toJson())}});
    });
    QVERIFY(!deployed);
    QCOMPARE(deployed.error().code, QStringLiteral("worker.superseded"));
    QVERIFY(halted);
    QCOMPARE(heldStatesFromCbor((*halted)[QLatin1String("states")].toArray()).value(),
             (std::vector<HeldState>{{3, 2, 4}}));
    QVERIFY(home.failures.empty());
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

QTEST_GUILESS_MAIN(HaltTest)
#include "halt_test.moc"
