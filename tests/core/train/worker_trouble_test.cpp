// What the worker does when something is wrong: each is an answer or an end, never a hang.
#include <QTest>
#include <algorithm>

#include "core/model/catalogue.h"
#include "core/train/memory.h"
#include "tests/core/base/patience.h"
#include "tests/core/train/loopback_home.h"

using namespace hearth;

namespace {

InputTransform padded() {
    InputTransform input;
    input.pad = {2, 2};
    return input;
}

}  // namespace

class WorkerTroubleTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void badDeploymentIsRefused_data();
    void badDeploymentIsRefused();
    void badTensorEndsTheWorker_data();
    void badTensorEndsTheWorker();
    void memoryLimitIsAnErrorWithBytes();
    void lostPeerIsReported();
    void connectionsThatLetNothingThroughEnd_data();
    void connectionsThatLetNothingThroughEnd();
    void aLossSaysWhichPlanNeedsTheConnection_data();
    void aLossSaysWhichPlanNeedsTheConnection();
    void aCoordinatorThatComesBackEndsConnectionsOfBefore_data();
    void aCoordinatorThatComesBackEndsConnectionsOfBefore();
    void orphanedWorkerEnds();
    void leavingIsPolite();
    void strangersAreNotAuthorised();

  private:
    Deployment deployment(const LoopbackHome &home, const TestPlan &plan, int batch = 16) const {
        return home.deployment(m_model, plan, batch, m_training, padded());
    }
    const Model m_model = *loadModel(QStringLiteral("fashion-cnn"));
    const TrainingSpec m_training;
    const TestPlan m_two{8, {{0, 2, {{0, 8}}, 3}, {2, 5, {{1, 8}}, 1}}};
    const TestPlan m_one{8, {{0, 5, {{0, 8}}}}};
};

void WorkerTroubleTest::badDeploymentIsRefused_data() {
    QTest::addColumn<QString>("what");
    for (const char *what : {"a stage beyond the model", "layers missing at the end", "an unknown loss",
                             "no part for this worker", "a share below the minimum"})
        QTest::newRow(what) << QString::fromLatin1(what);
}

void WorkerTroubleTest::badDeploymentIsRefused() {
    QFETCH(QString, what);
    LoopbackHome home(1);
    Deployment bad = deployment(home, m_one);
    if (what == QLatin1String("a stage beyond the model"))
        bad.stages[0].lastLayer = 6;
    if (what == QLatin1String("layers missing at the end"))
        bad.stages[0].lastLayer = 4;
    if (what == QLatin1String("an unknown loss"))
        bad.training.loss = QStringLiteral("guess");
    if (what == QLatin1String("no part for this worker"))
        bad.stages[0].members[0].device = bad.peers[0].device = LoopbackHome::fingerprintOf(9).toHex();
    if (what == QLatin1String("a share below the minimum")) {
        const Model model = *loadModel(QStringLiteral("mobilenetv2"));
        bad = home.deployment(model, {1, {{0, static_cast<int>(model.layers.size()), {{0, 1}}}}}, 16, m_training,
                              padded());
    }
    const auto answer = home.call(0, QStringLiteral("deploy"), bad.toCbor());
    QVERIFY(!answer);
    QVERIFY(!answer.error().what.isEmpty());
    // The worker lives on and takes a good one.
    QVERIFY(home.failures.empty());
    QVERIFY(home.deploy(deployment(home, m_one)));
}

