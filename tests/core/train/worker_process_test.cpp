// The real program: its agent's end on pipes, mutual TLS to coordinator and peers, and how it ends.
#include <QCborArray>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>

#include "core/model/catalogue.h"
#include "core/plan/deployment.h"
#include "core/profile/memory_shortage.h"
#include "core/profile/round_report.h"
#include "core/wire/rpc.h"
#include "core/wire/stream_channel.h"
#include "core/wire/tls_dial.h"
#include "tests/core/base/patience.h"

using namespace hearth;

namespace {

/// One hearth-worker and both of its masters: agent (pipes) and coordinator (TLS).
struct Worker {
    QProcess process;
    std::unique_ptr<StreamChannel> pipes;
    std::unique_ptr<Rpc> agent;
    Fingerprint fingerprint;
    quint16 port = 0;
    std::unique_ptr<Channel> channel;
    std::unique_ptr<Rpc> rpc;
    std::vector<RoundReport> reports;
    std::vector<Error> failures;
    std::optional<MemoryShortage> shortage;

    ~Worker() {
        rpc.reset();
        agent.reset();
        channel.reset();
        pipes.reset();
        process.kill();
        process.waitForFinished();
    }
    static Result<QCborMap> call(Rpc &rpc, const QString &op, const QCborMap &args = {}) {
        QObject context;
        std::optional<Result<QCborMap>> answer;
        rpc.call(op, args, std::chrono::seconds(60), &context,
                 [&](Result<QCborMap> result) { answer = std::move(result); });
        if (!QTest::qWaitFor([&] { return answer.has_value(); }, 70000))
            return fail(QStringLiteral("test.no-answer"), QStringLiteral("No answer."));
        return *answer;
    }
    Result<void> start(const Fingerprint &coordinator, qint64 memory = 0) {
        process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process.start(qEnvironmentVariable("HEARTH_BIN_DIR") + QStringLiteral("/hearth-worker"),
                      {QStringLiteral("--run"), QStringLiteral("r"), QStringLiteral("--threads"), QStringLiteral("1"),
                       QStringLiteral("--memory"), QString::number(memory), QStringLiteral("--listen"),
                       QStringLiteral("127.0.0.1"), QStringLiteral("--ports"), QStringLiteral("0-0")});
        if (!process.waitForStarted())
            return fail(QStringLiteral("test.not-started"), process.errorString());
        pipes = std::make_unique<StreamChannel>(&process, QStringLiteral("the worker"));
        agent = std::make_unique<Rpc>(pipes.get());
        const auto started =
            call(*agent, QStringLiteral("start"),
                 {{QLatin1String("run"), QLatin1String("r")}, {QLatin1String("coordinator"), coordinator.toHex()}});
        if (!started)
            return tl::unexpected(started.error());
        fingerprint = *Fingerprint::fromHex((*started)[QLatin1String("fingerprint")].toString());
        port = static_cast<quint16>((*started)[QLatin1String("port")].toInteger());
        return {};
    }
    Result<void> dial(const Identity &identity) {
        std::optional<Result<void>> done;
        QObject context;
        dialTls(identity, QStringLiteral("127.0.0.1"), port, fingerprint, defaultDialDeadline, &context,
                [&](Result<std::unique_ptr<Channel>> opened) {
                    if (!opened) {
                        done = tl::unexpected(opened.error());
                        return;
                    }
                    channel = std::move(*opened);
                    rpc = std::make_unique<Rpc>(channel.get());
                    rpc->onNotify(QStringLiteral("round.done"),
                                  [this](const QCborMap &args) { reports.push_back(*RoundReport::fromCbor(args)); });
                    rpc->onNotify(QStringLiteral("memory.short"),
                                  [this](const QCborMap &args) { shortage = MemoryShortage::fromCbor(args); });
                    rpc->onNotify(QStringLiteral("failed"),
                                  [this](const QCborMap &args) { failures.push_back(Error::fromCbor(args)); });
                    done = Result<void>();
                });
        if (!QTest::qWaitFor([&] { return done.has_value(); }, 20000))
            return fail(QStringLiteral("test.no-answer"), QStringLiteral("No connection."));
        return *done;
    }
    void send(const TensorHeader &header, const QByteArray &bytes) {
        auto copy = Buffer::allocate(bytes.size());
        std::copy_n(reinterpret_cast<const std::byte *>(bytes.data()), bytes.size(), copy->data());
        channel->sendTensor(header, Payload::of(copy));
    }
};

}  // namespace

class WorkerProcessTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase();
    void twoProcessesTrainOverTls();
    void heartbeatTellsTheTerm();
    void strangersAreRefused();
    void endsWithItsAgent();
    void outOfMemoryEndsWithStatusThree();
    void wrongUsage_data();
    void wrongUsage();

  private:
    Deployment deployment(std::initializer_list<const Worker *> workers) const;
    Identity m_coordinator;
    const Model m_model = *loadModel(QStringLiteral("fashion-cnn"));
};

void WorkerProcessTest::initTestCase() {
    const auto identity = Identity::generate(QStringLiteral("coordinator"));
    QVERIFY(identity);
    m_coordinator = *identity;
}

