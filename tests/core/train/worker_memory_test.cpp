// A real worker's memory against what a plan says of it, and what becomes of one that gets less.
#include <QCborArray>
#include <QFile>
#include <QJsonDocument>
#include <QSignalSpy>
#include <QTest>

#include "core/model/catalogue.h"
#include "core/plan/evaluate.h"
#include "core/protocol/deployment.h"
#include "core/protocol/label_slots.h"
#include "tests/core/base/patience.h"
#include "tests/core/train/real_worker.h"

using namespace hearth;

class WorkerMemoryTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase();
    void itTakesWhatThePlanSays();
    void halfOfItIsTooLittle();
    void aNetworkBeyondAllMemoryIsRefusedByItsNumbers();
    void aStarvedOneEndsInOrder_data();
    void aStarvedOneEndsInOrder();

  private:
    static constexpr int batch = 512, microBatch = 256;
    static constexpr quint32 roundsAhead = 2;  // that are fed
    Deployment deployment(const RealWorker &worker) const;
    static void feed(RealWorker &worker, quint32 round);
    static qint64 inStatus(const RealWorker &worker, const char *line);

    Identity m_coordinator;
    const Model m_model = *loadModel(QStringLiteral("fashion-cnn"));
    qint64 m_predicted = 0, m_runtime = 0;
    qint64 m_addresses = 0;  // of a worker that has all it wants
};

void WorkerMemoryTest::initTestCase() {
    const auto identity = Identity::generate(QStringLiteral("coordinator"));
    QVERIFY(identity);
    m_coordinator = *identity;
}

Deployment WorkerMemoryTest::deployment(const RealWorker &worker) const {
    Deployment result;
    result.run = QStringLiteral("r");
    result.term = 1;
    result.batch = batch;
    result.microBatch = microBatch;
    result.microBatches = batch / microBatch;
    result.coordinator = m_coordinator.fingerprint().toHex();
    result.model = m_model.toJson();
    result.input.pad = {2, 2};
    Deployment::Stage stage;
    stage.lastLayer = static_cast<int>(m_model.layers.size());
    stage.inFlight = 1;
    stage.members = {{worker.fingerprint.toHex(), 0, microBatch}};
    result.stages = {stage};
    result.peers = {{worker.fingerprint.toHex(), QStringLiteral("127.0.0.1"), worker.port}};
    return result;
}

void WorkerMemoryTest::feed(RealWorker &worker, quint32 round) {
    TensorHeader header;
    header.term = 1;
    header.round = round;
    header.kind = TensorKind::Label;
    header.slot = normaliserSlot;
    header.dtype = DType::Float64;
    header.dims = {1};
    const double normaliser = batch;
    worker.send(header, QByteArray(reinterpret_cast<const char *>(&normaliser), sizeof normaliser));
    for (quint32 micro = 0; micro < batch / microBatch; ++micro) {
        header.microBatch = micro;
        header.sampleCount = microBatch;
        header.slot = labelSlot;
        header.kind = TensorKind::Label;
        header.dtype = DType::Int64;
        header.dims = {microBatch};
        worker.send(header, QByteArray(8 * microBatch, '\0'));
        header.slot = 0;
        header.kind = TensorKind::Input;
        header.dtype = DType::UInt8;
        header.dims = {microBatch, 1, 28, 28};
        worker.send(header, QByteArray(microBatch * 28 * 28, static_cast<char>(40 + round)));
    }
}

qint64 WorkerMemoryTest::inStatus(const RealWorker &worker, const char *name) {
    QFile file(QStringLiteral("/proc/%1/status").arg(worker.process.processId()));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    for (const QByteArray &line : file.readAll().split('\n')) {
        if (line.startsWith(name))
            return line.mid(line.indexOf(':') + 1).simplified().split(' ').front().toLongLong() * 1024;
    }
    return 0;
}