void WorkerTroubleTest::badTensorEndsTheWorker_data() {
    QTest::addColumn<TensorHeader>("header");
    TensorHeader good;
    good.kind = TensorKind::Input;
    good.term = 1;
    good.round = 1;
    good.dtype = DType::UInt8;
    good.dims = {8, 1, 28, 28};
    good.sampleCount = 8;
    const auto row = [&](const char *name, auto change) {
        TensorHeader header = good;
        change(header);
        QTest::newRow(name) << header;
    };
    row("micro-batch out of range", [](TensorHeader &header) { header.microBatch = 2; });
    row("round far ahead", [](TensorHeader &header) { header.round = 50; });
    row("another stage", [](TensorHeader &header) { header.stage = 1; });
    row("samples of nobody", [](TensorHeader &header) { header.firstSample = 4; });
    row("wrong image size", [](TensorHeader &header) { header.dims = {8, 1, 20, 20}; });
    row("wrong number of images", [](TensorHeader &header) { header.dims = {7, 1, 28, 28}; });
    row("wrong type", [](TensorHeader &header) { header.dtype = DType::Int32; });
    row("an activation from the coordinator", [](TensorHeader &header) { header.kind = TensorKind::Activation; });
    row("a sum without a group", [](TensorHeader &header) { header.kind = TensorKind::AllReduce; });
    row("a fabric's address without a group", [](TensorHeader &header) {
        header.kind = TensorKind::AllReduce;
        header.slot = 2;
    });
    row("a fabric's outcome without a group", [](TensorHeader &header) {
        header.kind = TensorKind::AllReduce;
        header.slot = 3;
    });
    row("a normaliser of the wrong type", [](TensorHeader &header) {
        header.kind = TensorKind::Label;
        header.slot = 1;
    });
    row("weights that nobody awaits", [](TensorHeader &header) {
        header.kind = TensorKind::Replica;
        header.dtype = DType::Float32;
        header.dims = {16, 1, 3, 3};
    });
    row("weights of a layer that is not here", [](TensorHeader &header) {
        header.kind = TensorKind::Replica;
        header.stage = 9;
        header.dtype = DType::Float32;
        header.dims = {1};
    });
}

void WorkerTroubleTest::badTensorEndsTheWorker() {
    QFETCH(TensorHeader, header);
    LoopbackHome home(1);
    QVERIFY(home.deploy(deployment(home, m_one)));
    const std::vector<quint8> zeros(static_cast<std::size_t>(*header.bytesOfShape()));
    home.send(0, header, zeros.data(), static_cast<qsizetype>(zeros.size()));
    QTRY_COMPARE_WITH_TIMEOUT(home.finishedStatus(0), WorkerService::failedStatus, patience);
    QCOMPARE(home.failures.size(), std::size_t{1});
    QVERIFY2(home.failures[0].code == QLatin1String("worker.bad-frame") ||
                 home.failures[0].code == QLatin1String("worker.bad-weights"),
             qPrintable(home.failures[0].toString()));
}

void WorkerTroubleTest::memoryLimitIsAnErrorWithBytes() {
    LoopbackHome home(1);
    QVERIFY(home.call(0, QStringLiteral("hello"), {{QLatin1String("run"), QLatin1String("test")}}));
    QVERIFY(home.deploy(deployment(home, m_one)));
    setTensorMemoryLimit(tensorMemory().held + (256 << 10));
    home.feed(1, syntheticBatch(16, 10, 1));
    QTRY_COMPARE_WITH_TIMEOUT(home.finishedStatus(0), WorkerService::failedStatus, patience);
    setTensorMemoryLimit(0);
    QCOMPARE(home.failures.size(), std::size_t{1});
    QCOMPARE(home.failures[0].code, QStringLiteral("worker.out-of-memory"));
    QVERIFY2(home.failures[0].cause.contains(QLatin1String("bytes")), qPrintable(home.failures[0].cause));
}

void WorkerTroubleTest::lostPeerIsReported() {
    LoopbackHome home(2);
    QVERIFY(home.deploy(deployment(home, m_two)));
    QVERIFY(home.call(1, QStringLiteral("leave"), {}));
    QTRY_COMPARE_WITH_TIMEOUT(home.peersLost.size(), std::size_t{1}, patience);
    QCOMPARE(home.finishedStatus(0), -1);
}

void WorkerTroubleTest::aLossSaysWhichPlanNeedsTheConnection_data() {
    QTest::addColumn<QString>("since");
    QTest::addColumn<qint64>("term");
    QTest::newRow("the one that is deployed") << "" << qint64(1);
    QTest::newRow("halted since") << "halt" << qint64(1);
    QTest::newRow("one that is being deployed") << "deploy" << qint64(2);
    QTest::newRow("none: another one was deployed, without the peer") << "other" << qint64(0);
}

