// A home in which agents freeze, die, come back and leave: one agent in this process, another as a program.
#include <QElapsedTimer>
#include <QFile>
#include <QTimer>
#include <algorithm>

#include "agent_program.h"
#include "core/home/link_watch.h"
#include "played_home.h"
#include "tests/core/base/standstill.h"

using namespace hearth;
using namespace std::chrono_literals;

namespace {

bool isAlive(int pid) {
    QFile status(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!status.open(QIODevice::ReadOnly))
        return false;
    const QByteArray line = status.readAll();
    return line.mid(line.lastIndexOf(')') + 2, 1) != "Z";
}

}  // namespace

class HomeTroubleTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { qputenv("HEARTH_BIN_DIR", HEARTH_FAKE_BIN_DIR); }

    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_one = PlayedHome::start(*m_folder, QStringLiteral("one"));
        m_two = std::make_unique<AgentProgram>(m_folder->filePath(QStringLiteral("two")), QStringLiteral("two"));
        const Fingerprint two = m_two->trust(*m_one.agent);
        QVERIFY(!two.isNull());
        QVERIFY(m_two->start());
        m_id = two.toHex();
        QVERIFY(m_one.agent->trust().add({QStringLiteral("two"), two, {m_two->address()}}));
        QTRY_COMPARE_WITH_TIMEOUT(m_one.stateOf(m_id), DeviceState::Ready, PlayedHome::patience);
        m_client = std::make_unique<AgentClient>();
        QVERIFY(m_one.connectTo(*m_client));
    }

    void cleanup() {
        m_client.reset();
        m_two.reset();
        m_one = {};
    }

    void aFrozenDeviceIsLostAndLinksAgainWhenItThaws() {
        QElapsedTimer timer;
        timer.start();
        m_two->signal(SIGSTOP);
        QTRY_COMPARE_WITH_TIMEOUT(m_one.stateOf(m_id), DeviceState::Lost, PlayedHome::patience);
        qInfo("Noticed after %lld ms.", timer.restart());
        QVERIFY2(m_one.device(m_id).lastError.contains(QStringLiteral("Nothing came")),
                 qUtf8Printable(m_one.device(m_id).lastError));
        m_two->signal(SIGCONT);
        QTRY_COMPARE_WITH_TIMEOUT(m_one.stateOf(m_id), DeviceState::Ready, PlayedHome::patience);
        qInfo("Linked again after %lld ms.", timer.elapsed());
    }

    void eachDeviceTellsSinceWhenItIsAsItIs() {
        const qint64 ready = m_one.device(m_id).since;
        QVERIFY(ready > 0 && m_one.agent->devices().front().since > 0);
        m_two->signal(SIGSTOP);
        QTRY_COMPARE_WITH_TIMEOUT(m_one.stateOf(m_id), DeviceState::Lost, PlayedHome::patience);
        QVERIFY(m_one.device(m_id).since > ready);
        QCOMPARE(DeviceInfo::fromCbor(m_one.device(m_id).toCbor())->since, m_one.device(m_id).since);
        // One that has never answered is not lost since any moment.
        const auto absent = Identity::generate(QStringLiteral("absent"));
        QVERIFY(absent && m_one.agent->trust().add({QStringLiteral("absent"), absent->fingerprint(), {}}));
        const DeviceInfo device = m_one.device(absent->fingerprint().toHex());
        QCOMPARE(device.state, DeviceState::Lost);
        QCOMPARE(device.since, qint64(0));
    }

    /// A machine that stands still beside it makes a short stall a long one.
    void aShortStallChangesNothing() {
        for (Tries tries;;) {
            Standstill machine;
            QTRY_COMPARE_WITH_TIMEOUT(m_one.stateOf(m_id), DeviceState::Ready, PlayedHome::patience);
            QSignalSpy changed(&m_one.agent->book(), &DeviceBook::changed);
            // The stall itself is what takes the time.
            QTimer thaw;
            thaw.setSingleShot(true);
            connect(&thaw, &QTimer::timeout, this, [this] { m_two->signal(SIGCONT); });
            QSignalSpy thawed(&thaw, &QTimer::timeout);
            m_two->signal(SIGSTOP);
            thaw.start(500ms);
            QVERIFY(thawed.wait(PlayedHome::patience));
            // What goes there and back afterwards went over the same link.
            const auto run = startRun(*m_client, playedOrder("worker", m_id));
            QVERIFY(run);
            const Follower follower(*m_client, *run);
            QVERIFY(follower.waitFor("worker"));
            const bool wasLost = std::any_of(changed.begin(), changed.end(), [](const QList<QVariant> &arguments) {
                return arguments.first().value<DeviceInfo>().state == DeviceState::Lost;
            });
            QVERIFY(wasLost || follower.workerPid() > 0);
            QVERIFY(commandRun(*m_client, *run, "stop"));
            QVERIFY(follower.waitForEnd());
            if (wasLost && machine.excuses(LinkWatch::probePatience, tries))
                continue;
            QVERIFY(!wasLost);
            return;
        }
    }

    void whatIsAskedOfAFrozenDeviceFailsWithItsLink() {
        m_two->signal(SIGSTOP);
        const auto run = startRun(*m_client, playedOrder("worker", m_id));
        QVERIFY(run);
        const Follower follower(*m_client, *run);
        QVERIFY(follower.waitFor("worker"));
        QVERIFY2(follower.lines("worker")[0].contains("device.lost"), follower.lines("worker")[0].constData());
    }

    void theWorkersOfAnAgentThatIsKilledEnd() {
        const auto run = startRun(*m_client, playedOrder("worker", m_id));
        QVERIFY(run);
        const Follower follower(*m_client, *run);
        QVERIFY(follower.waitFor("worker"));
        const int worker = follower.workerPid();
        QVERIFY(worker > 0);
        const auto address = splitAddress(m_two->address());
        m_two->signal(SIGKILL);
        QVERIFY(follower.waitFor("lost"));
        QVERIFY(follower.lines("lost")[0].contains("device.lost"));
        QTRY_VERIFY_WITH_TIMEOUT(!isAlive(worker), PlayedHome::patience);
        QVERIFY(m_two->waitForEnd());

        // Started again, as systemd does it, it links and can work for the run, of which it knows nothing.
        QVERIFY(m_two->start(address->port));
        QTRY_COMPARE_WITH_TIMEOUT(m_one.stateOf(m_id), DeviceState::Ready, PlayedHome::patience);
        QVERIFY(commandRun(*m_client, *run, "evaluate"));  // the played coordinator asks for the worker again
        QVERIFY(follower.waitFor("worker", 2));
        QVERIFY(follower.workerPid(1) > 0);
        QTRY_COMPARE_WITH_TIMEOUT(m_one.stateOf(m_id), DeviceState::Training, PlayedHome::patience);
    }

    void aWorkerIsStartedAnewWhileTheFormerIsStillEnding() {
        const auto run = startRun(*m_client, playedOrder("worker", m_id));
        QVERIFY(run);
        const Follower follower(*m_client, *run);
        QVERIFY(follower.waitFor("worker"));
        QVERIFY(commandRun(*m_client, *run, "pause"));     // the played coordinator stops the worker
        QVERIFY(commandRun(*m_client, *run, "evaluate"));  // and wants it back at once
        QVERIFY(follower.waitFor("worker", 2));
        QVERIFY(follower.workerPid(1) > 0);
        QVERIFY(follower.workerPid(1) != follower.workerPid());
        QTRY_VERIFY_WITH_TIMEOUT(!isAlive(follower.workerPid()), PlayedHome::patience);
        QVERIFY(isAlive(follower.workerPid(1)));
        QVERIFY(follower.lines("lost").isEmpty());
    }

    void aDeviceThatLeavesWaitsForItsWorkersToBeRelieved_data() {
        QTest::addColumn<QString>("how");
        QTest::newRow("told by a signal") << QStringLiteral("signal");
        QTest::newRow("told by the local socket") << QStringLiteral("socket");
    }
    void aDeviceThatLeavesWaitsForItsWorkersToBeRelieved() {
        QFETCH(QString, how);
        const auto run = startRun(*m_client, playedOrder("worker", m_id));
        QVERIFY(run);
        const Follower follower(*m_client, *run);
        QVERIFY(follower.waitFor("worker"));
        AgentClient two;
        if (how == QLatin1String("signal")) {
            m_two->signal(SIGTERM);
        } else {
            QSignalSpy ready(&two, &AgentClient::ready);
            two.open(m_two->stateDir());
            QVERIFY(ready.count() == 1 || ready.wait(PlayedHome::patience));
            std::optional<Result<QCborMap>> answer;
            two.call(QStringLiteral("leave"), {}, 1min, this, [&](const auto &r) { answer = r; });
            QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), PlayedHome::patience);
            QVERIFY(*answer);
            QCOMPARE((**answer)[QStringLiteral("workers")].toInteger(), 1);
        }
        QVERIFY(follower.waitFor("leaving"));
        QVERIFY(follower.lines("leaving")[0].contains(m_id.toLatin1()));
        QCOMPARE(m_one.stateOf(m_id), DeviceState::Leaving);
        QVERIFY(m_two->isRunning());
        QVERIFY(isAlive(follower.workerPid()));

        // It takes no new work meanwhile.
        const auto other = startRun(*m_client, playedOrder("worker", m_id));
        QVERIFY(other);
        const Follower refused(*m_client, *other);
        QVERIFY(refused.waitFor("worker"));
        QVERIFY2(refused.lines("worker")[0].contains("device.leaving"), refused.lines("worker")[0].constData());

        QVERIFY(commandRun(*m_client, *run, "pause"));  // the played coordinator stops the worker
        QVERIFY(m_two->waitForEnd());
        QCOMPARE(m_two->exitCode(), 0);
        QTRY_COMPARE_WITH_TIMEOUT(m_one.stateOf(m_id), DeviceState::Lost, PlayedHome::patience);
    }

    void aSecondSignalEndsAtOnce() {
        const auto run = startRun(*m_client, playedOrder("worker", m_id));
        QVERIFY(run);
        const Follower follower(*m_client, *run);
        QVERIFY(follower.waitFor("worker"));
        m_two->signal(SIGTERM);
        QVERIFY(follower.waitFor("leaving"));
        m_two->signal(SIGTERM);
        QVERIFY(m_two->waitForEnd());
        QTRY_VERIFY_WITH_TIMEOUT(!isAlive(follower.workerPid()), PlayedHome::patience);
    }

    void aDeviceWithoutWorkLeavesAtOnce() {
        m_two->signal(SIGINT);
        QVERIFY(m_two->waitForEnd());
        QCOMPARE(m_two->exitCode(), 0);
    }

  private:
    std::unique_ptr<QTemporaryDir> m_folder;
    PlayedHome m_one;
    std::unique_ptr<AgentProgram> m_two;
    std::unique_ptr<AgentClient> m_client;
    QString m_id;  // of the device "two"
};

QTEST_GUILESS_MAIN(HomeTroubleTest)
#include "home_trouble_test.moc"