Deployment WorkerProcessTest::deployment(std::initializer_list<const Worker *> workers) const {
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
    for (const Worker *worker : workers) {
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
    Worker first, second;
    for (Worker *worker : {&first, &second}) {
        const auto started = worker->start(m_coordinator.fingerprint());
        QVERIFY2(started, qPrintable(started ? QString() : started.error().toString()));
        const auto dialled = worker->dial(m_coordinator);
        QVERIFY2(dialled, qPrintable(dialled ? QString() : dialled.error().toString()));
        QVERIFY(Worker::call(*worker->rpc, QStringLiteral("hello"), {{QLatin1String("run"), QLatin1String("r")}}));
    }
    const QCborArray everyone{first.fingerprint.toHex(), second.fingerprint.toHex()};
    for (Worker *worker : {&first, &second})
        QVERIFY(Worker::call(*worker->rpc, QStringLiteral("expect"), {{QLatin1String("fingerprints"), everyone}}));
    const auto rate = Worker::call(*first.rpc, QStringLiteral("link.probe"),
                                   {{QLatin1String("fingerprint"), second.fingerprint.toHex()},
                                    {QLatin1String("address"), QLatin1String("127.0.0.1")},
                                    {QLatin1String("port"), second.port},
                                    {QLatin1String("bytes"), 4 << 20}});
    QVERIFY2(rate, qPrintable(rate ? QString() : rate.error().toString()));
    QVERIFY((*rate)[QLatin1String("bytes_per_s")].toDouble() > 1e6);

    const Deployment plan = deployment({&first, &second});
    int deployed = 0;
    for (Worker *worker : {&first, &second})
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
    for (Worker *worker : {&first, &second}) {
        QSignalSpy ended(&worker->process, &QProcess::finished);
        QVERIFY(Worker::call(*worker->rpc, QStringLiteral("leave")));
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patience);
        QCOMPARE(worker->process.exitCode(), 0);
    }
}

void WorkerProcessTest::heartbeatTellsTheTerm() {
    Worker worker;
    QVERIFY(worker.start(m_coordinator.fingerprint()));
    QVERIFY(worker.dial(m_coordinator));
    const auto hello = Worker::call(*worker.rpc, QStringLiteral("hello"), {{QLatin1String("run"), QLatin1String("r")}});
    QVERIFY(hello);
    const qint64 port = (*hello)[QLatin1String("heartbeat_port")].toInteger();
    QVERIFY(port > 0 && port != worker.port);
    std::unique_ptr<Channel> heartbeat;
    QObject context;
    dialTls(m_coordinator, QStringLiteral("127.0.0.1"), static_cast<quint16>(port), worker.fingerprint,
            defaultDialDeadline, &context, [&](Result<std::unique_ptr<Channel>> opened) {
                if (opened)
                    heartbeat = std::move(*opened);
            });
    QTRY_VERIFY_WITH_TIMEOUT(heartbeat, 20000);
    QCborMap last;
    connect(heartbeat.get(), &Channel::controlReceived, this, [&](const QCborMap &message) { last = message; });
    QTRY_COMPARE_WITH_TIMEOUT(last[QLatin1String("term")].toInteger(-1), 0, patience);
    QVERIFY(Worker::call(*worker.rpc, QStringLiteral("halt"), {{QLatin1String("term"), 4}}));
    QTRY_COMPARE_WITH_TIMEOUT(last[QLatin1String("term")].toInteger(), 4, patience);
}

void WorkerProcessTest::strangersAreRefused() {
    Worker worker;
    QVERIFY(worker.start(m_coordinator.fingerprint()));
    const auto stranger = Identity::generate(QStringLiteral("stranger"));
    QVERIFY(stranger);
    const auto refused = worker.dial(*stranger);
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, QStringLiteral("wire.refused"));
    QVERIFY(worker.dial(m_coordinator));
}

void WorkerProcessTest::endsWithItsAgent() {
    Worker worker;
    QVERIFY(worker.start(m_coordinator.fingerprint()));
    QSignalSpy ended(&worker.process, &QProcess::finished);
    worker.process.closeWriteChannel();
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patience);
    QCOMPARE(worker.process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(worker.process.exitCode(), 0);
}

void WorkerProcessTest::outOfMemoryEndsWithStatusThree() {
    Worker worker;
    QVERIFY(worker.start(m_coordinator.fingerprint(), 1));  // one byte: not even the libraries fit
    QVERIFY(worker.dial(m_coordinator));
    const auto refused = Worker::call(*worker.rpc, QStringLiteral("deploy"), deployment({&worker}).toCbor());
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, QStringLiteral("worker.out-of-memory"));
    // It comes before the answer, and says what the coordinator plans with.
    QVERIFY(worker.shortage);
    // A plan that cannot be built is an answer, not an end.
    QCOMPARE(worker.process.state(), QProcess::Running);
    worker.rpc.reset();
    worker.channel.reset();

    Worker tight;
    QVERIFY(tight.start(m_coordinator.fingerprint()));
    QVERIFY(tight.dial(m_coordinator));
    const auto hello = Worker::call(*tight.rpc, QStringLiteral("hello"), {{QLatin1String("run"), QLatin1String("r")}});
    QVERIFY(hello);
    const qint64 runtime = (*hello)[QLatin1String("runtime_bytes")].toInteger();
    // Room for the layers (two megabytes of parameters, as much of gradients and momentum), none for a round of a
    // thousand samples.
    Worker small;
    QVERIFY(small.start(m_coordinator.fingerprint(), runtime + (40 << 20)));
    QVERIFY(small.dial(m_coordinator));
    Deployment plan = deployment({&small});
    plan.batch = plan.microBatch = 1000;
    plan.microBatches = 1;
    plan.stages[0].members[0].samples = 1000;
    QVERIFY(Worker::call(*small.rpc, QStringLiteral("deploy"), plan.toCbor()));
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
    QVERIFY(process.waitForFinished(30000));
    QCOMPARE(process.exitCode(), 2);
    QVERIFY(process.readAllStandardError().startsWith("hearth-worker: "));
    QVERIFY(process.readAllStandardOutput().isEmpty());
}

QTEST_GUILESS_MAIN(WorkerProcessTest)
#include "worker_process_test.moc"
