// Measuring through an agent of this process, whose coordinators are played.
#include "app/window_measuring.h"

#include "app/window_run_controller.h"
#include "tests/core/agent/played_home.h"

using namespace hearth;

class WindowMeasuringTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { qputenv("HEARTH_BIN_DIR", HEARTH_FAKE_BIN_DIR); }
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_home = PlayedHome::start(*m_folder, QStringLiteral("one"));
        m_client = std::make_unique<AgentClient>();
        m_measuring = std::make_unique<AgentMeasuring>(*m_client);
        QVERIFY(m_home.connectTo(*m_client));
        m_client->subscribe();
    }
    void cleanup() {
        m_measuring.reset();
        m_client.reset();
        m_home = {};
        m_folder.reset();
    }

    void aMeasurementIsARunThatCanBeCancelled() {
        QSignalSpy ended(m_measuring.get(), &MeasureControl::ended);
        m_measuring->start(order());
        QVERIFY(m_measuring->status().isOn);
        QTRY_COMPARE_WITH_TIMEOUT(measurements().size(), std::size_t(1), PlayedHome::patience);
        const RunInfo run = measurements().front();
        m_measuring->cancel();
        QVERIFY(m_measuring->status().isEnding);
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, PlayedHome::patience);
        QVERIFY(!m_measuring->status().isOn);
        QTRY_COMPARE_WITH_TIMEOUT(m_home.run(run.id).state, QStringLiteral("stopped"), PlayedHome::patience);
        QCOMPARE(m_home.run(run.id).only, QStringLiteral("measure"));
    }

    void oneThatIsToEndBeforeItBeganNeverBegins() {
        QSignalSpy ended(m_measuring.get(), &MeasureControl::ended);
        m_measuring->start(order());
        m_measuring->cancel();
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, PlayedHome::patience);
        QVERIFY(!m_measuring->status().isOn);
        QVERIFY(measurements().empty());
    }

    void aWindowThatComesLaterFollows() {
        m_measuring->start(order());
        QTRY_COMPARE_WITH_TIMEOUT(measurements().size(), std::size_t(1), PlayedHome::patience);
        AgentClient client;
        AgentMeasuring later(client);
        QVERIFY(m_home.connectTo(client));
        QTRY_VERIFY_WITH_TIMEOUT(later.status().isOn, PlayedHome::patience);
        QSignalSpy ended(m_measuring.get(), &MeasureControl::ended);
        later.cancel();
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, PlayedHome::patience);
        QTRY_VERIFY_WITH_TIMEOUT(!later.status().isOn, PlayedHome::patience);
    }

    void theTrainPageDoesNotGoThere() {
        AgentRunController controller(*m_client, m_home.agent->stateDir());
        controller.begin(m_home.agent->stateDir());
        QSignalSpy opened(&controller, &RunController::runOpened);
        m_measuring->start(order());
        QTRY_COMPARE_WITH_TIMEOUT(measurements().size(), std::size_t(1), PlayedHome::patience);
        const auto look = [&] {
            controller.comeBack();
            // Answers come in the order of the questions.
            bool answered = false;
            m_client->runs(this, [&](const auto &) { answered = true; });
            return QTest::qWaitFor([&] { return answered; }, PlayedHome::patience);
        };
        QVERIFY(look());
        QCOMPARE(opened.count(), 0);
        const auto run = startRun(*m_client, playedOrder("wait"));
        QVERIFY(run);
        QVERIFY(look());
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, PlayedHome::patience);
        QCOMPARE(opened.front().front().toString(), *run);
    }

    void besideARunItIsRefused() {
        QVERIFY(startRun(*m_client, playedOrder("wait")));
        QSignalSpy failed(m_measuring.get(), &MeasureControl::failed);
        m_measuring->start(order());
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, PlayedHome::patience);
        QCOMPARE(failed.front().front().value<Error>().code, QStringLiteral("measure.busy"));
        QVERIFY(!m_measuring->status().isOn);
    }

    void aModelThatIsNoneIsSaid() {
        QSignalSpy failed(m_measuring.get(), &MeasureControl::failed);
        MeasureOrder wrong = order();
        wrong.job.model = QStringLiteral("fashion-cmm");
        m_measuring->start(wrong);
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, PlayedHome::patience);
        QVERIFY(!m_measuring->status().isOn);
    }

    void whereTheAgentEndsNothingIsMeasured() {
        m_measuring->start(order());
        QTRY_COMPARE_WITH_TIMEOUT(measurements().size(), std::size_t(1), PlayedHome::patience);
        m_home = {};
        QTRY_VERIFY_WITH_TIMEOUT(!m_measuring->status().isOn, PlayedHome::patience);
    }

  private:
    static MeasureOrder order() { return {Job(), {}, false}; }
    std::vector<RunInfo> measurements() const {
        std::vector<RunInfo> found;
        for (const RunInfo &run : m_home.agent->runs().list()) {
            if (run.only == QLatin1String("measure"))
                found.push_back(run);
        }
        return found;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    PlayedHome m_home;
    std::unique_ptr<AgentClient> m_client;
    std::unique_ptr<AgentMeasuring> m_measuring;
};

QTEST_GUILESS_MAIN(WindowMeasuringTest)
#include "window_measuring_test.moc"
