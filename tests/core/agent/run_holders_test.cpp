// The processes that serve a run's data on the devices of a home: agents in this process, whose children are played.
#include "played_device.h"

using namespace hearth;

class RunHoldersTest : public QObject, protected TwoHomes {
    Q_OBJECT

    std::unique_ptr<AgentClient> m_client;  // of the first
    std::unique_ptr<Follower> m_follower;
    QString m_run;

    static QString idOf(const PlayedHome &home) { return home.agent->fingerprint().toHex(); }
    static void places() {
        QTest::addColumn<bool>("remote");
        QTest::newRow("on this device") << false;
        QTest::newRow("on another device") << true;
    }
    /// A run of the first device whose coordinator asks for a data process there. Its process id; 0 where that failed.
    int startOn(const QString &device) {
        RunOrder order = playedOrder("worker", device);
        order.job[QStringLiteral("process")] = QStringLiteral("holder");
        m_run = startRun(*m_client, order).value_or(QString());
        m_follower = std::make_unique<Follower>(*m_client, m_run);
        return m_follower->waitFor("worker") ? m_follower->workerPid() : 0;
    }
    /// Of a start that failed.
    QByteArray answer() const { return m_follower->lines("worker").value(0); }
    static bool ends(int pid) {
        return QTest::qWaitFor([pid] { return !isAlive(pid); }, patience);
    }
    static QCborMap orderOf(const QString &run) {
        return {{QStringLiteral("run"), run}, {QStringLiteral("coordinator"), QString(64, QLatin1Char('a'))}};
    }

  private Q_SLOTS:
    void initTestCase() { qputenv("HEARTH_BIN_DIR", HEARTH_FAKE_BIN_DIR); }
    void init() {
        QVERIFY(startHomes());
        QVERIFY(m_one.meet(m_two));
        QTRY_COMPARE_WITH_TIMEOUT(m_one.stateOf(idOf(m_two)), DeviceState::Ready, patience);
        QTRY_COMPARE_WITH_TIMEOUT(m_two.stateOf(idOf(m_one)), DeviceState::Ready, patience);
        m_client = std::make_unique<AgentClient>();
        QVERIFY(m_one.connectTo(*m_client));
    }
    void cleanup() {
        m_follower.reset();
        m_client.reset();
        endHomes();
    }

    void aDeviceThatServesDataDoesNotTrainAndIsToldWhenThatEnds_data() { places(); }
    void aDeviceThatServesDataDoesNotTrainAndIsToldWhenThatEnds() {
        QFETCH(bool, remote);
        const QString device = idOf(remote ? m_two : m_one);
        const int pid = startOn(device);
        QVERIFY2(pid > 0, answer().constData());
        QFile started(QStringLiteral("/proc/%1/cmdline").arg(pid));
        QVERIFY(started.open(QIODevice::ReadOnly));
        QVERIFY(started.readAll().split('\0').contains("--serve"));
        QCOMPARE((remote ? m_two : m_one).stateOf(device), DeviceState::Ready);

        QCOMPARE(::kill(pid, SIGKILL), 0);
        QVERIFY(m_follower->waitFor("holder-lost"));
        QVERIFY2(m_follower->lines("holder-lost")[0].contains("child.killed"),
                 m_follower->lines("holder-lost")[0].constData());
        QVERIFY(m_follower->lines("lost").isEmpty());
    }

    void itEndsWithItsRun_data() { places(); }
    void itEndsWithItsRun() {
        QFETCH(bool, remote);
        const int pid = startOn(idOf(remote ? m_two : m_one));
        QVERIFY2(pid > 0, answer().constData());
        QVERIFY(commandRun(*m_client, m_run, "stop"));
        QVERIFY(m_follower->waitForEnd());
        QVERIFY(ends(pid));
        QVERIFY(m_follower->lines("holder-lost").isEmpty());
    }

    void itEndsWhenItsCoordinatorSaysSo_data() { places(); }
    void itEndsWhenItsCoordinatorSaysSo() {
        QFETCH(bool, remote);
        const int pid = startOn(idOf(remote ? m_two : m_one));
        QVERIFY2(pid > 0, answer().constData());
        QVERIFY(commandRun(*m_client, m_run, "pause"));  // the played one stops its process
        QVERIFY(ends(pid));
        QVERIFY(m_follower->lines("holder-lost").isEmpty());
        QVERIFY(m_one.run(m_run).live);
    }

