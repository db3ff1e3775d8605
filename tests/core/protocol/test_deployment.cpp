#include <QtTest>
#include <functional>

#include "core/base/block_codecs.h"
#include "core/plan/plan.h"
#include "core/protocol/deployment.h"

using namespace hearth;

namespace {

QString fingerprint(char digit) {
    return QString(64, QLatin1Char(digit));
}

Deployment example() {
    Deployment deployment;
    deployment.run = QStringLiteral("run-1");
    deployment.term = 3;
    deployment.firstRound = 20;
    deployment.batch = 64;
    deployment.microBatch = 32;
    deployment.microBatches = 2;
    deployment.stages = {{0, 3, {{fingerprint('a'), 0, 20}, {fingerprint('b'), 20, 12}}, 3},
                         {3, 5, {{fingerprint('c'), 0, 32}}, 1}};
    for (const char digit : {'a', 'b', 'c'})
        deployment.peers.push_back({fingerprint(digit), QStringLiteral("127.0.0.1"), 47601});
    deployment.peers[1].elsewhere = QStringLiteral("10.0.0.2");
    deployment.coordinator = fingerprint('0');
    deployment.model = {{QStringLiteral("format"), QStringLiteral("hearth-model/1")}};
    deployment.training.seed = 7;
    deployment.input.pad = {2, 2};
    deployment.stages[0].fabric = QStringLiteral("gloo");
    deployment.fabricDeadlineMs = 1500;
    deployment.weightsStreamed = true;
    deployment.trace = true;
    return deployment;
}

/// One that goes on from version 19.
Deployment continued() {
    Deployment deployment = example();
    deployment.weightsStreamed = false;
    deployment.statesHeld = true;
    deployment.peers.push_back({fingerprint('d'), QStringLiteral("127.0.0.1"), 47602});
    deployment.moves = {{0, fingerprint('a'), fingerprint('b')}, {3, {}, fingerprint('c')}};
    deployment.backups = {{0, 3, fingerprint('a'), fingerprint('d')}, {3, 5, fingerprint('c'), fingerprint('a')}};
    deployment.snapshotEvery = 5;
    deployment.gradientCodec = &bfp8Codec;
    deployment.frozen = {{0, fingerprint('5'), {3, 0}}, {3, fingerprint('6'), {}}};
    return deployment;
}

}  // namespace