void WorkerMemoryTest::itTakesWhatThePlanSays() {
    RealWorker worker;
    QVERIFY(worker.start(m_coordinator.fingerprint()));
    QVERIFY(worker.dial(m_coordinator));
    const auto hello =
        RealWorker::call(*worker.rpc, QStringLiteral("hello"), {{QLatin1String("run"), QLatin1String("r")}});
    QVERIFY(hello);
    m_addresses = inStatus(worker, "VmPeak");
    auto told = RealWorker::call(*worker.rpc, QStringLiteral("profile"),
                                 {{QLatin1String("model"), QCborMap::fromJsonObject(m_model.toJson())},
                                  {QLatin1String("batches"), QCborArray{16, microBatch}}});
    QVERIFY2(told, told ? "" : qPrintable(told.error().toString()));
    m_runtime = told->take(QStringLiteral("runtime_bytes")).toInteger();
    told->remove(QStringLiteral("codecs"));
    // Computing takes more of the libraries than being there.
    QVERIFY(m_runtime >= (*hello)[QLatin1String("runtime_bytes")].toInteger());
    const auto profile = ModelProfile::fromCbor(*told);
    QVERIFY2(profile, profile ? "" : qPrintable(profile.error().toString()));
    QVERIFY(m_runtime > 0);

    DeviceProfile device;
    device.device = profile->device;
    device.memoryBytes = qint64{1} << 40;
    device.runtimeBytes = m_runtime;
    JobFacts job;
    job.batch = batch;
    job.microBatch = microBatch;
    job.optimizerStateFactor = OptimizerSpec().state().copies;
    job.inputBytes = 32 * 32 * 4;  // as they lie in memory
    const auto problem = makeProblem({device}, {*profile}, {}, job);
    QVERIFY2(problem, problem ? "" : qPrintable(problem.error().toString()));
    Plan plan;
    plan.batch = batch;
    plan.microBatch = microBatch;
    plan.layerCount = static_cast<int>(m_model.layers.size());
    PlanStage stage;
    stage.lastLayer = plan.layerCount;
    stage.shares = {{device.device, microBatch}};
    stage.inFlight = 1;
    plan.stages = {stage};
    const auto judged = evaluate(*problem, plan);
    QVERIFY2(judged, judged ? "" : qPrintable(judged.error().toString()));
    m_predicted = judged->memoryBytes.value(device.device);

    const auto deployed = RealWorker::call(*worker.rpc, QStringLiteral("deploy"), deployment(worker).toCbor());
    QVERIFY2(deployed, deployed ? "" : qPrintable(deployed.error().toString()));
    constexpr std::size_t rounds = 6;
    for (quint32 round = 1; round <= roundsAhead; ++round)
        feed(worker, round);
    for (std::size_t done = 1; done <= rounds; ++done) {
        QTRY_COMPARE_WITH_TIMEOUT(worker.reports.size(), done, 60000);
        if (done + roundsAhead <= rounds)
            feed(worker, static_cast<quint32>(done) + roundsAhead);
    }
    qint64 taken = 0;
    for (const RoundReport &report : worker.reports)
        taken = std::max(taken, report.memoryBytes);
    const QString bytes =
        QStringLiteral("took %1, predicted %2, %3 of them the runtime").arg(taken).arg(m_predicted).arg(m_runtime);
    qInfo("%s", qPrintable(bytes));
    const double part = static_cast<double>(taken) / static_cast<double>(m_predicted);
    QVERIFY2(part <= 1.02, qPrintable(bytes));
    QVERIFY2(part >= 0.9, qPrintable(bytes));
}

void WorkerMemoryTest::halfOfItIsTooLittle() {
    QVERIFY(m_predicted > 0);
    for (const bool enough : {true, false}) {
        const qint64 own = m_predicted - m_runtime;
        constexpr qint64 fedAhead = 8 << 20;  // at most
        const qint64 limit = m_runtime + (enough ? own + fedAhead : own / 2);
        RealWorker worker;
        QVERIFY(worker.start(m_coordinator.fingerprint(), limit));
        QVERIFY(worker.dial(m_coordinator));
        QVERIFY(RealWorker::call(*worker.rpc, QStringLiteral("deploy"), deployment(worker).toCbor()));
        QSignalSpy ended(&worker.process, &QProcess::finished);
        feed(worker, 1);
        feed(worker, 2);
        if (enough) {
            QTRY_COMPARE_WITH_TIMEOUT(worker.reports.size(), std::size_t{2}, 60000);
            QVERIFY(worker.failures.empty());
            continue;
        }
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, 60000);
        QCOMPARE(worker.failures.size(), std::size_t{1});
        QCOMPARE(worker.failures[0].code, QStringLiteral("worker.out-of-memory"));
        QVERIFY(worker.shortage);
        QVERIFY(worker.shortage->neededBytes > worker.shortage->availableBytes);
        QVERIFY(worker.shortage->neededBytes < 2 * m_predicted);
    }
}

