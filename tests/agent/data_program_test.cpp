// hearth-coordinator --serve as an agent starts it: who gets samples, who does not, and how it ends.
#include <QJsonDocument>
#include <QTest>

#include "core/agent/child_process.h"
#include "core/data/data_registry.h"
#include "core/model/catalogue.h"
#include "core/run/holder_link.h"
#include "core/run/tls_connector.h"
#include "core/wire/tls_dial.h"
#include "tests/core/data/picture_folder.h"

using namespace hearth;

namespace {

QString text(const char *words) {
    return QString::fromUtf8(words);
}

/// The agent's end of its pipes, and an AgentLink for the coordinator that this test is.
class ProgramsAgent : public AgentLink {
  public:
    explicit ProgramsAgent(const Fingerprint &coordinator) : m_coordinator(coordinator) {}
    void startWorker(const QString &, std::chrono::milliseconds, QObject *, StartedFn) override {}
    void stopWorker(const QString &) override {}
    void startHolder(const QString &, std::chrono::milliseconds deadline, QObject *context, StartedFn done) override {
        ++starts;
        process = std::make_unique<ChildProcess>(text("The holder"));
        process->start(qEnvironmentVariable("HEARTH_BIN_DIR") + text("/hearth-coordinator"),
                       {text("--serve"), text("--run"), text("r"), text("--listen"), text("127.0.0.1"), text("--ports"),
                        text("0-0")});
        const QCborMap args{{text("run"), run}, {text("coordinator"), m_coordinator.toHex()}};
        process->call(text("start"), args, deadline, context, [this, done](const Result<QCborMap> &answer) {
            if (!answer)
                return done(tl::unexpected(answer.error()));
            address = {*Fingerprint::fromHex((*answer)[text("fingerprint")].toString()), text("127.0.0.1"),
                       static_cast<quint16>((*answer)[text("port")].toInteger()), 0};
            done(address);
        });
    }
    void stopHolder(const QString &) override {}
    void eventWritten(quint64) override {}
    void failed(const Error &) override {}

    std::unique_ptr<ChildProcess> process;
    WorkerAddress address;
    QString run = text("r");
    int starts = 0;

  private:
    const Fingerprint m_coordinator;
};

}  // namespace

class DataProgramTest : public QObject, private test::PictureFolder {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        makeFolder();
        qputenv("XDG_DATA_HOME", path(text("home")).toUtf8());
        qputenv("XDG_CACHE_HOME", path(text("cache")).toUtf8());
        saveClasses(text("pets"), 12);
        QVERIFY(registerDataset(text("pets"), path(text("pets")), false));
        m_key = *Identity::generate(text("run"));
        m_agent = std::make_unique<ProgramsAgent>(m_key.fingerprint());
        m_job.fit = PictureFit::Crop;
    }
    void cleanup() { m_agent.reset(); }

    void samplesGoToItsCoordinator() {
        HolderLink link(desk(), {{0, text("pets"), {}}}, *m_agent, std::make_unique<TlsConnector>(m_key));
        QVERIFY(open(link));
        const auto own = dataOf(m_job, m_model, DataPlace{text("pets"), 0, {}});
        QVERIFY(own);
        const auto held = link.data()[0].data;
        QCOMPARE(held->count(Split::Train), own->data->count(Split::Train));
        std::vector<std::byte> here(3 * static_cast<std::size_t>(held->sampleBytes())), there = here;
        const std::vector<qint64> indices{2, 0, 5};
        QVERIFY(own->data->readSamples(Split::Train, 0, indices, here));
        QVERIFY(held->readSamples(Split::Train, 0, indices, there));
        QVERIFY(here == there);
    }

    void aProcessThatDiesIsStartedAgain() {
        HolderLink link(desk(), {{0, text("pets"), {}}}, *m_agent, std::make_unique<TlsConnector>(m_key));
        QVERIFY(open(link));
        const auto held = link.data()[0].data;
        m_agent->process->kill();
        std::vector<std::byte> bytes(static_cast<std::size_t>(held->sampleBytes()));
        const std::vector<qint64> indices{1};
        QVERIFY(QTest::qWaitFor([&] { return m_agent->starts > 1; }, patience));
        QVERIFY(
            QTest::qWaitFor([&] { return held->readSamples(Split::Train, 0, indices, bytes).has_value(); }, patience));
    }

    void nobodyElseGetsIn() {
        HolderLink link(desk(), {{0, text("pets"), {}}}, *m_agent, std::make_unique<TlsConnector>(m_key));
        QVERIFY(open(link));
        const auto stranger = Identity::generate(text("stranger"));
        std::optional<Result<std::unique_ptr<Channel>>> dialled;
        std::optional<Error> closed;
        dialTls(*stranger, m_agent->address.address, m_agent->address.port, m_agent->address.fingerprint,
                defaultDialDeadline, this, [&](Result<std::unique_ptr<Channel>> channel) {
                    if (channel)
                        connect(channel->get(), &Channel::closed, this, [&](const Error &error) { closed = error; });
                    dialled = std::move(channel);
                });
        QVERIFY(QTest::qWaitFor([&] { return dialled && (!*dialled || closed); }, patience));
    }

    void aStartOfAnotherRunIsRefused() {
        m_agent->run = text("other");
        HolderLink link(desk(), {{0, text("pets"), {}}}, *m_agent, std::make_unique<TlsConnector>(m_key));
        std::optional<Error> failed;
        connect(&link, &HolderLink::failed, this, [&](const Error &error) { failed = error; });
        link.open(order());
        QVERIFY(QTest::qWaitFor([&] { return failed.has_value(); }, patience));
        QVERIFY2(failed->cause.contains(text("serves another run")), qPrintable(failed->toString()));
    }

    void itEndsWithItsAgent() {
        HolderLink link(desk(), {{0, text("pets"), {}}}, *m_agent, std::make_unique<TlsConnector>(m_key));
        QVERIFY(open(link));
        m_agent->process->stop();
        QVERIFY(m_agent->process->waitForEnd(std::chrono::milliseconds(patience)));
    }

  private:
    static constexpr int patience = 60000;

    static DeviceInfo desk() {
        DeviceInfo device;
        device.id = QString(64, QLatin1Char('2'));
        device.name = text("desk");
        return device;
    }
    HolderOrder order() const {
        return {QJsonDocument(m_job.toJson()).toJson(), QJsonDocument(m_model.toJson()).toJson()};
    }
    bool open(HolderLink &link) const {
        bool isOpen = false;
        connect(&link, &HolderLink::opened, &link, [&isOpen] { isOpen = true; });
        connect(&link, &HolderLink::failed, &link,
                [](const Error &error) { qWarning("%s", qPrintable(error.toString())); });
        link.open(order());
        return QTest::qWaitFor([&] { return isOpen; }, patience);
    }

    Job m_job;
    const Model m_model = *loadModel(QStringLiteral("fashion-cnn"));
    Identity m_key;
    std::unique_ptr<ProgramsAgent> m_agent;
};

QTEST_MAIN(DataProgramTest)
#include "data_program_test.moc"
