// Real agents in this process: the local socket, two of them over TLS, strangers, runs with a coordinator and workers
// that are played (fake_child.cpp).
#include <QDir>
#include <QJsonDocument>
#include <QTcpServer>
#include <csignal>

#include "core/agent/host_resources.h"
#include "core/agent/worker_host.h"
#include "core/wire/tls_dial.h"
#include "played_home.h"
#include "tests/core/base/no_files_left.h"
#include "tests/core/base/standstill.h"

using namespace hearth;

namespace {

using Home = PlayedHome;

}  // namespace

class AgentTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { qputenv("HEARTH_BIN_DIR", HEARTH_FAKE_BIN_DIR); }
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void theLocalSocketTellsAboutThisDevice() {
        const Home home = start(QStringLiteral("one"));
        AgentClient client;
        connectTo(client, home);
        std::vector<DeviceInfo> devices;
        client.devices(this, [&](const auto &list) { devices = list.value(); });
        QTRY_COMPARE_WITH_TIMEOUT(devices.size(), std::size_t(1), patience);
        QCOMPARE(devices[0].name, QStringLiteral("one"));
        QVERIFY(devices[0].self);
        QCOMPARE(devices[0].agentPid, qint64(QCoreApplication::applicationPid()));
        QCOMPARE(devices[0].state, DeviceState::Ready);
        constexpr auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
        QVERIFY(!(QFile::permissions(home.agent->stateDir() + QStringLiteral("/agent.sock")) & others));
    }

    void anUnknownOperationIsAnError() {
        const Home home = start(QStringLiteral("one"));
        AgentClient client;
        connectTo(client, home);
        std::optional<Result<QCborMap>> answer;
        client.call(QStringLiteral("format.disk"), {}, std::chrono::minutes(1), this,
                    [&](const auto &r) { answer = r; });
        QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), patience);
        QVERIFY(!*answer);
    }

    void withoutAnAgentTheClientSaysSo() {
        AgentClient client;
        QSignalSpy closed(&client, &AgentClient::closed);
        client.open(m_folder->path());
        QVERIFY(closed.wait(patience));
        const auto error = closed.first().first().value<Error>();
        QCOMPARE(error.code, QStringLiteral("agent.not-running"));
        // Qt's words for a socket that is not there explain nothing.
        QVERIFY2(error.cause.isEmpty(), qPrintable(error.toString()));
    }

    void oneFolderHasOneAgent() {
        const Home home = start(QStringLiteral("one"));
        AgentOptions options;
        options.stateDir = home.agent->stateDir();
        options.listenHost = QStringLiteral("127.0.0.1");
        options.port = 0;
        const auto second = Agent::start(options);
        QVERIFY(!second);
        QCOMPARE(second.error().code, QStringLiteral("agent.already-running"));
    }

    void aTakenPortIsNamed() {
        QTcpServer other;
        QVERIFY(other.listen(QHostAddress::LocalHost, 0));
        AgentOptions options;
        options.stateDir = m_folder->filePath(QStringLiteral("one"));
        options.listenHost = QStringLiteral("127.0.0.1");
        options.port = other.serverPort();
        const auto agent = Agent::start(options);
        QVERIFY(!agent);
        QCOMPARE(agent.error().code, QStringLiteral("agent.port-taken"));
        QVERIFY(agent.error().what.contains(QString::number(other.serverPort())));
        QVERIFY(!agent.error().advice.isEmpty());
    }

    void anAgentStartsWhereItsAddressCannotBeWritten() {
        Home home = start(QStringLiteral("one"));
        // In place of the file a folder: nothing can be written there, not even by root.
        const QString path = home.agent->stateDir() + QStringLiteral("/agent.json");
        home = {};
        QVERIFY(QDir().mkpath(path + QStringLiteral("/full")));
        home = start(QStringLiteral("one"));
        QVERIFY(home.agent);
    }

    void twoThatTrustEachOtherSeeEachOther() {
        Home one = start(QStringLiteral("one"));
        Home two = start(QStringLiteral("two"));
        QSignalSpy changed(&one.agent->book(), &DeviceBook::changed);
        introduce(one, two);
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(one, two), DeviceState::Ready, patience);
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(two, one), DeviceState::Ready, patience);
        const DeviceInfo seen = find(one, two);
        QCOMPARE(seen.name, QStringLiteral("two"));
        QCOMPARE(seen.address, two.agent->address());
        QVERIFY(seen.agentPid > 0);  // the same machine
        QVERIFY(!changed.isEmpty());

        two.service.reset();
        two.agent.reset();
        QTRY_COMPARE_WITH_TIMEOUT(findState(one, seen.id), DeviceState::Lost, patience);
        QVERIFY(!one.agent->devices()[1].lastError.isEmpty());
    }

    void aDeviceThatComesBackIsFoundAgain() {
        Home one = start(QStringLiteral("one"));
        Home two = start(QStringLiteral("two"));
        introduce(one, two);
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(one, two), DeviceState::Ready, patience);
        const QString id = two.agent->fingerprint().toHex();
        const auto address = splitAddress(two.agent->address());
        two = {};
        QTRY_COMPARE_WITH_TIMEOUT(findState(one, id), DeviceState::Lost, patience);
        two = start(QStringLiteral("two"), address->port);
        QTRY_COMPARE_WITH_TIMEOUT(findState(one, id), DeviceState::Ready, patience);
    }

    void aStrangerIsRefusedAndNothingElseHappens() {
        Home one = start(QStringLiteral("one"));
        QSignalSpy refused(&one.agent->home(), &HomeService::strangerRefused);
        QSignalSpy changed(&one.agent->book(), &DeviceBook::changed);
        const auto stranger = Identity::generate(QStringLiteral("one"));
        const auto address = splitAddress(one.agent->address());
        QString code;
        dialTls(*stranger, address->host, address->port, one.agent->fingerprint(), defaultDialDeadline, this,
                [&](const Result<std::unique_ptr<Channel>> &channel) {
                    code = channel ? QStringLiteral("in") : channel.error().code;
                });
        QTRY_VERIFY_WITH_TIMEOUT(!code.isEmpty(), patience);
        QVERIFY(code != QLatin1String("in"));
        QTRY_COMPARE_WITH_TIMEOUT(refused.count(), 1, patience);
        QVERIFY(changed.isEmpty());
        QCOMPARE(one.agent->devices().size(), std::size_t(1));
        QVERIFY(!QFile::exists(one.agent->stateDir() + QStringLiteral("/trust.json")));
    }

    void anAddressMakesNobodyTrusted() {
        const Home one = start(QStringLiteral("one"));
        const auto stranger = Identity::generate(QStringLiteral("x"));
        const auto done = one.agent->home().setAddress(stranger->fingerprint(), QStringLiteral("127.0.0.1:1"));
        QVERIFY(!done);
        QCOMPARE(one.agent->devices().size(), std::size_t(1));
    }

    void aRunIsFollowedToItsEnd() {
        const Home home = start(QStringLiteral("one"));
        AgentClient client;
        connectTo(client, home);
        QSignalSpy ended(&client, &AgentClient::runEnded);
        const QString run = startRun(client, "finish");
        QVERIFY(!run.isEmpty());
        const QByteArrayList lines = follow(client, run, 1);
        QCOMPARE(lines.size(), 3);
        QVERIFY(lines.last().contains("finished"));
        std::vector<RunInfo> runs;
        client.runs(this, [&](const auto &list) { runs = list.value(); });
        QTRY_COMPARE_WITH_TIMEOUT(runs.size(), std::size_t(1), patience);
        QCOMPARE(runs[0].id, run);
        QCOMPARE(runs[0].state, QStringLiteral("finished"));
        QVERIFY(!runs[0].live);
        // A past run is served from any event on.
        QCOMPARE(follow(client, run, 3).size(), 1);
        QCOMPARE(follow(client, run, 4).size(), 0);
    }

    /// Agents of other tests come and go at these ports, too.
    void aSecondAccountsAgentTakesOtherPorts() {
        for (Tries tries;;) {
            // As another account's agent has it; where a real one runs, that one does.
            QTcpServer other;
            const bool isOurs = other.listen(QHostAddress::LocalHost, agentPort);
            const QTemporaryDir folder;
            AgentOptions options;
            options.stateDir = folder.filePath(QStringLiteral("second"));
            options.name = QStringLiteral("second");
            options.listenHost = QStringLiteral("127.0.0.1");
            options.choosesPort = true;
            auto agent = Agent::start(options);
            QVERIFY2(agent, agent ? "" : qUtf8Printable(agent.error().toString()));
            const quint16 port = (*agent)->devices().front().port();
            if (port == agentPort && !isOurs && tries.again(QStringLiteral("Who had the usual port has left it.")))
                continue;
            QVERIFY(port > agentPort);
            const QString told = (*agent)->devices().front().lastError;
            QVERIFY2(told.contains(QStringLiteral("listens on port %1").arg(port)), qPrintable(told));
            QVERIFY2(told.contains(QStringLiteral("%1 to %2").arg(port + 1).arg(port + 32)), qPrintable(told));

            // It keeps to them, though the usual one is free now: the other account may come back.
            other.close();
            agent->reset();
            QVERIFY2(QTcpServer().listen(QHostAddress::LocalHost, port), "An agent that has ended still has its port.");
            agent = Agent::start(options);
            QVERIFY(agent);
            const quint16 again = (*agent)->devices().front().port();
            if (again != port && !QTcpServer().listen(QHostAddress::LocalHost, port) &&
                tries.again(QStringLiteral("Somebody else has taken port %1.").arg(port)))
                continue;
            QCOMPARE(again, port);
            return;
        }
    }

    void nothingIsMeasuredBesideARun() {
        const Home home = start(QStringLiteral("one"));
        AgentClient client;
        connectTo(client, home);
        const QString run = startRun(client, "wait");
        QVERIFY(Follower(client, run).waitFor("state"));
        for (const QJsonObject &options : {QJsonObject{{QStringLiteral("only"), QStringLiteral("measure")}},
                                           QJsonObject{{QStringLiteral("measure_again"), true}}}) {
            RunOrder order = playedOrder("finish");
            order.options = options;
            const auto refused = hearth::startRun(client, order);
            QVERIFY(!refused);
            QCOMPARE(refused.error().code, QStringLiteral("measure.busy"));
            QVERIFY(refused.error().cause.contains(run));
        }
        QCOMPARE(home.agent->runs().list().size(), std::size_t(1));
    }

    void ofMeasurementsTheNewestIsKept() {
        const Home home = start(QStringLiteral("one"));
        AgentClient client;
        connectTo(client, home);
        RunOrder order = playedOrder("finish");
        const QString trained = startRun(client, order);
        QVERIFY(Follower(client, trained).waitForEnd());
        order.options = {{QStringLiteral("only"), QStringLiteral("measure")}};
        QStringList measured;
        for (int i = 0; i < 2; ++i) {
            measured << startRun(client, order);
            QVERIFY(Follower(client, measured.last()).waitForEnd());
        }
        QCOMPARE(home.run(measured.last()).only, QStringLiteral("measure"));
        QStringList known;
        for (const RunInfo &run : home.agent->runs().list())
            known << run.id;
        QVERIFY(known.contains(trained) && known.contains(measured.last()) && !known.contains(measured.first()));
        QCOMPARE(listRuns(home.agent->stateDir() + QStringLiteral("/runs")).size(), 2);
    }

    void anOrderThatIsRefusedLeavesNothing() {
        const Home home = start(QStringLiteral("one"));
        AgentClient client;
        connectTo(client, home);
        std::optional<Result<QString>> answer;
        client.startRun(playedOrder("refuse"), this, [&](const auto &r) { answer = r; });
        QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), patience);
        QCOMPARE(answer->error().code, QStringLiteral("job.invalid"));
        QVERIFY(home.agent->runs().list().empty());
        QTRY_VERIFY_WITH_TIMEOUT(QDir(home.agent->stateDir() + QStringLiteral("/runs")).isEmpty(), patience);
    }

    void aRunThatIsStoppedWhileItsDataAreReadLeavesNothing_data() {
        QTest::addColumn<QByteArray>("act");
        QTest::newRow("before it has written anything") << QByteArray("read");
        QTest::newRow("with files that it began with") << QByteArray("write-and-read");
    }
    void aRunThatIsStoppedWhileItsDataAreReadLeavesNothing() {
        QFETCH(QByteArray, act);
        const Home home = start(QStringLiteral("one"));
        AgentClient client;
        connectTo(client, home);
        std::optional<Result<QString>> answer;
        client.startRun(playedOrder(act.constData()), this, [&](const auto &r) { answer = r; });
        QTRY_COMPARE_WITH_TIMEOUT(home.agent->runs().list().size(), std::size_t(1), patience);
        const QString run = home.agent->runs().list().front().id;
        const QString last = home.agent->runs().folder(run) + QStringLiteral("/frozen.safetensors.aBcDeF");
        QTRY_VERIFY_WITH_TIMEOUT(act == "read" || QFileInfo::exists(last), patience);
        QSignalSpy ended(&home.agent->runs(), &RunService::ended);
        QVERIFY(commandRun(client, run, "stop"));
        QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), patience);
        QVERIFY(!*answer);
        QCOMPARE(answer->error().code, QStringLiteral("run.stopped"));
        QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo::exists(home.agent->runs().folder(run)), patience);
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, patience);
    }

    void aCoordinatorThatCannotBeStartedIsExplainedAndLeavesNothing() {
        const Home home = start(QStringLiteral("one"));
        std::optional<Result<QCborMap>> answer;
        {
            const NoFilesLeft none;
            home.agent->runs().start(playedOrder("wait").toCbor(), this, [&](const auto &r) { answer = r; });
        }
        QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), patience);
        QVERIFY(!*answer);
        QCOMPARE(answer->error().code, QStringLiteral("child.not-started"));
        QVERIFY(!answer->error().cause.isEmpty() && !answer->error().advice.isEmpty());
        QVERIFY(home.agent->runs().list().empty());
        QTRY_VERIFY_WITH_TIMEOUT(QDir(home.agent->stateDir() + QStringLiteral("/runs")).isEmpty(), patience);
    }

    void aCoordinatorThatDiesIsExplained() {
        const Home home = start(QStringLiteral("one"));
        AgentClient client;
        connectTo(client, home);
        const QByteArrayList lines = follow(client, startRun(client, "die"), 1);
        QVERIFY(lines.size() > 2);
        const QByteArray told = lines[lines.size() - 2];
        QVERIFY(told.contains("\"event\":\"error\""));
        QVERIFY2(told.contains("cannot go on"), told.constData());
        QVERIFY(lines.last().contains("\"state\":\"failed\""));
        QVERIFY(lines.last().contains("\"seq\":" + QByteArray::number(lines.size())));
        QVERIFY(client.isOpen());  // the agent is alive
    }

    void commandsReachTheRun() {
        const Home home = start(QStringLiteral("one"));
        AgentClient client;
        connectTo(client, home);
        const QString run = startRun(client, "wait");
        std::optional<Result<QCborMap>> answer;
        client.command(run, QStringLiteral("stop"), {}, this, [&](const auto &r) { answer = r; });
        QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), patience);
        QVERIFY(*answer);
        QVERIFY(follow(client, run, 1).last().contains("stopped"));

        for (const auto &[id, word, code] : {std::tuple(run, "stop", "run.not-live"),
                                             {run, "explode", "run.bad-command"},
                                             {QStringLiteral("../x"), "stop", "run.unknown"}}) {
            answer.reset();
            client.command(id, QString::fromLatin1(word), {}, this, [&](const auto &r) { answer = r; });
            QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), patience);
            QVERIFY(!*answer);
            QCOMPARE(answer->error().code, QString::fromLatin1(code));
        }
    }

    void aWorkerThatIsKilledIsExplainedToItsCoordinator_data() {
        QTest::addColumn<bool>("remote");
        QTest::newRow("a worker on this device") << false;
        QTest::newRow("a worker on another device") << true;
    }

    void aWorkerThatIsKilledIsExplainedToItsCoordinator() {
        QFETCH(bool, remote);
        Home one = start(QStringLiteral("one"));
        Home two = start(QStringLiteral("two"));
        introduce(one, two);
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(one, two), DeviceState::Ready, patience);
        AgentClient client;
        connectTo(client, one);
        RunOrder wanted = playedOrder("worker");
        wanted.job[QStringLiteral("device")] = (remote ? two : one).agent->fingerprint().toHex();
        const QString run = startRun(client, wanted);
        QByteArrayList lines;
        connect(&client, &AgentClient::runEvent, this, [&](const QString &, const QByteArray &line) { lines << line; });
        client.attach(run, 1, this, [](const auto &) {});
        QTRY_COMPARE_WITH_TIMEOUT(lines.size(), 3, patience);
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(one, remote ? two : one), DeviceState::Training, patience);
        const int pid = QJsonDocument::fromJson(lines[2])[QLatin1String("worker_pid")].toString().toInt();
        QVERIFY2(pid > 0, lines[2].constData());
        // Where nobody has said what others may take, a quarter of the machine is not for them.
        QFile started(QStringLiteral("/proc/%1/cmdline").arg(pid));
        QVERIFY(started.open(QIODevice::ReadOnly));
        const QByteArrayList words = started.readAll().split('\0');
        const qint64 all = hostResources().memoryBytes;
        QCOMPARE(words.value(words.indexOf("--memory") + 1).toLongLong(), remote ? all / 4 * 3 : all);
        QCOMPARE(words.contains("--trusted-fabric"), !remote);
        QCOMPARE(::kill(pid, SIGKILL), 0);
        QTRY_COMPARE_WITH_TIMEOUT(lines.size(), 4, patience);
        QVERIFY2(lines[3].contains("child.killed"), lines[3].constData());
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(one, remote ? two : one), DeviceState::Ready, patience);
    }

    void oneOtherDeviceHasFewWorkersHere() {
        WorkerHost host(ProcessSettings{});
        const QString key(64, QLatin1Char('a'));
        QStringList codes;
        std::size_t answers = 0;
        const auto startFor = [&](const QString &owner, std::size_t times) {
            for (std::size_t i = 0; i < times; ++i) {
                QString run = newRunId();
                while (m_runs.contains(run))
                    run = newRunId();
                m_runs << run;
                host.start(run, key, owner, this, [&](const Result<QCborMap> &result) {
                    ++answers;
                    if (!result)
                        codes << result.error().code;
                });
            }
        };
        startFor(QString(64, QLatin1Char('b')), WorkerHost::maximumOfOther + 1);
        QCOMPARE(codes, QStringList{QStringLiteral("worker.too-many")});
        startFor(QString(64, QLatin1Char('c')), 1);
        startFor(WorkerHost::localOwner(), WorkerHost::maximumOfOther + 1);
        QTRY_COMPARE_WITH_TIMEOUT(answers, 2 * WorkerHost::maximumOfOther + 3, patience);
        QCOMPARE(codes.size(), 1);
        host.stopAll();
        host.waitForEnd(std::chrono::minutes(1));
    }

    void theChildrenEndWithTheAgent() {
        Home home = start(QStringLiteral("one"));
        AgentClient client;
        connectTo(client, home);
        const QString run = startRun(client, "wait");
        home = {};
        const auto info = readRun(m_folder->filePath(QStringLiteral("one/runs/") + run));
        QVERIFY(info);
        QCOMPARE(info->state, QStringLiteral("interrupted"));
    }

  private:
    QStringList m_runs;  // ids that were used
    Home start(const QString &name, quint16 port = 0) { return PlayedHome::start(*m_folder, name, port); }

    static void introduce(const Home &one, const Home &two) { QVERIFY(one.meet(two)); }

    static DeviceInfo find(const Home &at, const Home &of) { return at.device(of.agent->fingerprint().toHex()); }
    static DeviceState stateOf(const Home &at, const Home &of) { return find(at, of).state; }
    static DeviceState findState(const Home &at, const QString &id) { return at.stateOf(id); }

    static void connectTo(AgentClient &client, const Home &home) { QVERIFY(home.connectTo(client)); }

    static QString startRun(AgentClient &client, const char *act) { return startRun(client, playedOrder(act)); }
    static QString startRun(AgentClient &client, const RunOrder &order) {
        return hearth::startRun(client, order).value_or(QString());
    }

    QByteArrayList follow(AgentClient &client, const QString &run, quint64 from) {
        const Follower follower(client, run, from);
        return follower.waitForEnd() ? follower.lines() : QByteArrayList();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(AgentTest)
#include "agent_test.moc"