class TestDeployment : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void travelsAsCbor() {
        const Deployment sent = example();
        QVERIFY(sent.validate());
        const auto read = Deployment::fromCbor(QCborValue::fromCbor(sent.toCbor().toCborValue().toCbor()).toMap());
        QVERIFY2(read, read ? "" : qPrintable(read.error().toString()));
        QCOMPARE(read->toCbor(), sent.toCbor());
        QCOMPARE(read->stages, sent.stages);
        QCOMPARE(read->peers, sent.peers);
        QCOMPARE(read->training, sent.training);
        QCOMPARE(read->input, sent.input);
        QVERIFY(read->trace);
        QCOMPARE(read->stagesOf(fingerprint('b')), std::vector<int>{0});
        QCOMPARE(read->memberOf(0, fingerprint('b')), 1);
        QVERIFY(!read->hasLayers(fingerprint('9')));
    }

    void statesTravelAsCbor() {
        const Deployment sent = continued();
        QVERIFY(sent.validate());
        const auto read = Deployment::fromCbor(QCborValue::fromCbor(sent.toCbor().toCborValue().toCbor()).toMap());
        QVERIFY2(read, read ? "" : qPrintable(read.error().toString()));
        QCOMPARE(read->toCbor(), sent.toCbor());
        QVERIFY(read->statesHeld);
        QCOMPARE(read->moves, sent.moves);
        QCOMPARE(read->backups, sent.backups);
        QCOMPARE(read->frozen, sent.frozen);
        QCOMPARE(read->frozenOf(3)->sha256, fingerprint('6'));
        QVERIFY(!read->frozenOf(1) && !read->frozenOf(4) && !read->frozenOf(-1));
        QCOMPARE(read->snapshotEvery, 5);
        QCOMPARE(read->gradientCodec, &bfp8Codec);
    }

    void badStatesAreRefused_data() {
        QTest::addColumn<int>("which");
        const char *rows[] = {"moves where no states are held",
                              "a move of a layer that does not exist",
                              "a move of a negative layer",
                              "a move to a device without layers",
                              "a move to itself",
                              "a move from a stranger",
                              "a backup of no layers",
                              "a backup of layers that do not exist",
                              "a backup with itself",
                              "a backup with a stranger",
                              "a backup of a stranger",
                              "snapshots every minus one rounds",
                              "states that are held and streamed",
                              "frozen tensors of a layer that does not exist",
                              "frozen tensors of a layer, twice",
                              "frozen tensors without a hash",
                              "a holder of frozen tensors that is no peer",
                              "a holder of frozen tensors before the first peer",
                              "a holder of frozen tensors, twice"};
        for (int i = 0; i < static_cast<int>(std::size(rows)); ++i)
            QTest::newRow(rows[i]) << i;
    }

    void badStatesAreRefused() {
        QFETCH(int, which);
        Deployment bad = continued();
        const std::vector<std::function<void()>> damage{[&] { bad.statesHeld = false; },
                                                        [&] { bad.moves[0].layer = 5; },
                                                        [&] { bad.moves[0].layer = -1; },
                                                        [&] { bad.moves[0].to = fingerprint('d'); },
                                                        [&] { bad.moves[0].from = bad.moves[0].to; },
                                                        [&] { bad.moves[0].from = fingerprint('9'); },
                                                        [&] { bad.backups[0].lastLayer = 0; },
                                                        [&] { bad.backups[1].lastLayer = 6; },
                                                        [&] { bad.backups[0].to = bad.backups[0].from; },
                                                        [&] { bad.backups[0].to = fingerprint('9'); },
                                                        [&] { bad.backups[0].from = fingerprint('9'); },
                                                        [&] { bad.snapshotEvery = -1; },
                                                        [&] { bad.weightsStreamed = true; },
                                                        [&] { bad.frozen[1].layer = 5; },
                                                        [&] { bad.frozen[1].layer = 0; },
                                                        [&] { bad.frozen[0].sha256.chop(1); },
                                                        [&] { bad.frozen[1].holders = {4}; },
                                                        [&] { bad.frozen[1].holders = {-1}; },
                                                        [&] {
                                                            bad.frozen[0].holders = {3, 0, 3};
                                                        }};
        damage[static_cast<std::size_t>(which)]();
        QVERIFY(!bad.validate());
        QVERIFY(!Deployment::fromCbor(bad.toCbor()));
    }

    void whatNeedNotBeSaidIsOff() {
        QCborMap map = example().toCbor();
        for (const char *key : {"trace", "weights_streamed", "states_held", "snapshot_every", "frozen"})
            map.remove(QLatin1String(key));
        const auto read = Deployment::fromCbor(map);
        QVERIFY2(read, read ? "" : qPrintable(read.error().toString()));
        QVERIFY(!read->trace && !read->weightsStreamed && !read->statesHeld && read->frozen.empty());
        QCOMPARE(read->snapshotEvery, 0);
    }

    void withoutAFabricItIsTheBuiltInOne() {
        QJsonObject json = example().toCbor().toJsonObject();
        json.remove(QStringLiteral("fabric_deadline_ms"));
        QJsonArray stages = json[QStringLiteral("stages")].toArray();
        QJsonObject stage = stages[0].toObject();
        stage.remove(QStringLiteral("fabric"));
        stages[0] = stage;
        json[QStringLiteral("stages")] = stages;
        const auto read = Deployment::fromCbor(QCborMap::fromJsonObject(json));
        QVERIFY2(read, read ? "" : qPrintable(read.error().toString()));
        QCOMPARE(read->stages[0].fabric, Deployment::builtinFabric());
        QCOMPARE(read->fabricDeadlineMs, Deployment().fabricDeadlineMs);
    }

    void intervalsFollowThePlan() {
        Plan plan;
        plan.stages = {{0, 3, {{QStringLiteral("a"), 20}, {QStringLiteral("b"), 12}}, 3}};
        const auto stages = deploymentStages(plan);
        QCOMPARE(stages[0].members[1].firstSample, 20);
        QCOMPARE(stages[0].members[1].samples, 12);
    }

    void badDeploymentsAreRefused_data() {
        QTest::addColumn<int>("which");
        const char *rows[] = {"micro-batches that do not make up the batch",
                              "a gap between layers",
                              "a member that is used twice",
                              "intervals that overlap",
                              "too few samples",
                              "a member that is no peer",
                              "a fingerprint in capitals",
                              "an unknown schedule",
                              "no model",
                              "a peer twice",
                              "an in-flight limit of zero",
                              "an unknown fabric",
                              "a fabric without a deadline",
                              "a fabric that waits for hours"};
        for (int i = 0; i < static_cast<int>(std::size(rows)); ++i)
            QTest::newRow(rows[i]) << i;
    }

    void badDeploymentsAreRefused() {
        QFETCH(int, which);
        Deployment bad = example();
        const std::vector<std::function<void()>> damage{[&] { bad.microBatches = 3; },
                                                        [&] { bad.stages[1].firstLayer = 4; },
                                                        [&] { bad.stages[1].members[0].device = fingerprint('a'); },
                                                        [&] { bad.stages[0].members[1].firstSample = 19; },
                                                        [&] { bad.stages[0].members[1].samples = 11; },
                                                        [&] { bad.peers.pop_back(); },
                                                        [&] { bad.coordinator = fingerprint('A'); },
                                                        [&] { bad.schedule = QStringLiteral("later"); },
                                                        [&] { bad.model = {}; },
                                                        [&] { bad.peers.push_back(bad.peers[0]); },
                                                        [&] { bad.stages[0].inFlight = 0; },
                                                        [&] { bad.stages[0].fabric = QStringLiteral("carpet"); },
                                                        [&] { bad.fabricDeadlineMs = 0; },
                                                        [&] { bad.fabricDeadlineMs = 3'600'001; }};
        damage[static_cast<std::size_t>(which)]();
        QVERIFY(!bad.validate());
        QVERIFY(!Deployment::fromCbor(bad.toCbor()));
    }
};

QTEST_GUILESS_MAIN(TestDeployment)
#include "test_deployment.moc"