    void itEndsWithTheLinkToItsRun_data() {
        QTest::addColumn<QString>("end");
        QTest::newRow("as the run's agent ends") << QStringLiteral("agent");
        QTest::newRow("as the run's device is not trusted any more") << QStringLiteral("trust");
    }
    void itEndsWithTheLinkToItsRun() {
        QFETCH(QString, end);
        const int pid = startOn(idOf(m_two));
        QVERIFY2(pid > 0, answer().constData());
        if (end == QLatin1String("trust")) {
            QVERIFY(m_two.agent->trust().forget(QStringLiteral("one")));
        } else {
            m_follower.reset();
            m_client.reset();
            m_one = {};
        }
        QVERIFY(ends(pid));
    }

    void itsCoordinatorHearsThatTheLinkWasCut() {
        const int pid = startOn(idOf(m_two));
        QVERIFY2(pid > 0, answer().constData());
        m_two = {};
        QVERIFY(!isAlive(pid));  // the agent's end waits for its children
        QVERIFY(m_follower->waitFor("holder-lost"));
        QVERIFY(m_follower->lines("holder-lost").last().contains("device.lost"));
    }

    void itEndsWithItsOwnAgent() {
        const int pid = startOn(idOf(m_one));
        QVERIFY2(pid > 0, answer().constData());
        m_follower.reset();
        m_client.reset();
        m_one = {};
        QVERIFY(!isAlive(pid));
    }

    void aDeviceThatRestsStillServesItsData() {
        DeviceLimits limits;
        limits.paused = true;
        QVERIFY(m_two.agent->limits().set(limits));
        QTRY_COMPARE_WITH_TIMEOUT(m_one.stateOf(idOf(m_two)), DeviceState::Resting, patience);
        QVERIFY2(startOn(idOf(m_two)) > 0, answer().constData());
    }

    void aDeviceThatLeavesBeginsNothing_data() { places(); }
    void aDeviceThatLeavesBeginsNothing() {
        QFETCH(bool, remote);
        const PlayedHome &place = remote ? m_two : m_one;
        RunOrder order = playedOrder("wait", idOf(place));
        order.job[QStringLiteral("process")] = QStringLiteral("holder");
        m_run = startRun(*m_client, order).value_or(QString());
        m_follower = std::make_unique<Follower>(*m_client, m_run);
        place.agent->limits().leave();
        QVERIFY(commandRun(*m_client, m_run, "evaluate"));  // the played one starts its process
        QVERIFY(m_follower->waitFor("worker"));
        QVERIFY2(answer().contains("device.leaving"), answer().constData());
    }

    void anAgentThatDoesNotKnowDataProcessesIsTooOld() {
        PlayedDevice old("old");
        QVERIFY(m_one.agent->trust().add(old.file()));
        QVERIFY(old.linkWith(m_one));
        QCOMPARE(startOn(old.id()), 0);
        QVERIFY2(answer().contains("device.too-old"), answer().constData());
    }

    void aDeviceThatIsAwayServesNothing() {
        const QString id = idOf(m_two);
        m_two = {};
        QTRY_COMPARE_WITH_TIMEOUT(m_one.stateOf(id), DeviceState::Lost, patience);
        QCOMPARE(startOn(id), 0);
        QVERIFY2(answer().contains("device.lost"), answer().constData());
    }

    void aThirdDeviceHasNoSayInIt() {
        PlayedDevice asker("asker"), other("other");
        for (PlayedDevice *device : {&asker, &other}) {
            QVERIFY(m_one.agent->trust().add(device->file()));
            QVERIFY(device->linkWith(m_one));
        }
        const QCborMap order = orderOf(QStringLiteral("20260101-120000-abcd"));
        const auto started = asker.ask(QStringLiteral("holder.start"), order);
        QVERIFY(started);
        const qint64 pid = (*started)[QStringLiteral("pid")].toInteger();
        QVERIFY(isAlive(pid));

        const auto taken = other.ask(QStringLiteral("holder.start"), order);
        QVERIFY(!taken);
        QCOMPARE(taken.error().code, QStringLiteral("holder.other-owner"));
        QVERIFY(other.ask(QStringLiteral("holder.stop"), order));
        // By then it would have ended.
        QVERIFY(other.ask(QStringLiteral("holder.start"), orderOf(QStringLiteral("20260101-120000-efgh"))));
        QVERIFY(isAlive(pid));

        QVERIFY(asker.ask(QStringLiteral("holder.stop"), order));
        QVERIFY(ends(static_cast<int>(pid)));
    }
};

QTEST_GUILESS_MAIN(RunHoldersTest)
#include "run_holders_test.moc"