void WorkerTroubleTest::aLossSaysWhichPlanNeedsTheConnection() {
    QFETCH(QString, since);
    QFETCH(qint64, term);
    LoopbackHome home(2);
    QVERIFY(home.deploy(deployment(home, m_two)));
    if (since == QLatin1String("halt")) {
        QVERIFY(home.halt(0, 2));
    } else if (since == QLatin1String("deploy")) {
        Deployment next = deployment(home, m_two);
        next.term = 2;
        next.weightsStreamed = true;  // and nobody sends them
        home.ask(0, QStringLiteral("deploy"), next.toCbor());
    } else if (since == QLatin1String("other")) {
        Deployment next = deployment(home, m_one);
        next.term = 2;
        next.peers = deployment(home, m_two).peers;
        QVERIFY(home.deploy(next));
    }
    home.endLinks(1);
    QTRY_COMPARE_WITH_TIMEOUT(home.lossTerms, std::vector<qint64>{term}, patience);
}

void WorkerTroubleTest::connectionsThatLetNothingThroughEnd_data() {
    QTest::addColumn<QString>("code");
    QTest::newRow("from an address that is gone") << QStringLiteral("worker.address-lost");
    QTest::newRow("whose other end confirms nothing") << QStringLiteral("worker.link-silent");
}

void WorkerTroubleTest::connectionsThatLetNothingThroughEnd() {
    QFETCH(QString, code);
    WorkerOptions options;
    if (code == QLatin1String("worker.address-lost"))
        options.hasLostAddress = [](const Channel &) { return true; };
    else
        options.unconfirmedFor = [](const Channel &) { return WorkerService::longestUnconfirmed; };
    LoopbackHome home(2, options);
    QVERIFY(home.deploy(deployment(home, m_two)));
    QTRY_VERIFY_WITH_TIMEOUT(
        std::ranges::any_of(home.peersLost, [&code](const Error &error) { return error.code == code; }), patience);
    QCOMPARE(home.finishedStatus(0), -1);
}

void WorkerTroubleTest::aCoordinatorThatComesBackEndsConnectionsOfBefore_data() {
    QTest::addColumn<int>("to");
    QTest::newRow("of the worker that dialled") << 0;
    QTest::newRow("of the worker that was dialled") << 1;
}

void WorkerTroubleTest::aCoordinatorThatComesBackEndsConnectionsOfBefore() {
    QFETCH(int, to);
    LoopbackHome home(2);
    QVERIFY(home.deploy(deployment(home, m_two)));
    home.reconnect(to);
    // As the other worker tells it, for the network is well.
    QTRY_COMPARE_WITH_TIMEOUT(home.peersLost.size(), std::size_t{1}, patience);
    QVERIFY(home.deploy(deployment(home, m_two)));
    home.feed(1, syntheticBatch(16, 10, 1));
    QVERIFY(home.waitForRound(1));
    QCOMPARE(home.peersLost.size(), std::size_t{1});
}

void WorkerTroubleTest::orphanedWorkerEnds() {
    WorkerOptions options;
    options.orphanTimeout = std::chrono::milliseconds(50);
    LoopbackHome home(1, options);
    home.hangUp(0);
    QTRY_COMPARE_WITH_TIMEOUT(home.finishedStatus(0), 0, patience);
}

void WorkerTroubleTest::leavingIsPolite() {
    LoopbackHome home(1);
    QVERIFY(home.call(0, QStringLiteral("leave"), {}));
    QTRY_COMPARE_WITH_TIMEOUT(home.finishedStatus(0), 0, patience);
    QVERIFY(home.failures.empty());
}

void WorkerTroubleTest::strangersAreNotAuthorised() {
    LoopbackHome home(2);
    QVERIFY(home.worker(0).authorises(LoopbackHome::fingerprintOf(1)));
    QVERIFY(!home.worker(0).authorises(LoopbackHome::fingerprintOf(500)));
    QVERIFY(!home.worker(0).authorises(Fingerprint()));
}

QTEST_GUILESS_MAIN(WorkerTroubleTest)
#include "worker_trouble_test.moc"
