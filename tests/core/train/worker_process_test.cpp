// The real program: its agent's end on pipes, mutual TLS to coordinator and peers, and how it ends.
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <QCborArray>
#include <QDir>
#include <QSignalSpy>
#include <QTest>

#include "core/base/priority.h"
#include "core/model/catalogue.h"
#include "core/protocol/deployment.h"
#include "tests/core/base/patience.h"
#include "tests/core/train/real_worker.h"

using namespace hearth;

class WorkerProcessTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase();
    void twoProcessesTrainOverTls();
    void itTrainsBehindThePersonsPrograms();
    void itsHeartBeatsOnAPortOfItsOwn();
    void strangersAreRefused();
    void endsWithItsAgent();
    void outOfMemoryEndsWithStatusThree();
    void wrongUsage_data();
    void wrongUsage();

  private:
    Deployment deployment(std::initializer_list<const RealWorker *> workers) const;
    Identity m_coordinator;
    const Model m_model = *loadModel(QStringLiteral("fashion-cnn"));
};

void WorkerProcessTest::initTestCase() {
    const auto identity = Identity::generate(QStringLiteral("coordinator"));
    QVERIFY(identity);
    m_coordinator = *identity;
}

Deployment WorkerProcessTest::deployment(std::initializer_list<const RealWorker *> workers) const {
    Deployment result;
    result.run = QStringLiteral("r");
    result.term = 1;
    result.batch = 8;
    result.microBatch = 4;
    result.microBatches = 2;
    result.coordinator = m_coordinator.fingerprint().toHex();
    result.model = m_model.toJson();
    result.input.pad = {2, 2};
    int layer = 0;
    for (const RealWorker *worker : workers) {
        Deployment::Stage stage;
        stage.firstLayer = layer;
        layer = result.stages.size() + 1 == workers.size() ? 5 : layer + 2;
        stage.lastLayer = layer;
        stage.inFlight = 2;
        stage.members = {{worker->fingerprint.toHex(), 0, 4}};
        result.stages.push_back(stage);
        result.peers.push_back({worker->fingerprint.toHex(), QStringLiteral("127.0.0.1"), worker->port});
    }
    return result;
}

void WorkerProcessTest::twoProcessesTrainOverTls() {
    RealWorker first, second;
    for (RealWorker *worker : {&first, &second}) {
        const auto started = worker->start(m_coordinator.fingerprint());
        QVERIFY2(started, qPrintable(started ? QString() : started.error().toString()));
        const auto dialled = worker->dial(m_coordinator);
        QVERIFY2(dialled, qPrintable(dialled ? QString() : dialled.error().toString()));
        QVERIFY(RealWorker::call(*worker->rpc, QStringLiteral("hello"), {{QLatin1String("run"), QLatin1String("r")}}));
    }
    const QCborArray everyone{first.fingerprint.toHex(), second.fingerprint.toHex()};
    for (RealWorker *worker : {&first, &second})
        QVERIFY(RealWorker::call(*worker->rpc, QStringLiteral("expect"), {{QLatin1String("fingerprints"), everyone}}));
    const auto rate = RealWorker::call(*first.rpc, QStringLiteral("link.probe"),
                                       {{QLatin1String("fingerprint"), second.fingerprint.toHex()},
                                        {QLatin1String("address"), QLatin1String("127.0.0.1")},
                                        {QLatin1String("port"), second.port},
                                        {QLatin1String("bytes"), 4 << 20}});
    QVERIFY2(rate, qPrintable(rate ? QString() : rate.error().toString()));
    QVERIFY((*rate)[QLatin1String("bytes_per_s")].toDouble() > 1e4);

    const Deployment plan = deployment({&first, &second});
    int deployed = 0;
    for (RealWorker *worker : {&first, &second})
        worker->rpc->call(QStringLiteral("deploy"), plan.toCbor(), std::chrono::seconds(60), this,
                          [&](const Result<QCborMap> &result) { deployed += result ? 1 : 100; });
    QTRY_COMPARE_WITH_TIMEOUT(deployed, 2, 60000);
    for (quint32 round = 1; round <= 3; ++round) {
        TensorHeader header;
        header.term = 1;
        header.round = round;
        header.kind = TensorKind::Label;
        header.stage = 1;
        header.slot = 1;
        header.dtype = DType::Float64;
        header.dims = {1};
        const double normaliser = 8;
        second.send(header, QByteArray(reinterpret_cast<const char *>(&normaliser), sizeof normaliser));
        for (quint32 micro = 0; micro < 2; ++micro) {
            header.microBatch = micro;
            header.sampleCount = 4;
            header.slot = 0;
            header.stage = 1;
            header.kind = TensorKind::Label;
            header.dtype = DType::Int64;
            header.dims = {4};
            second.send(header, QByteArray(32, '\0'));
            header.stage = 0;
            header.kind = TensorKind::Input;
            header.dtype = DType::UInt8;
            header.dims = {4, 1, 28, 28};
            first.send(header, QByteArray(4 * 28 * 28, static_cast<char>(40 * round)));
        }
    }
    QTRY_COMPARE_WITH_TIMEOUT(first.reports.size(), std::size_t{3}, 60000);
    QTRY_COMPARE_WITH_TIMEOUT(second.reports.size(), std::size_t{3}, 60000);
    QVERIFY(second.reports[2].loss < second.reports[0].loss);  // every label is 0
    for (RealWorker *worker : {&first, &second}) {
        QSignalSpy ended(&worker->process, &QProcess::finished);
        QVERIFY(RealWorker::call(*worker->rpc, QStringLiteral("leave")));
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patience);
        QCOMPARE(worker->process.exitCode(), 0);
    }
}

