// The programs as a person starts them: `hearth demo` and `hearth train`, their ends by Ctrl-C and by force, and what
// they leave behind, which is nothing.
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>
#include <chrono>
#include <csignal>
#include <memory>

#include "tests/integration/demo_plan.h"
#include "tests/integration/program.h"

class ProgramsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        m_temporary = std::make_unique<QTemporaryDir>();
        m_kept = std::make_unique<QTemporaryDir>();
    }

    void aDemoTrainsAndLeavesNothing_data() {
        QTest::addColumn<bool>("plans");
        QTest::newRow("by a plan of what it measured") << true;
        QTest::newRow("by a plan that it was given") << false;
    }

    void aDemoTrainsAndLeavesNothing() {
        QFETCH(bool, plans);
        const QString weights = m_kept->filePath(QStringLiteral("weights.safetensors"));
        for (hearth::Tries tries;;) {
            hearth::Standstill machine;
            Program demo(*m_temporary);
            QStringList words{QStringLiteral("demo"),
                              QStringLiteral("--headless"),
                              QStringLiteral("--json"),
                              QStringLiteral("--rounds"),
                              QStringLiteral("5"),
                              QStringLiteral("--save"),
                              weights};
            if (!plans)
                words << QStringLiteral("--plan") << chain();
            demo.start("hearth", words);
            QCOMPARE(demo.finish(), 0);
            const QString lost = demo.lossesBeside({});
            if (hearth::machineExcuses(lost, machine, tries))
                continue;
            QVERIFY2(lost.isEmpty(), qPrintable(lost));
            const auto events = demo.events();
            for (qsizetype i = 0; i < events.size(); ++i)
                QCOMPARE(events[i][QLatin1String("seq")].toInteger(), i + 1);
            QCOMPARE(events.first()[QLatin1String("event")].toString(), QStringLiteral("run"));
            checkDevices(demo, plans);
            QCOMPARE(demo.events("round").size(), 5);
            QCOMPARE(demo.events("finished").size(), 1);
            QVERIFY(QFile::exists(weights));
            QTRY_VERIFY_WITH_TIMEOUT(nothingIsLeft(*m_temporary), slow);
            return;
        }
    }

    void aDemoEndsWithItsApp_data() {
        QTest::addColumn<int>("number");
        QTest::newRow("by Ctrl-C") << SIGINT;
        QTest::newRow("by a polite end") << SIGTERM;
        QTest::newRow("by force") << SIGKILL;
    }

    void aDemoEndsWithItsApp() {
        QFETCH(int, number);
        Program demo(*m_temporary);
        startEndlessDemo(demo);
        QVERIFY2(demo.waitFor("round", 2), qPrintable(demo.errors()));
        // App, 3 agents, a coordinator, 3 workers. In place of one that was lost another one is started.
        QTRY_VERIFY_WITH_TIMEOUT(processesOf(*m_temporary).size() >= 8, slow);
        QElapsedTimer timer;
        timer.start();
        demo.signal(number);
        QTRY_VERIFY_WITH_TIMEOUT(nothingIsLeft(*m_temporary), slow);
        qInfo("Nothing was left after %lld ms.", timer.elapsed());
        demo.finish();
    }

    void aDemoThatIsInterruptedWhileItStartsLeavesNothing() {
        Program demo(*m_temporary);
        startEndlessDemo(demo);
        QTRY_VERIFY_WITH_TIMEOUT(processesOf(*m_temporary).size() >= 2, slow);
        demo.signal(SIGINT);
        QCOMPARE(demo.finish(), 130);
        QTRY_VERIFY_WITH_TIMEOUT(nothingIsLeft(*m_temporary), slow);
    }

    void aWorkerThatIsKilledEndsNothing() {
        // For so long a run waits for the agent to say why a worker has ended.
        constexpr std::chrono::milliseconds exitReason{150};
        hearth::Tries tries;
        for (bool again = true; again;) {
            hearth::Standstill machine;
            Program demo(*m_temporary);
            startEndlessDemo(demo);
            QVERIFY2(demo.waitFor("round", 2), qPrintable(demo.errors()));
            // One that computes: without a device that rests, a run goes on and has nothing to recover.
            const QJsonArray stages =
                demo.events("plan").first()[QLatin1String("plan")][QLatin1String("stages")].toArray();
            const QString victim = stages.last()[QLatin1String("shares")].toObject().keys().last();
            qint64 worker = 0;
            for (const QJsonObject &each : demo.events("worker")) {
                if (each[QLatin1String("id")] == victim)
                    worker = each[QLatin1String("worker_pid")].toInteger();
            }
            QVERIFY(worker > 0 && demo.events("worker").size() >= 2);
            QSet<qint64> agents;
            for (const QJsonObject &device : demo.events("device"))
                agents << device[QLatin1String("agent_pid")].toInteger();
            ::kill(static_cast<pid_t>(worker), SIGKILL);
            QVERIFY2(demo.waitFor("recovered", 1), qPrintable(demo.errors()));
            QVERIFY2(demo.waitFor("joined", 1), qPrintable(demo.errors()));
            again = hearth::machineExcuses(demo.lossesBeside({victim}), machine, tries);
            if (!again) {
                QVERIFY2(demo.idsOf("lost") == QStringList{victim}, qPrintable(demo.errors()));
                const QString told = demo.events("lost").first()[QLatin1String("cause")].toString() + demo.errors();
                const bool isSaid = told.contains(QStringLiteral("killed"));
                again = !isSaid && machine.excuses(exitReason, tries);
                QVERIFY2(isSaid || again, qPrintable(told));
                QVERIFY(agents.size() >= 3);
                QVERIFY2(!demo.errors().contains(QStringLiteral("The agent of")), qPrintable(demo.errors()));
                QVERIFY(demo.events("error").isEmpty());
            }
            demo.signal(SIGINT);
            demo.finish();
            QTRY_VERIFY_WITH_TIMEOUT(nothingIsLeft(*m_temporary), slow);
        }
    }

    void aRunOutlivesTheTerminal() {
        const QString state = m_kept->filePath(QStringLiteral("state"));
        Program agent(*m_temporary);
        startAgent(agent, state, {});
        Program train(*m_temporary);
        train.start("hearth", {QStringLiteral("train"), endlessJob(), QStringLiteral("--state"), state,
                               QStringLiteral("--json")});
        QVERIFY2(train.waitFor("round", 2), qPrintable(train.errors()));
        train.signal(SIGINT);
        QCOMPARE(train.finish(), 0);
        QVERIFY(train.errors().contains(QStringLiteral("hearth attach")));
        QVERIFY2(train.errors().contains(QStringLiteral(" --state '%1'").arg(state)), qPrintable(train.errors()));

        const auto runs = ask(state, {QStringLiteral("runs")})[QLatin1String("runs")].toArray();
        QCOMPARE(runs.size(), 1);
        QVERIFY(runs[0].toObject()[QLatin1String("live")].toBool());
        const QString run = runs[0].toObject()[QLatin1String("id")].toString();

        Program attached(*m_temporary);
        attached.start("hearth", {QStringLiteral("attach"), run, QStringLiteral("--state"), state,
                                  QStringLiteral("--json"), QStringLiteral("--from"), QStringLiteral("3")});
        QVERIFY(attached.waitFor("round", 4));
        QCOMPARE(attached.events().first()[QLatin1String("seq")].toInt(), 3);
        ask(state, {QStringLiteral("stop"), run});
        QCOMPARE(attached.finish(), 0);
        QCOMPARE(attached.events().last()[QLatin1String("state")].toString(), QStringLiteral("stopped"));
        QVERIFY(QFile::exists(state + QStringLiteral("/runs/%1/weights.safetensors").arg(run)));

        Program evaluated(*m_temporary);
        evaluated.start("hearth",
                        {QStringLiteral("evaluate"), run, QStringLiteral("--state"), state, QStringLiteral("--json")});
        QVERIFY2(evaluated.waitFor("evaluation", 1), qPrintable(evaluated.errors()));
        QCOMPARE(evaluated.finish(), 0);
        QCOMPARE(evaluated.events().first()[QLatin1String("only")].toString(), QStringLiteral("evaluate"));
        QVERIFY(evaluated.events("round").isEmpty());
        QVERIFY(evaluated.events("evaluation").last()[QLatin1String("accuracy")].toDouble() > 0);
        Program best(*m_temporary);
        best.start("hearth",
                   {QStringLiteral("evaluate"), run, QStringLiteral("--best"), QStringLiteral("--state"), state});
        QCOMPARE(best.finish(), 1);
        QVERIFY2(best.errors().contains(QStringLiteral("kept no best weights")), qPrintable(best.errors()));
        agent.signal(SIGTERM);
        QCOMPARE(agent.finish(), 0);
        QTRY_VERIFY_WITH_TIMEOUT(processesOf(*m_temporary).isEmpty(), slow);
    }

    void aPlanTellsTheWholeJob() {
        const QString state = m_kept->filePath(QStringLiteral("state"));
        Program agent(*m_temporary);
        startAgent(agent, state, {});
        const QString job = m_kept->filePath(QStringLiteral("passes.json"));
        QFile file(job);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"format":"hearth-job/1","batch":16,"epochs":2,"evaluate_every":1000})");
        file.close();
        const QJsonObject whole =
            ask(state, {QStringLiteral("plan"), QStringLiteral("--job"), job})[QLatin1String("whole_job")].toObject();
        QCOMPARE(whole[QLatin1String("rounds")].toInteger(), 7500);  // 60,000 samples twice
        QCOMPARE(whole[QLatin1String("evaluations")].toInteger(), 8);
        for (const char *number : {"time_s", "energy_j"}) {
            const QJsonObject bounds = whole[QLatin1String(number)].toObject();
            const double least = bounds[QLatin1String("least")].toDouble();
            const double likely = bounds[QLatin1String("likely")].toDouble();
            QVERIFY2(least > 0 && least < likely && likely < bounds[QLatin1String("most")].toDouble(), number);
        }
        const QDir runs(state + QStringLiteral("/runs"));
        const QStringList ids = runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        QCOMPARE(ids.size(), 1);
        QFile problem(runs.filePath(ids.front() + QStringLiteral("/problem-1.json")));
        QVERIFY(problem.open(QIODevice::ReadOnly));
        const QJsonArray planned = QJsonDocument::fromJson(problem.readAll())[QLatin1String("devices")].toArray();
        QCOMPARE(whole[QLatin1String("memory")][QLatin1String("limit_bytes")].toInteger(),
                 planned.at(0)[QLatin1String("memory_bytes")].toInteger(-1));
        Program plan(*m_temporary);
        plan.start("hearth", {QStringLiteral("plan"), QStringLiteral("--job"), job, QStringLiteral("--state"), state});
        QCOMPARE(plan.finish(), 0);
        for (const char *words : {"Whole job (rounds: 7,500; evaluations: 8):", "  Time: about ", "  Sent: nothing",
                                  "  Energy: about ", " is the fullest: "})
            QVERIFY2(plan.output().contains(QLatin1String(words)), qPrintable(plan.output()));
        agent.signal(SIGTERM);
        QCOMPARE(agent.finish(), 0);
    }

    void tooLittleMemoryIsSaidBeforeTheStart() {
        const QString state = m_kept->filePath(QStringLiteral("state"));
        Program agent(*m_temporary);
        startAgent(agent, state, {QStringLiteral("--memory"), QStringLiteral("1000000")});
        Program train(*m_temporary);
        train.start("hearth", {QStringLiteral("train"), endlessJob(), QStringLiteral("--state"), state,
                               QStringLiteral("--json")});
        QCOMPARE(train.finish(), 1);
        QVERIFY2(train.errors().contains(QStringLiteral("memory"), Qt::CaseInsensitive), qPrintable(train.errors()));
        QVERIFY(train.events("round").isEmpty());
    }

    void aTakenPortIsSaid() {
        QTcpServer other;
        QVERIFY(other.listen(QHostAddress::LocalHost, 0));
        Program agent(*m_temporary);
        agent.start("hearth-agent",
                    {QStringLiteral("--state"), m_kept->filePath(QStringLiteral("state")), QStringLiteral("--listen"),
                     QStringLiteral("127.0.0.1:%1").arg(other.serverPort())});
        QCOMPARE(agent.finish(), 1);
        QVERIFY(agent.errors().contains(QString::number(other.serverPort())));
        QVERIFY(agent.errors().contains(QStringLiteral("--listen")));
    }

  private:
    static void startEndlessDemo(Program &demo) {
        demo.start("hearth", {QStringLiteral("demo"), QStringLiteral("--headless"), QStringLiteral("--json"),
                              QStringLiteral("--rounds"), QStringLiteral("1000000")});
    }

    void startAgent(Program &agent, const QString &state, const QStringList &more) {
        agent.start("hearth-agent",
                    QStringList{QStringLiteral("--state"), state, QStringLiteral("--listen"),
                                QStringLiteral("127.0.0.1:0"), QStringLiteral("--threads"), QStringLiteral("1")} +
                        more);
        QTRY_VERIFY_WITH_TIMEOUT(!agent.events().isEmpty(), slow);
    }

    QString endlessJob() {
        const QString path = m_kept->filePath(QStringLiteral("job.json"));
        QFile file(path);
        if (file.open(QIODevice::WriteOnly))
            file.write("{\"format\":\"hearth-job/1\",\"batch\":16,\"rounds\":1000000,\"evaluate_every\":0}");
        return path;
    }

    QString chain() {
        const QString path = m_kept->filePath(QStringLiteral("plan.json"));
        QFile file(path);
        if (file.open(QIODevice::WriteOnly))
            file.write(QJsonDocument(chainOfThree()).toJson());
        return path;
    }

    /// Those with layers train. A plan of measured times may let devices rest, which busy processors decide; of some it
    /// says by how much their work would change the time of a round.
    static void checkDevices(Program &demo, bool mayRest) {
        const auto ids = demo.idsOf("device");
        const QSet<QString> home(ids.begin(), ids.end());
        QCOMPARE(home.size(), 3);
        const QJsonObject plan = demo.events("plan").value(0);
        const QSet<QString> used = usedBy(plan);
        const QJsonObject resting = plan[QLatin1String("resting")].toObject();
        QVERIFY(!used.isEmpty() && home.contains(used));
        QVERIFY(mayRest || (used == home && resting.isEmpty()));
        for (auto device = resting.begin(); device != resting.end(); ++device) {
            QVERIFY(home.contains(device.key()) && !used.contains(device.key()));
            QVERIFY(device.value().isDouble());
        }
        for (const QJsonObject &round : demo.events("round")) {
            const QStringList trained = round[QLatin1String("devices")].toObject().keys();
            QCOMPARE(QSet<QString>(trained.begin(), trained.end()), used);
        }
    }

    QJsonObject ask(const QString &state, const QStringList &words) {
        Program command(*m_temporary);
        command.start("hearth", words + QStringList{QStringLiteral("--state"), state, QStringLiteral("--json")});
        if (command.finish() != 0)
            qWarning("%s", qPrintable(command.errors()));
        return command.events().value(0);
    }

    std::unique_ptr<QTemporaryDir> m_temporary;  // must be empty at the end
    std::unique_ptr<QTemporaryDir> m_kept;
};

QTEST_GUILESS_MAIN(ProgramsTest)
#include "programs_test.moc"
