// Coordinators that die are started again; runs that have ended go on; what runs are told.
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <csignal>

#include "core/run/files/run_folder.h"
#include "played_home.h"

using namespace hearth;

class RunRestartTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { qputenv("HEARTH_BIN_DIR", HEARTH_FAKE_BIN_DIR); }
    void init() {
        m_client.reset();
        m_home = {};
        m_folder = std::make_unique<QTemporaryDir>();
        m_home = PlayedHome::start(*m_folder, QStringLiteral("one"));
        m_client = std::make_unique<AgentClient>();
        QVERIFY(m_home.connectTo(*m_client));
    }
    void cleanup() {
        m_client.reset();
        m_home = {};
    }

    void aCoordinatorThatDiesIsStartedAgainAndItsRunGoesOn() {
        const auto run = startRun(*m_client, playedOrder("die-once"));
        QVERIFY(run);
        Follower follower(*m_client, *run);
        QVERIFY(follower.waitFor("state", 2));
        QCOMPARE(follower.lines("started").size(), 1);
        QVERIFY(follower.lines("started")[0].contains("\"how\":\"again\""));
        QVERIFY(follower.lines("error").isEmpty());
        QVERIFY(m_home.run(*run).live);
        QVERIFY(!m_home.run(*run).resumable);
        QVERIFY(commandRun(*m_client, *run, "stop"));
        QVERIFY(follower.waitForEnd());
        QCOMPARE(m_home.run(*run).state, QStringLiteral("stopped"));
        QVERIFY(!m_home.run(*run).resumable);  // there is no checkpoint
    }

    void aRunThatMakesNoRoundsRefusesOrdersAboutThem() {
        RunOrder measures = playedOrder("wait");
        measures.options[QStringLiteral("only")] = QStringLiteral("measure");
        const auto run = startRun(*m_client, measures);
        QVERIFY(run);
        for (const char *word : {"pause", "resume", "evaluate", "save", "checkpoint", "accept-plan", "plan"}) {
            const auto answer = commandRun(*m_client, *run, word);
            QVERIFY2(!answer, word);
            QCOMPARE(answer.error().code, QStringLiteral("run.no-rounds"));
            QVERIFY(answer.error().cause.contains(QStringLiteral("only to measure")));
        }
        QVERIFY(commandRun(*m_client, *run, "stop"));
    }

    void whatIsStartedAnewReplacesTheFormerWithoutAWord_data() { processes(); }
    void whatIsStartedAnewReplacesTheFormerWithoutAWord() {
        RunOrder order = orderOfProcess("worker");
        const auto run = startRun(*m_client, order);
        QVERIFY(run);
        Follower follower(*m_client, *run);
        QVERIFY(follower.waitFor("worker"));
        const int worker = follower.workerPid();
        QVERIFY(worker > 0);
        const qint64 coordinator = childOf("hearth-coordinator");
        QVERIFY(coordinator > 0);
        QCOMPARE(::kill(static_cast<pid_t>(coordinator), SIGKILL), 0);
        // The played one asks for its process anew, which takes the place of the former without a word of its end.
        QVERIFY(follower.waitFor("worker", 2));
        QVERIFY(follower.workerPid(1) > 0);
        QVERIFY(follower.workerPid(1) != worker);
        QVERIFY(!isAlive(worker));
        QCOMPARE(follower.lines("started").size(), 1);
        QVERIFY(commandRun(*m_client, *run, "stop"));
        QVERIFY(follower.waitForEnd());
        QVERIFY(follower.lines("lost").isEmpty() && follower.lines("holder-lost").isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(!isAlive(follower.workerPid(1)), PlayedHome::patience);
    }

    void nothingIsStoppedBetweenTwoCoordinators_data() { processes(); }
    void nothingIsStoppedBetweenTwoCoordinators() {
        QFETCH(QString, process);
        RunOrder order = orderOfProcess("wait");
        const auto run = startRun(*m_client, order);
        QVERIFY(run);
        Follower follower(*m_client, *run);
        QVERIFY(commandRun(*m_client, *run, "evaluate"));  // the played one starts its process
        QVERIFY(follower.waitFor("worker"));
        QCOMPARE(::kill(static_cast<pid_t>(childOf("hearth-coordinator")), SIGKILL), 0);
        QVERIFY(follower.waitFor("started"));
        QVERIFY(isAlive(follower.workerPid()));
        // The new one is told of what happens to the process of the former.
        QCOMPARE(::kill(follower.workerPid(), SIGKILL), 0);
        const char *lost = process == QLatin1String("holder") ? "holder-lost" : "lost";
        QVERIFY(follower.waitFor(lost));
        QVERIFY(follower.lines(lost)[0].contains("child.killed"));
    }

    void whatWasStartedEndsWithARunThatIsNotStartedAgain_data() { processes(); }
    void whatWasStartedEndsWithARunThatIsNotStartedAgain() {
        const auto run = startRun(*m_client, orderOfProcess("wait"));
        QVERIFY(run);
        Follower follower(*m_client, *run);
        QVERIFY(commandRun(*m_client, *run, "evaluate"));  // the played one starts its process
        QVERIFY(follower.waitFor("worker"));
        QVERIFY(follower.workerPid() > 0);
        for (int i = 0; i <= RunHost::maximumRestarts; ++i) {
            QVERIFY(follower.waitFor("started", i));
            QVERIFY(isAlive(follower.workerPid()));
            QCOMPARE(::kill(static_cast<pid_t>(childOf("hearth-coordinator")), SIGKILL), 0);
        }
        QVERIFY(follower.waitForEnd());
        QTRY_VERIFY_WITH_TIMEOUT(!isAlive(follower.workerPid()), PlayedHome::patience);
    }

    void aCoordinatorThatDiesEveryTimeEndsTheRunWithItsError_data() {
        QTest::addColumn<QByteArray>("act");
        QTest::addColumn<int>("starts");
        QTest::addColumn<QByteArray>("word");
        QTest::newRow("after it took the run")
            << QByteArray("die") << RunHost::maximumRestarts << QByteArray("cannot go on");
        QTest::newRow("before it took the run again") << QByteArray("die-in-start") << 0 << QByteArray("coordinator");
        QTest::newRow("and refuses the run when started again")
            << QByteArray("refuse-again") << 0 << QByteArray("The job is not valid.");
        QTest::newRow("of its own will, which is not tried again")
            << QByteArray("give-up") << 0 << QByteArray("no space left");
    }
    void aCoordinatorThatDiesEveryTimeEndsTheRunWithItsError() {
        QFETCH(QByteArray, act);
        QFETCH(int, starts);
        QFETCH(QByteArray, word);
        const auto run = startRun(*m_client, playedOrder(act.constData()));
        QVERIFY(run);
        Follower follower(*m_client, *run);
        QVERIFY(follower.waitForEnd());
        QCOMPARE(follower.lines("started").size(), starts);
        QCOMPARE(follower.lines("error").size(), 1);
        QVERIFY2(follower.lines("error")[0].contains(word), follower.lines("error")[0].constData());
        QVERIFY(follower.lines().last().contains("\"state\":\"failed\""));
        const RunInfo info = m_home.run(*run);
        QCOMPARE(info.state, QStringLiteral("failed"));
        QCOMPARE(info.lastSeq, quint64(follower.lines().size()));
        QVERIFY(m_client->isOpen());  // the agent is alive
    }

    void aCommandGivenWhileTheCoordinatorIsAwayIsNotLost() {
        const auto run = startRun(*m_client, playedOrder("wait"));
        QVERIFY(run);
        Follower follower(*m_client, *run);
        QVERIFY(follower.waitFor("state"));
        const qint64 former = childOf("hearth-coordinator");
        QCOMPARE(::kill(static_cast<pid_t>(former), SIGKILL), 0);
        const auto isThereAgain = [&] {
            const qint64 pid = childOf("hearth-coordinator");
            return pid > 0 && pid != former;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isThereAgain(), PlayedHome::patience);  // and has hardly taken the run yet
        QVERIFY(commandRun(*m_client, *run, "stop"));
        QVERIFY(follower.waitForEnd());
        QCOMPARE(m_home.run(*run).state, QStringLiteral("stopped"));
    }

    void ofWhatADeviceRepeatsOnlyTheNewestWaitsForACoordinator() {
        const QTemporaryDir folder;
        RunHost host(QStringLiteral("run"), folder.path(), [] { return std::vector<DeviceInfo>(); });
        DeviceInfo flickering;
        flickering.id = QString(64, QLatin1Char('2'));
        flickering.state = DeviceState::Leaving;
        DeviceInfo other = flickering;
        other.id = QString(64, QLatin1Char('3'));
        const auto gone = [](const char *code) {
            return Error{QString::fromLatin1(code), QStringLiteral("It is gone."), {}, {}};
        };
        for (int i = 0; i < 100; ++i)
            host.tellDeviceChanged(flickering);
        host.tellDeviceChanged(other);
        host.tellExited(QStringLiteral("worker"), other.id, gone("first"));
        host.tellExited(QStringLiteral("worker"), other.id, gone("second"));
        host.tellExited(QStringLiteral("holder"), other.id, gone("third"));
        for (int i = 0; i < 2; ++i)
            host.command({{QStringLiteral("command"), QStringLiteral("leave")}});
        host.tellDeviceRemoved(other.id);
        RunStart start;
        start.request = {{QStringLiteral("job"), QCborMap{{QStringLiteral("act"), QStringLiteral("wait")}}}};
        host.start(start, this, [](const Result<QCborMap> &) {});
        QByteArray told;
        const auto hasToldAll = [&] {
            QFile events(eventsPath(folder.path()));
            told = events.open(QIODevice::ReadOnly) ? events.readAll() : QByteArray();
            return told.contains("\"removed\"") && told.endsWith('\n');
        };
        QTRY_VERIFY_WITH_TIMEOUT(hasToldAll(), PlayedHome::patience);
        QCOMPARE(told.count("\"leaving\""), 2);
        QCOMPARE(told.count("\"lost\""), 1);
        QVERIFY(told.contains("\"second\"") && told.contains("\"third\""));
        QCOMPARE(told.count("\"left\""), 2);
    }

    void anAgentThatEndsWhileACoordinatorIsAwayInterruptsTheRun() {
        const auto run = startRun(*m_client, playedOrder("die"));
        QVERIFY(run);
        QSignalSpy grew(&m_home.agent->runs(), &RunService::grew);
        QVERIFY(grew.wait(PlayedHome::patience));
        const QString folder = m_home.agent->runs().folder(*run);
        m_client.reset();
        m_home = {};
        const auto info = readRun(folder);
        QVERIFY(info);
        QVERIFY2(info->state == QLatin1String("interrupted"), qUtf8Printable(info->state));
    }

    void aRunThatWasStoppedGoesOnAsTheSameRun() {
        const QString run = stoppedRun();
        QVERIFY(m_home.run(run).resumable);
        const quint64 before = m_home.run(run).lastSeq;

        RunOrder order;
        order.resume = run;
        const auto resumed = startRun(*m_client, order);
        QVERIFY(resumed);
        QCOMPARE(*resumed, run);
        Follower follower(*m_client, run, before + 1);
        QVERIFY(follower.waitFor("state"));
        QVERIFY(follower.lines("started").value(0).contains("\"how\":\"resumed\""));
        QVERIFY(m_home.run(run).live);
        QCOMPARE(m_home.run(run).state, QStringLiteral("training"));
        QCOMPARE(m_home.run(run).model, QStringLiteral("m"));
        QCOMPARE(m_home.agent->runs().list().size(), std::size_t(1));

        const auto twice = startRun(*m_client, order);
        QVERIFY(!twice);
        QCOMPARE(twice.error().code, QStringLiteral("run.live"));

        // Its coordinator may die like any other.
        QCOMPARE(::kill(static_cast<pid_t>(childOf("hearth-coordinator")), SIGKILL), 0);
        QVERIFY(follower.waitFor("started", 2));
        QVERIFY(commandRun(*m_client, run, "stop"));
        QVERIFY(follower.waitForEnd());
        QCOMPARE(m_home.run(run).state, QStringLiteral("stopped"));
        QVERIFY(m_home.run(run).resumable);
        QCOMPARE(m_home.run(run).lastSeq, before + quint64(follower.lines().size()));
    }

    void whatCannotGoOnIsSaid_data() {
        QTest::addColumn<QString>("missing");
        QTest::addColumn<QString>("code");
        QTest::newRow("a run that nobody knows") << QStringLiteral("run") << QStringLiteral("run.unknown");
        QTest::newRow("one without its job") << QStringLiteral("job.json") << QStringLiteral("run.no-job");
        QTest::newRow("one without its model") << QStringLiteral("model.json") << QStringLiteral("run.no-job");
        QTest::newRow("one without a checkpoint")
            << QStringLiteral("checkpoints/7") << QStringLiteral("run.no-checkpoint");
        QTest::newRow("one with half a checkpoint") << QStringLiteral("whole") << QStringLiteral("run.no-checkpoint");
    }
    void whatCannotGoOnIsSaid() {
        QFETCH(QString, missing);
        QFETCH(QString, code);
        QString run = stoppedRun();
        const QDir folder(m_home.agent->runs().folder(run));
        if (missing == QLatin1String("run"))
            run = QStringLiteral("nobody");
        else if (missing == QLatin1String("whole"))
            QVERIFY(QDir().rename(folder.filePath(QStringLiteral("checkpoints/7")),
                                  folder.filePath(QStringLiteral("checkpoints/7.part"))));
        else
            QVERIFY(QFile::remove(folder.filePath(missing)) || QDir().rmdir(folder.filePath(missing)));
        RunOrder order;
        order.resume = run;
        const auto resumed = startRun(*m_client, order);
        QVERIFY(!resumed);
        QCOMPARE(resumed.error().code, code);
        QVERIFY(!resumed.error().advice.isEmpty());
        QVERIFY(!m_home.agent->runs().isLive(run));
    }

    void aRunWithoutItsCheckpointsKeepsItsWeightsAndDoesNotGoOn() {
        const auto live = startRun(*m_client, playedOrder("wait"));
        QVERIFY(live);
        QCOMPARE(dropCheckpoints(*live).error().code, QStringLiteral("run.live"));
        QVERIFY(commandRun(*m_client, *live, "stop"));
        QCOMPARE(dropCheckpoints(QStringLiteral("nobody")).error().code, QStringLiteral("run.unknown"));

        const QString run = stoppedRun();
        QCOMPARE(dropCheckpoints(run).error().code, QStringLiteral("run.no-weights"));
        QVERIFY(m_home.run(run).resumable);
        const QDir folder(m_home.agent->runs().folder(run));
        QFile weights(folder.filePath(QStringLiteral("weights.safetensors")));
        QVERIFY(weights.open(QIODevice::WriteOnly));
        QVERIFY(dropCheckpoints(run));
        QVERIFY(!m_home.run(run).resumable);
        QVERIFY(!folder.exists(QStringLiteral("checkpoints")));
        QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo::exists(spentCheckpointsPath(folder.path())), PlayedHome::patience);
        QVERIFY(weights.exists());
        RunOrder order;
        order.resume = run;
        const auto resumed = startRun(*m_client, order);
        QVERIFY(!resumed);
        QCOMPARE(resumed.error().code, QStringLiteral("run.no-checkpoint"));
    }

    void aRunWhoseFolderIsGoneIsUnknownUntilItComesBack() {
        const QString run = stoppedRun();
        QVERIFY(m_home.run(run).resumable);
        const QString folder = m_home.agent->runs().folder(run), away = m_folder->filePath(QStringLiteral("away"));
        QVERIFY(QDir().rename(folder, away));
        QVERIFY(m_home.agent->runs().list().empty());
        RunOrder order;
        order.resume = run;
        const auto resumed = startRun(*m_client, order);
        QVERIFY(!resumed);
        QCOMPARE(resumed.error().code, QStringLiteral("run.unknown"));
        const auto stopped = commandRun(*m_client, run, "stop");
        QVERIFY(!stopped);
        QCOMPARE(stopped.error().code, QStringLiteral("run.unknown"));
        QVERIFY(QDir().rename(away, folder));
        QVERIFY(m_home.run(run).resumable);
        QVERIFY(startRun(*m_client, order));
    }

    void aFinishedRunHasNothingToGoOnWith() {
        const auto run = startRun(*m_client, playedOrder("finish"));
        QVERIFY(run);
        Follower follower(*m_client, *run);
        QVERIFY(follower.waitForEnd());
        makeResumable(*run);
        RunOrder order;
        order.resume = *run;
        const auto resumed = startRun(*m_client, order);
        QVERIFY(!resumed);
        QCOMPARE(resumed.error().code, QStringLiteral("run.finished"));
    }

    void checkpointsOfAFinishedRunGoWhenTheAgentStarts() {
        const auto run = startRun(*m_client, playedOrder("finish"));
        QVERIFY(run);
        Follower follower(*m_client, *run);
        QVERIFY(follower.waitForEnd());
        makeResumable(*run);
        const QDir folder(m_home.agent->runs().folder(*run));
        QFile weights(folder.filePath(QStringLiteral("weights.safetensors")));
        QVERIFY(weights.open(QIODevice::WriteOnly));
        m_client.reset();
        m_home = {};
        m_home = PlayedHome::start(*m_folder, QStringLiteral("one"));
        QTRY_VERIFY_WITH_TIMEOUT(!folder.exists(QStringLiteral("checkpoints")), PlayedHome::patience);
        QVERIFY(weights.exists());
    }

    void leavingADeviceOutNamesItByItsId() {
        const auto run = startRun(*m_client, playedOrder("wait"));
        QVERIFY(run);
        Follower follower(*m_client, *run);
        const auto nobody =
            commandRun(*m_client, *run, "leave", {{QStringLiteral("device"), QStringLiteral("nobody")}});
        QVERIFY(!nobody);
        QCOMPARE(nobody.error().code, QStringLiteral("device.unknown"));
        QVERIFY(commandRun(*m_client, *run, "leave", {{QStringLiteral("device"), QStringLiteral("one")}}));
        QVERIFY(follower.waitFor("left"));
        QVERIFY(follower.lines("left")[0].contains(m_home.agent->fingerprint().toHex().toLatin1()));
    }

  private:
    static void processes() {
        QTest::addColumn<QString>("process");
        QTest::newRow("a worker") << QStringLiteral("worker");
        QTest::newRow("a data process") << QStringLiteral("holder");
    }
    /// Of the row's process, on this device.
    RunOrder orderOfProcess(const char *act) const {
        QFETCH(QString, process);
        RunOrder order = playedOrder(act, m_home.agent->fingerprint().toHex());
        order.job[QStringLiteral("process")] = process;
        return order;
    }

    QString stoppedRun() {
        const auto run = startRun(*m_client, playedOrder("wait"));
        if (!run)
            return {};
        makeResumable(*run);
        Follower follower(*m_client, *run);
        return commandRun(*m_client, *run, "stop") && follower.waitForEnd() ? *run : QString();
    }

    Result<QCborMap> dropCheckpoints(const QString &run) {
        std::optional<Result<QCborMap>> answer;
        QObject context;
        m_client->call(QStringLiteral("run.drop-checkpoints"), {{QStringLiteral("id"), run}}, Rpc::shortDeadline,
                       &context, [&](const auto &r) { answer = r; });
        if (!QTest::qWaitFor([&] { return answer.has_value(); }, PlayedHome::patience))
            return fail(QStringLiteral("test.no-answer"), QStringLiteral("The call was not answered."));
        return *answer;
    }

    void makeResumable(const QString &run) {
        const QDir folder(m_home.agent->runs().folder(run));
        QVERIFY(folder.mkpath(QStringLiteral("checkpoints/7")));
        for (const char *name : {"job.json", "model.json"}) {
            QFile file(folder.filePath(QLatin1String(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            QCOMPARE(file.write("{}"), qint64(2));
        }
    }

    /// The process that this one started under this name and that serves no data; 0 where there is none.
    static qint64 childOf(const char *name) {
        for (const QString &entry : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
            QFile status(QStringLiteral("/proc/%1/stat").arg(entry));
            if (!status.open(QIODevice::ReadOnly))
                continue;
            const QByteArray line = status.readAll();
            const qsizetype close = line.lastIndexOf(')');
            const QByteArrayList fields = line.mid(close + 2).split(' ');
            // The kernel keeps 15 characters of a name.
            if (line.mid(line.indexOf('(') + 1, close - line.indexOf('(') - 1) == QByteArray(name).left(15) &&
                fields.value(1).toLongLong() == QCoreApplication::applicationPid() && fields.value(0) != "Z" &&
                !servesData(entry))
                return entry.toLongLong();
        }
        return 0;
    }

    static bool servesData(const QString &pid) {
        QFile file(QStringLiteral("/proc/%1/cmdline").arg(pid));
        return file.open(QIODevice::ReadOnly) && file.readAll().split('\0').contains("--serve");
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    PlayedHome m_home;
    std::unique_ptr<AgentClient> m_client;
};

QTEST_GUILESS_MAIN(RunRestartTest)
#include "run_restart_test.moc"
