// hearth-coordinator as its agent starts it: its key outlives its process, and goes with the run.
#include <sys/stat.h>

#include <QCborArray>
#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "core/agent/child_process.h"
#include "core/home/device_info.h"
#include "core/model/catalogue.h"
#include "core/model/safetensors.h"
#include "core/run/job.h"
#include "tests/core/model/frozen_model.h"

using namespace hearth;

class CoordinatorProgramTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        m_state = std::make_unique<QTemporaryDir>();
        m_run = m_state->filePath(QStringLiteral("runs/r"));
        QVERIFY(QDir().mkpath(m_run));
        m_process.reset();
        m_worker.reset();
        m_holder.reset();
        m_data = Job().data;
        m_model = *loadModel(Job().model);
        m_weights.clear();
    }
    void cleanup() { m_process.reset(); }

    void oneThatIsStartedAgainHasTheSameKey() {
        launch();
        const QString first = start({});
        QCOMPARE(first.size(), 64);
        struct stat status {};
        QCOMPARE(::stat(QFile::encodeName(keyFile()).constData(), &status), 0);
        QCOMPARE(status.st_mode & 0777, 0600u);

        m_process->kill();
        QVERIFY(m_process->waitForEnd(std::chrono::milliseconds(patience)));
        QVERIFY(QFile::exists(keyFile()));
        launch();
        QCOMPARE(start({{QStringLiteral("again"), true}}), first);
    }

    void whatIsFrozenIsWrittenOnce() {
        m_model = modelWithFrozen(m_model, {0});
        std::vector<NamedTensor> weights;
        for (const Layer &layer : m_model.layers) {
            for (const TensorSpec &spec : layer.shape.tensors) {
                weights.push_back({spec, DType::Float32, Buffer::allocate(spec.bytes(DType::Float32))});
                std::ranges::fill(weights.back().data->bytes(), std::byte{0});
            }
        }
        m_weights = m_state->filePath(QStringLiteral("weights.safetensors"));
        QVERIFY(writeSafetensors(m_weights, weights));
        launch();
        QVERIFY2(!start({}).isEmpty(), qPrintable(m_error.toString()));
        struct stat first {
        }, second{};
        const QByteArray file = QFile::encodeName(m_run + QStringLiteral("/frozen.safetensors"));
        QCOMPARE(::stat(file.constData(), &first), 0);
        m_process->kill();
        QVERIFY(m_process->waitForEnd(std::chrono::milliseconds(patience)));
        launch();
        QVERIFY2(!start({{QStringLiteral("again"), true}}).isEmpty(), qPrintable(m_error.toString()));
        QCOMPARE(::stat(file.constData(), &second), 0);
        QCOMPARE(second.st_ino, first.st_ino);  // a file that is written anew takes the place of the former
    }

    void withoutItsKeyItDoesNotTakeTheRunAgain() {
        launch();
        QVERIFY(!start({}).isEmpty());
        m_process->kill();
        QVERIFY(m_process->waitForEnd(std::chrono::milliseconds(patience)));
        QVERIFY(QFile::remove(keyFile()));
        launch();
        QCOMPARE(start({{QStringLiteral("again"), true}}), QString());
        QCOMPARE(m_error.code, QStringLiteral("identity.unusable"));
    }

    void theKeyGoesWithTheRun() {
        launch();
        QVERIFY(!start({}).isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(m_worker.has_value(), patience);
        // A run that cannot get a worker has failed.
        m_worker->fail({QStringLiteral("device.lost"), QStringLiteral("It is gone."), {}, {}});
        QTRY_VERIFY_WITH_TIMEOUT(m_process->end().has_value(), patience);
        QVERIFY(!QFile::exists(keyFile()));
    }

    void dataThatNobodyHoldsEndTheRun() {
        launch();
        m_data = {QStringLiteral("fashion-mnist"), QStringLiteral("pets@two")};
        QCOMPARE(start({}).size(), 64);  // the holder must know its key
        QTRY_VERIFY_WITH_TIMEOUT(m_holder.has_value(), patience);
        m_holder->fail({QStringLiteral("device.lost"), QStringLiteral("It is gone."), {}, {}});
        QTRY_VERIFY_WITH_TIMEOUT(m_process->end().has_value(), patience);
        const QByteArray events = written();
        QVERIFY2(events.contains("\"event\":\"run\"") && events.contains("The data pets on two cannot be used.") &&
                     events.contains("\"state\":\"failed\""),
                 events.right(1000).constData());
        QVERIFY(!QFile::exists(keyFile()));
    }

    void aRunThatWaitsForItsDataCanBeStopped() {
        launch();
        m_data = {QStringLiteral("fashion-mnist"), QStringLiteral("pets@two")};
        QCOMPARE(start({}).size(), 64);
        QTRY_VERIFY_WITH_TIMEOUT(m_holder.has_value(), patience);
        m_process->rpc()->notify(QStringLiteral("command"), {{QStringLiteral("command"), QStringLiteral("stop")}});
        QTRY_VERIFY_WITH_TIMEOUT(m_process->end().has_value(), patience);
        const QByteArray events = written();
        QVERIFY2(events.contains("\"state\":\"stopped\"") && !events.contains("\"event\":\"error\""),
                 events.right(500).constData());
    }

  private:
    static constexpr int patience = 60000;

    QByteArray written() const {
        QFile file(m_run + QStringLiteral("/events.jsonl"));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    QString keyFile() const { return m_run + QStringLiteral("/coordinator.pem"); }

    void launch() {
        m_process = std::make_unique<ChildProcess>(QStringLiteral("The coordinator"));
        m_process->start(qEnvironmentVariable("HEARTH_BIN_DIR") + QStringLiteral("/hearth-coordinator"),
                         {QStringLiteral("--run"), m_run});
        m_process->rpc()->handle(QStringLiteral("worker.start"),
                                 [this](const QCborMap &, const Reply &reply) { m_worker = reply; });
        m_process->rpc()->handle(QStringLiteral("holder.start"),
                                 [this](const QCborMap &, const Reply &reply) { m_holder = reply; });
    }

    /// The fingerprint it answers; empty with `m_error` where it refuses.
    QString start(const QCborMap &more) {
        DeviceInfo self;
        self.id = QString(64, QLatin1Char('1'));
        self.name = QStringLiteral("one");
        self.address = QStringLiteral("127.0.0.1:1");
        self.state = DeviceState::Ready;
        self.self = true;
        DeviceInfo other = self;
        other.id = QString(64, QLatin1Char('2'));
        other.name = QStringLiteral("two");
        other.self = false;
        Job job;
        job.data = m_data;
        QCborMap request;
        request[QStringLiteral("job")] = QCborMap::fromJsonObject(job.toJson());
        request[QStringLiteral("devices")] = QCborArray{QStringLiteral("one")};
        request[QStringLiteral("model")] = QCborMap::fromJsonObject(m_model.toJson());
        if (!m_weights.isEmpty())
            request[QStringLiteral("weights")] = m_weights;
        QCborMap args = more;
        args[QStringLiteral("run")] = QStringLiteral("r");
        args[QStringLiteral("dir")] = m_run;
        args[QStringLiteral("request")] = request;
        args[QStringLiteral("devices")] = QCborArray{self.toCbor(), other.toCbor()};
        std::optional<Result<QCborMap>> answer;
        m_process->call(QStringLiteral("start"), args, std::chrono::milliseconds(patience), this,
                        [&](const auto &result) { answer = result; });
        if (!QTest::qWaitFor([&] { return answer.has_value(); }, patience))
            return {};
        if (*answer)
            return (**answer)[QStringLiteral("fingerprint")].toString();
        m_error = answer->error();
        return {};
    }

    std::unique_ptr<QTemporaryDir> m_state;
    QString m_run;
    std::unique_ptr<ChildProcess> m_process;
    std::optional<Reply> m_worker, m_holder;
    QStringList m_data;
    Model m_model;
    QString m_weights;
    Error m_error;
};

QTEST_GUILESS_MAIN(CoordinatorProgramTest)
#include "coordinator_program_test.moc"