void WorkerProcessTest::itTrainsBehindThePersonsPrograms() {
    RealWorker worker;
    QVERIFY(worker.start(m_coordinator.fingerprint()));
    const QStringList threads = QDir(QStringLiteral("/proc/%1/task").arg(worker.process.processId()))
                                    .entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    const auto own = static_cast<id_t>(worker.process.processId());
    int behind = 0, asBefore = 0;
    for (const QString &thread : threads) {
        const int nice = getpriority(PRIO_PROCESS, static_cast<id_t>(thread.toInt()));
        behind += nice == trainingNice;
        asBefore += nice == getpriority(PRIO_PROCESS, 0);
    }
    // What computes, and what carries tensors; the heart alone beats as before.
    QVERIFY(behind >= 2);
    QCOMPARE(asBefore, 1);
    QCOMPARE(getpriority(PRIO_PROCESS, own), trainingNice);
    constexpr int ofProcess = 1, classShift = 13, idle = 3;
    QCOMPARE(static_cast<int>(syscall(SYS_ioprio_get, ofProcess, own)) >> classShift, idle);
}

void WorkerProcessTest::itsHeartBeatsOnAPortOfItsOwn() {
    RealWorker worker;
    QVERIFY(worker.start(m_coordinator.fingerprint()));
    QVERIFY(worker.dial(m_coordinator));
    const auto hello =
        RealWorker::call(*worker.rpc, QStringLiteral("hello"), {{QLatin1String("run"), QLatin1String("r")}});
    QVERIFY(hello);
    const qint64 port = (*hello)[QLatin1String("heartbeat_port")].toInteger();
    QVERIFY(port > 0 && port != worker.port);
    int beats = 0;
    std::unique_ptr<Channel> heartbeat;
    QVERIFY(dialPatiently(
        m_coordinator, static_cast<quint16>(port), worker.fingerprint, [&](std::unique_ptr<Channel> opened) {
            heartbeat = std::move(opened);
            connect(heartbeat.get(), &Channel::controlReceived, this,
                    [&](const QCborMap &message) { beats += message[QLatin1String("beat")].toBool() ? 1 : 0; });
        }));
    QTRY_VERIFY_WITH_TIMEOUT(beats >= 2, patience);
}

void WorkerProcessTest::strangersAreRefused() {
    RealWorker worker;
    QVERIFY(worker.start(m_coordinator.fingerprint()));
    const auto stranger = Identity::generate(QStringLiteral("stranger"));
    QVERIFY(stranger);
    const auto refused = worker.dial(*stranger);
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, QStringLiteral("wire.refused"));
    QVERIFY(worker.dial(m_coordinator));
}

void WorkerProcessTest::endsWithItsAgent() {
    RealWorker worker;
    QVERIFY(worker.start(m_coordinator.fingerprint()));
    QSignalSpy ended(&worker.process, &QProcess::finished);
    worker.process.closeWriteChannel();
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patience);
    QCOMPARE(worker.process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(worker.process.exitCode(), 0);
}

