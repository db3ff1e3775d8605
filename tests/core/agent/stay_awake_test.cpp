// What keeps a computer awake is there while it works for runs, and gone with its agent; systemd-inhibit is played by a
// script.
#include <QFile>
#include <QRegularExpression>
#include <QScopeGuard>
#include <algorithm>

#include "core/agent/process_brake.h"
#include "core/agent/stay_awake.h"
#include "tests/core/agent/agent_program.h"
#include "tests/core/agent/played_home.h"

using namespace hearth;
using namespace std::chrono_literals;

class StayAwakeTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    /// A script in the place of an inhibitor.
    QString script(const QByteArray &lines, const QString &name = QStringLiteral("systemd-inhibit")) const {
        QFile file(m_folder->filePath(name));
        if (!file.open(QIODevice::WriteOnly))
            qFatal("no script");
        file.write("#!/bin/sh\n" + lines);
        file.close();
        file.setPermissions(QFile::Permissions(0x7700));
        return file.fileName();
    }
    static std::vector<Inhibitor> only(const QString &program) { return {Inhibitor{program, {}}}; }
    QString pidFile() const { return m_folder->filePath(QStringLiteral("pids")); }
    /// Notes that it runs, and runs the command that it was given, as the real one does.
    QString holding() const {
        return script("for word; do case $word in --*) shift ;; esac; done\necho $$ >>'" +
                      QFile::encodeName(pidFile()) + "'\n\"$@\"\nexit $?\n");
    }
    std::vector<qint64> started() const {
        std::vector<qint64> pids;
        QFile file(pidFile());
        if (file.open(QIODevice::ReadOnly)) {
            for (const QByteArray &line : file.readAll().split('\n')) {
                if (!line.isEmpty())
                    pids.push_back(line.toLongLong());
            }
        }
        return pids;
    }
    /// Scripts that run, and the commands that they run.
    std::vector<ProcessMark> holders() const {
        std::vector<ProcessMark> found;
        for (const qint64 pid : started()) {
            found.push_back(processMark(pid));
            for (const qint64 child : descendantsOf(pid))
                found.push_back(processMark(child));
        }
        std::erase_if(found, [](const ProcessMark &each) { return each.startTicks == 0; });
        return found;
    }
    bool isHeld() const { return holders().size() == 2; }
    static bool areGone(const std::vector<ProcessMark> &processes) {
        return std::ranges::none_of(processes, [](const ProcessMark &each) { return processMark(each.pid) == each; });
    }

    /// The scripts are found before the programs whose names they have, until what is returned is gone.
    auto putFirstInPath() const {
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", QFile::encodeName(m_folder->path()) + ':' + path);
        return qScopeGuard([path] { qputenv("PATH", path); });
    }

    /// The agent of a device that is kept awake.
    PlayedHome awakeHome(const QString &name, std::chrono::milliseconds after) const {
        AgentOptions options;
        options.stateDir = m_folder->filePath(name);
        options.name = name;
        options.listenHost = QStringLiteral("127.0.0.1");
        options.port = heldPort();
        options.threads = 1;
        options.usesCard = false;
        options.inhibitors = only(holding());
        options.awakeAfter = after;
        auto agent = Agent::start(options);
        if (!agent)
            return {};
        PlayedHome home{std::move(*agent), nullptr};
        home.service = std::make_unique<LocalService>(*home.agent);
        if (!home.service->listen())
            return {};
        return home;
    }

  private Q_SLOTS:
    void initTestCase() { qputenv("HEARTH_BIN_DIR", HEARTH_FAKE_BIN_DIR); }
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void itIsHeldUntilItsEnd_data() {
        QTest::addColumn<QString>("end");
        QTest::newRow("the work is over") << QStringLiteral("over");
        QTest::newRow("it is let go") << QStringLiteral("let go");
        QTest::newRow("its owner is gone") << QStringLiteral("gone");
    }
    void itIsHeldUntilItsEnd() {
        QFETCH(QString, end);
        auto awake = std::make_unique<StayAwake>(only(holding()), end == QLatin1String("over") ? 0ms : 10min);
        awake->want(true);
        awake->want(true);
        QTRY_VERIFY_WITH_TIMEOUT(isHeld(), patience);
        const std::vector<ProcessMark> processes = holders();
        if (end == QLatin1String("over"))
            awake->want(false);
        else if (end == QLatin1String("let go"))
            awake->letGo();
        else
            awake.reset();
        QTRY_VERIFY_WITH_TIMEOUT(areGone(processes), patience);
        QCOMPARE(started().size(), std::size_t(1));
    }

    void workThatFollowsSoonFindsItHeld() {
        StayAwake awake(only(holding()), 10min);
        awake.want(true);
        const auto before = awake.findChildren<ChildProcess *>();
        QCOMPARE(before.size(), 1);
        awake.want(false);
        QTRY_VERIFY_WITH_TIMEOUT(isHeld(), patience);
        awake.want(true);
        QVERIFY(awake.findChildren<ChildProcess *>() == before);
        QVERIFY(isHeld());
    }

    void whereNothingCanBeHeldTheLogSaysSoOnce_data() {
        QTest::addColumn<QByteArray>("lines");
        QTest::addColumn<QString>("words");
        QTest::newRow("it is refused") << QByteArray("echo 'Failed to inhibit: Access denied' >&2; exit 1\n")
                                       << QStringLiteral("may suspend.*Access denied");
        QTest::newRow("there is no such program")
            << QByteArray() << QStringLiteral("may suspend.*could not be started");
    }
    void whereNothingCanBeHeldTheLogSaysSoOnce() {
        QFETCH(QByteArray, lines);
        QFETCH(QString, words);
        StayAwake awake(only(lines.isEmpty() ? QStringLiteral("/nowhere/systemd-inhibit") : script(lines)), 0ms);
        QTest::ignoreMessage(QtWarningMsg, QRegularExpression(words));
        awake.want(true);
        QTRY_VERIFY_WITH_TIMEOUT(awake.findChildren<ChildProcess *>().isEmpty(), patience);
        // The next work tries it again, and that it fails again is no news.
        QTest::failOnWarning(QRegularExpression(QStringLiteral("may suspend")));
        awake.letGo();
        awake.want(true);
        QVERIFY(!awake.findChildren<ChildProcess *>().isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(awake.findChildren<ChildProcess *>().isEmpty(), patience);
    }

    void oneThatHoldsIsEnough() {
        StayAwake awake({Inhibitor{QStringLiteral("/nowhere/inhibit"), {}}, Inhibitor{holding(), {}}}, 10min);
        QTest::failOnWarning(QRegularExpression(QStringLiteral("may suspend")));
        awake.want(true);
        QTRY_VERIFY_WITH_TIMEOUT(isHeld(), patience);
        QTRY_VERIFY_WITH_TIMEOUT(awake.findChildren<ChildProcess *>().size() == 1, patience);
        const std::vector<ProcessMark> processes = holders();
        awake.letGo();
        QTRY_VERIFY_WITH_TIMEOUT(areGone(processes), patience);
    }

    void sleepAloneIsBlocked_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QByteArray>("asked");
        QTest::newRow("by systemd-logind")
            << QStringLiteral("systemd-inhibit") << QByteArray("--what=sleep --mode=block ");
        QTest::newRow("by GNOME") << QStringLiteral("gnome-session-inhibit")
                                  << QByteArray("--inhibit suspend --app-id ");
    }
    void sleepAloneIsBlocked() {
        QFETCH(QString, program);
        QFETCH(QByteArray, asked);
        for (const Inhibitor &each : usualInhibitors())
            script("exit 1\n", each.program);
        const QString words = m_folder->filePath(QStringLiteral("words"));
        script("echo \"$@\" >'" + QFile::encodeName(words) + "'\n", program);
        const auto back = putFirstInPath();
        StayAwake awake(usualInhibitors(), 0ms);
        QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QStringLiteral("may suspend")));
        awake.want(true);
        QTRY_VERIFY_WITH_TIMEOUT(awake.findChildren<ChildProcess *>().isEmpty(), patience);
        QFile file(words);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray given = file.readAll();
        QVERIFY2(given.startsWith(asked) && given.endsWith(" cat\n"), given.constData());
    }

    void aRunThatIsLedKeepsTheComputerAwakeAndAPausedOneDoesNot() {
        const PlayedHome home = awakeHome(QStringLiteral("one"), 0ms);
        QVERIFY(home.agent);
        AgentClient client;
        QVERIFY(home.connectTo(client));
        const auto pausedRun = startRun(client, playedOrder("paused"));
        QVERIFY(pausedRun);
        const Follower paused(client, *pausedRun);
        QVERIFY(paused.waitFor("state", 2));
        const auto run = startRun(client, playedOrder("wait"));
        QVERIFY(run);
        QTRY_VERIFY_WITH_TIMEOUT(isHeld(), patience);
        const Follower follower(client, *run);
        QVERIFY(commandRun(client, *run, "stop"));
        QVERIFY(follower.waitForEnd());
        QTRY_VERIFY_WITH_TIMEOUT(holders().empty(), patience);
        QVERIFY(home.agent->runs().isLive(*pausedRun));
    }

    void aComputerThatIsPausedMaySuspendAtOnce() {
        const PlayedHome home = awakeHome(QStringLiteral("one"), 10min);
        QVERIFY(home.agent);
        AgentClient client;
        QVERIFY(home.connectTo(client));
        const auto run = startRun(client, playedOrder("wait"));
        QVERIFY(run);
        QTRY_VERIFY_WITH_TIMEOUT(isHeld(), patience);
        DeviceLimits paused;
        paused.paused = true;
        QVERIFY(home.agent->limits().set(paused));
        QTRY_VERIFY_WITH_TIMEOUT(holders().empty(), patience);
        QVERIFY(home.agent->runs().isLive(*run));
        QVERIFY(home.agent->limits().set({}));
        QTRY_VERIFY_WITH_TIMEOUT(isHeld(), patience);
    }

    void aRunWhoseDataAreReadKeepsTheComputerAwake() {
        const PlayedHome home = awakeHome(QStringLiteral("one"), 0ms);
        QVERIFY(home.agent);
        AgentClient client;
        QVERIFY(home.connectTo(client));
        client.startRun(playedOrder("read"), &client, [](const auto &) {});
        QTRY_VERIFY_WITH_TIMEOUT(isHeld(), patience);
        QCOMPARE(home.agent->runs().list().size(), std::size_t(1));
        QVERIFY(commandRun(client, home.agent->runs().list().front().id, "stop"));
        QTRY_VERIFY_WITH_TIMEOUT(holders().empty(), patience);
    }

    void workForAnotherDeviceKeepsTheComputerAwake_data() {
        QTest::addColumn<QString>("process");
        QTest::newRow("a worker") << QStringLiteral("worker");
        QTest::newRow("what serves its data") << QStringLiteral("holder");
    }
    void workForAnotherDeviceKeepsTheComputerAwake() {
        QFETCH(QString, process);
        const PlayedHome one = PlayedHome::start(*m_folder, QStringLiteral("one"));
        const PlayedHome two = awakeHome(QStringLiteral("two"), 0ms);
        QVERIFY(one.agent && two.agent);
        QVERIFY(one.meet(two));
        const QString id = two.agent->fingerprint().toHex();
        QTRY_COMPARE_WITH_TIMEOUT(one.stateOf(id), DeviceState::Ready, patience);
        AgentClient client;
        QVERIFY(one.connectTo(client));
        RunOrder order = playedOrder("worker", id);
        order.job[QStringLiteral("process")] = process;
        const auto run = startRun(client, order);
        QVERIFY(run);
        QTRY_VERIFY_WITH_TIMEOUT(isHeld(), patience);
        const std::vector<ProcessMark> processes = holders();
        QVERIFY(commandRun(client, *run, "stop"));
        QTRY_VERIFY_WITH_TIMEOUT(areGone(processes), patience);
    }

    void nothingIsLeftOfAnAgentThatIsKilled() {
        const auto process = agentWithARun({});
        QVERIFY(process);
        QTRY_VERIFY_WITH_TIMEOUT(isHeld(), patience);
        const std::vector<ProcessMark> processes = holders();
        process->signal(SIGKILL);
        QTRY_VERIFY_WITH_TIMEOUT(areGone(processes), patience);
    }

    void anAgentThatMaySleepHoldsNothing() {
        const auto process = agentWithARun({QStringLiteral("--may-sleep")});
        QVERIFY(process);
        // Its coordinator alone. What it holds it starts before it answers that the run has begun.
        QCOMPARE(descendantsOf(process->pid()).size(), std::size_t(1));
    }

  private:
    /// A real hearth-agent that leads a run, whose first events are there, and finds the script in its PATH.
    std::unique_ptr<AgentProgram> agentWithARun(const QStringList &options) const {
        holding();
        const auto back = putFirstInPath();
        auto process = std::make_unique<AgentProgram>(m_folder->filePath(QStringLiteral("one")), QStringLiteral("one"));
        AgentClient client;
        QSignalSpy ready(&client, &AgentClient::ready);
        if (!process->start(0, QStringList{QStringLiteral("--no-card")} + options))
            return nullptr;
        client.open(process->stateDir());
        if (ready.isEmpty() && !ready.wait(patience))
            return nullptr;
        const auto run = startRun(client, playedOrder("wait"));
        if (!run)
            return nullptr;
        const Follower follower(client, *run);
        return follower.waitFor("state") ? std::move(process) : nullptr;
    }
};

QTEST_GUILESS_MAIN(StayAwakeTest)
#include "stay_awake_test.moc"