void WorkerMemoryTest::aNetworkBeyondAllMemoryIsRefusedByItsNumbers() {
    // One linear layer of 2^32 weights: within what a description may say, beyond what this worker has.
    const auto parsed = Model::fromJson(
        QJsonDocument::fromJson(R"({"format":"hearth-model/1","name":"absurd","input":[1,256,255],"classes":65536,
            "layers":[{"name":"all","kind":"sequence","ops":[{"kind":"flatten"},{"kind":"linear","features":65536}]}]})")
            .object(),
        QStringLiteral("absurd.json"));
    QVERIFY2(parsed, parsed ? "" : qPrintable(parsed.error().toString()));
    RealWorker worker;
    QVERIFY(worker.start(m_coordinator.fingerprint(), qint64{8} << 30));
    QVERIFY(worker.dial(m_coordinator));
    const qint64 before = inStatus(worker, "VmPeak");
    const auto profiled = RealWorker::call(*worker.rpc, QStringLiteral("profile"),
                                           {{QLatin1String("model"), QCborMap::fromJsonObject(parsed->toJson())},
                                            {QLatin1String("batches"), QCborArray{1}}});
    QVERIFY(!profiled);
    QCOMPARE(profiled.error().code, QStringLiteral("worker.out-of-memory"));
    Deployment plan = deployment(worker);
    plan.model = parsed->toJson();
    plan.stages[0].lastLayer = 1;
    const auto deployed = RealWorker::call(*worker.rpc, QStringLiteral("deploy"), plan.toCbor());
    QVERIFY(!deployed);
    QCOMPARE(deployed.error().code, QStringLiteral("worker.out-of-memory"));
    QVERIFY(worker.shortage);
    QVERIFY(worker.shortage->neededBytes > qint64{30} << 30);
    QVERIFY(inStatus(worker, "VmPeak") - before < qint64{1} << 30);
    QCOMPARE(worker.process.state(), QProcess::Running);
}

void WorkerMemoryTest::aStarvedOneEndsInOrder_data() {
    QTest::addColumn<int>("mebibytes");
    QTest::newRow("a little less than it wants") << 16;
    QTest::newRow("no room for the scratch memory of OpenBLAS") << 100;
    QTest::newRow("hardly room to begin") << 200;
    QTest::newRow("no room for LibTorch") << 300;
}

/// The system refuses it addresses: it works, says that it cannot, or ends with the status of that; it neither crashes
/// nor waits for ever.
void WorkerMemoryTest::aStarvedOneEndsInOrder() {
    QFETCH(int, mebibytes);
    QVERIFY(m_addresses > 0);
    RealWorker worker;
    worker.addressBytes = m_addresses - (qint64{mebibytes} << 20);
    QSignalSpy ended(&worker.process, &QProcess::finished);
    bool answered = worker.start(m_coordinator.fingerprint()) && worker.dial(m_coordinator);
    if (answered) {
        QObject context;
        bool said = false;
        worker.rpc->call(QStringLiteral("hello"), {{QLatin1String("run"), QLatin1String("r")}},
                         std::chrono::seconds(60), &context, [&](const Result<QCborMap> &) { said = true; });
        QTRY_VERIFY_WITH_TIMEOUT(said || ended.size() > 0, 60000);
        answered = ended.isEmpty();
    }
    if (answered)
        return;
    // A key that could not be made is said in words; its agent ends it then.
    worker.process.closeWriteChannel();
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patience);
    QCOMPARE(worker.process.exitStatus(), QProcess::NormalExit);
    constexpr int noMemory = 12;
    QVERIFY2(worker.process.exitCode() == noMemory || worker.process.exitCode() == 0,
             qPrintable(QString::number(worker.process.exitCode())));
}

QTEST_GUILESS_MAIN(WorkerMemoryTest)
#include "worker_memory_test.moc"