void WorkerProcessTest::outOfMemoryEndsWithStatusThree() {
    RealWorker worker;
    QVERIFY(worker.start(m_coordinator.fingerprint(), 1));  // one byte: not even the libraries fit
    QVERIFY(worker.dial(m_coordinator));
    const auto refused = RealWorker::call(*worker.rpc, QStringLiteral("deploy"), deployment({&worker}).toCbor());
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, QStringLiteral("worker.out-of-memory"));
    // It comes before the answer, and says what the coordinator plans with.
    QVERIFY(worker.shortage);
    // A plan that cannot be built is an answer, not an end.
    QCOMPARE(worker.process.state(), QProcess::Running);
    worker.rpc.reset();
    worker.channel.reset();

    RealWorker tight;
    QVERIFY(tight.start(m_coordinator.fingerprint()));
    QVERIFY(tight.dial(m_coordinator));
    const auto hello =
        RealWorker::call(*tight.rpc, QStringLiteral("hello"), {{QLatin1String("run"), QLatin1String("r")}});
    QVERIFY(hello);
    const qint64 runtime = (*hello)[QLatin1String("runtime_bytes")].toInteger();
    // Room for the layers (two megabytes of parameters, as much of gradients and momentum), none for a round of a
    // thousand samples.
    RealWorker small;
    QVERIFY(small.start(m_coordinator.fingerprint(), runtime + (40 << 20)));
    QVERIFY(small.dial(m_coordinator));
    Deployment plan = deployment({&small});
    plan.batch = plan.microBatch = 1000;
    plan.microBatches = 1;
    plan.stages[0].members[0].samples = 1000;
    QVERIFY(RealWorker::call(*small.rpc, QStringLiteral("deploy"), plan.toCbor()));
    TensorHeader header;
    header.term = 1;
    header.round = 1;
    header.kind = TensorKind::Label;
    header.dtype = DType::Float64;
    header.slot = 1;
    header.dims = {1};
    const double normaliser = 1000;
    small.send(header, QByteArray(reinterpret_cast<const char *>(&normaliser), sizeof normaliser));
    header.slot = 0;
    header.sampleCount = 1000;
    header.dtype = DType::Int64;
    header.dims = {1000};
    small.send(header, QByteArray(8000, '\0'));
    header.kind = TensorKind::Input;
    header.dtype = DType::UInt8;
    header.dims = {1000, 1, 28, 28};
    QSignalSpy ended(&small.process, &QProcess::finished);
    small.send(header, QByteArray(1000 * 28 * 28, '\1'));
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, 60000);
    QCOMPARE(small.process.exitCode(), 3);
    QCOMPARE(small.failures.size(), std::size_t{1});
    QCOMPARE(small.failures[0].code, QStringLiteral("worker.out-of-memory"));
    QVERIFY(small.shortage);
    QCOMPARE(small.shortage->availableBytes, runtime + (40 << 20));
    // What one convolution of a thousand samples gives, at the least, and no more than all of them.
    QVERIFY(small.shortage->neededBytes > small.shortage->availableBytes);
    QVERIFY(small.shortage->neededBytes < runtime + (qint64{1} << 30));
}

void WorkerProcessTest::wrongUsage_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("no run") << QStringList{};
    QTest::newRow("no threads") << QStringList{QStringLiteral("--run"), QStringLiteral("r"),
                                               QStringLiteral("--threads"), QStringLiteral("0")};
    QTest::newRow("ports the wrong way round")
        << QStringList{QStringLiteral("--run"), QStringLiteral("r"), QStringLiteral("--ports"), QStringLiteral("9-8")};
    QTest::newRow("no address") << QStringList{QStringLiteral("--run"), QStringLiteral("r"), QStringLiteral("--listen"),
                                               QStringLiteral("kitchen")};
    QTest::newRow("negative memory") << QStringList{QStringLiteral("--run"), QStringLiteral("r"),
                                                    QStringLiteral("--memory"), QStringLiteral("-1")};
}

void WorkerProcessTest::wrongUsage() {
    QFETCH(QStringList, arguments);
    QProcess process;
    process.start(qEnvironmentVariable("HEARTH_BIN_DIR") + QStringLiteral("/hearth-worker"), arguments);
    QVERIFY(process.waitForFinished(patience));
    QCOMPARE(process.exitCode(), 2);
    QVERIFY(process.readAllStandardError().startsWith("hearth-worker: "));
    QVERIFY(process.readAllStandardOutput().isEmpty());
}

QTEST_GUILESS_MAIN(WorkerProcessTest)
#include "worker_process_test.moc"
