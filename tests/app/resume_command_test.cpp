// `hearth train --resume`, `runs`, also with `--delete`, and `attach` with an agent of this process, whose coordinators
// are played.
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QScopeGuard>
#include <csignal>

#include "core/base/terminal.h"
#include "core/run/files/event_file.h"
#include "tests/core/agent/played_home.h"

using namespace hearth;

class ResumeCommandTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() {
        m_hearth = qEnvironmentVariable("HEARTH_BIN_DIR") + QStringLiteral("/hearth");
        QVERIFY(QFile::exists(m_hearth));
        qputenv("HEARTH_BIN_DIR", HEARTH_FAKE_BIN_DIR);
    }

    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_home = PlayedHome::start(*m_folder, QStringLiteral("one"));
        AgentClient client;
        QVERIFY(m_home.connectTo(client));
        const auto run = startRun(client, playedOrder("wait"));
        QVERIFY(run);
        m_run = *run;
        const QDir folder(m_home.agent->runs().folder(m_run));
        QVERIFY(folder.mkpath(QStringLiteral("checkpoints/0000000007")));
        for (const char *name : {"job.json", "model.json"}) {
            QFile file(folder.filePath(QLatin1String(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            QCOMPARE(file.write("{}"), qint64(2));
        }
        const Follower follower(client, m_run);
        QVERIFY(commandRun(client, m_run, "stop"));
        QVERIFY(follower.waitForEnd());
    }

    void cleanup() { m_home = {}; }

    void aStoppedRunGoesOnAndShowsWhatIsNew() {
        const auto before = m_home.run(m_run).lastSeq;
        const QString name = QStringLiteral("the first");
        QCOMPARE(finish({QStringLiteral("label"), m_run, QStringLiteral("--name"), name}), 0);
        QProcess train;
        start(train, {QStringLiteral("train"), QStringLiteral("--resume"), name, QStringLiteral("--json")});
        QByteArray output;
        QTRY_VERIFY_WITH_TIMEOUT((output += train.readAllStandardOutput()).contains("\"training\""),
                                 PlayedHome::patience);
        QCOMPARE(finish({QStringLiteral("stop"), m_run}), 0);
        QVERIFY(waitForEnd(train));
        output += train.readAllStandardOutput();
        QCOMPARE(train.exitCode(), 0);
        const QList<qint64> shown = seqsOf(output);
        QVERIFY(shown.size() >= 3);
        for (qsizetype i = 0; i < shown.size(); ++i)
            QCOMPARE(shown[i], static_cast<qint64>(before) + 1 + i);

        // It is one run, from its first event to its second end.
        QProcess attach;
        start(attach, {QStringLiteral("attach"), name, QStringLiteral("--json")});
        QVERIFY(waitForEnd(attach));
        QCOMPARE(attach.exitCode(), 0);
        const QList<qint64> all = seqsOf(attach.readAllStandardOutput());
        QCOMPARE(all.size(), static_cast<qsizetype>(before) + shown.size());
        QCOMPARE(all.first(), qint64(1));
        QCOMPARE(all.last(), shown.last());
    }

    void whoDoesNotWaitForTheDataIsToldHowToStopTheRun_data() {
        QTest::addColumn<QString>("command");
        QTest::newRow("one that goes on") << QStringLiteral("train --resume RUN");
        QTest::newRow("a new one") << QStringLiteral("profile");
    }
    void whoDoesNotWaitForTheDataIsToldHowToStopTheRun() {
        QFETCH(QString, command);
        qputenv("HEARTH_FAKE_READS", "1");
        const auto back = qScopeGuard([] { qunsetenv("HEARTH_FAKE_READS"); });
        QProcess process;
        start(process, command.replace(QStringLiteral("RUN"), m_run).split(QLatin1Char(' ')));
        QTRY_VERIFY_WITH_TIMEOUT(!liveRun().isEmpty(), PlayedHome::patience);
        const QString run = liveRun();
        QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
        QVERIFY(waitForEnd(process));
        const QString errors = QString::fromUtf8(process.readAllStandardError());
        QVERIFY2(errors.contains(QStringLiteral("Stop it with: hearth stop ") + run), qPrintable(errors));
        QCOMPARE(liveRun(), run);
        QCOMPARE(finish({QStringLiteral("stop"), run}), 0);
        QTRY_VERIFY_WITH_TIMEOUT(liveRun().isEmpty(), PlayedHome::patience);
    }

    void theListSaysWhatCanGoOn() {
        QProcess runs;
        start(runs, {QStringLiteral("runs")});
        QVERIFY(waitForEnd(runs));
        const QByteArray table = runs.readAllStandardOutput();
        QVERIFY2(table.contains("yes"), table.constData());
        QVERIFY2(table.contains("hearth train --resume RUN"), table.constData());

        QProcess json;
        start(json, {QStringLiteral("runs"), QStringLiteral("--json")});
        QVERIFY(waitForEnd(json));
        const QJsonArray list = QJsonDocument::fromJson(json.readAllStandardOutput())[QLatin1String("runs")].toArray();
        QCOMPARE(list.size(), 1);
        QCOMPARE(list[0].toObject()[QLatin1String("resumable")].toBool(), true);
    }

    void whatARunFileSaysSteersNoTerminal() {
        // Another device's worker has written it, or somebody who could write the file.
        const QString bad = QStringLiteral("torch\x1b]0;mine\x07\nhearth: all is well \u202e\u009b2J");
        QFile file(eventsPath(m_home.agent->runs().folder(m_run)));
        QVERIFY(file.open(QIODevice::Append));
        const auto before = m_home.run(m_run).lastSeq;
        const QJsonObject warning{{QStringLiteral("seq"), static_cast<qint64>(before) + 1},
                                  {QStringLiteral("t"), 1},
                                  {QStringLiteral("event"), QStringLiteral("warning")},
                                  {QStringLiteral("what"), bad},
                                  {QStringLiteral("cause"), bad},
                                  {QStringLiteral("advice"), bad}};
        QVERIFY(file.write(QJsonDocument(warning).toJson(QJsonDocument::Compact) + '\n') > 0);
        QVERIFY(file.write("\x1b[2J no JSON\n") > 0);
        file.close();
        for (const QStringList &words : {QStringList{QStringLiteral("attach"), m_run},
                                         {QStringLiteral("attach"), m_run, QStringLiteral("--json")},
                                         {QStringLiteral("runs")},
                                         {QStringLiteral("stop"), bad},
                                         {QStringLiteral("runs"), QStringLiteral("--json")}}) {
            QProcess process;
            start(process, words);
            QVERIFY(waitForEnd(process));
            const QByteArray output = process.readAllStandardOutput() + process.readAllStandardError();
            QVERIFY(!output.isEmpty());
            for (const QByteArray &line : output.trimmed().split('\n')) {
                const QString text = QString::fromUtf8(line);
                QCOMPARE(terminalText(text), text);
                QVERIFY2(!text.startsWith(QLatin1String("hearth: all is well")), qPrintable(text));
            }
        }
    }

    void aRunIsDeletedForGood() {
        const QString folder = m_home.agent->runs().folder(m_run), name = QStringLiteral("the first");
        QCOMPARE(finish({QStringLiteral("label"), m_run, QStringLiteral("--name"), name}), 0);
        QProcess runs;
        // By either of its names it is one run.
        start(runs, {QStringLiteral("runs"), QStringLiteral("--delete"), name, m_run, QStringLiteral("--yes"),
                     QStringLiteral("--json")});
        QVERIFY(waitForEnd(runs));
        QVERIFY2(runs.exitCode() == 0, runs.readAllStandardError().constData());
        const QJsonDocument told = QJsonDocument::fromJson(runs.readAllStandardOutput());
        QCOMPARE(told[QLatin1String("runs")].toArray(), QJsonArray{m_run});
        QVERIFY(told[QLatin1String("bytes")].toInteger() > 0);
        QVERIFY(!QFileInfo::exists(folder));
        const QDir deleted(m_home.agent->stateDir() + QStringLiteral("/deleted-runs"));
        QVERIFY(deleted.entryList(QDir::AllEntries | QDir::NoDotAndDotDot).isEmpty());
        QVERIFY(m_home.agent->runs().list().empty());
    }

    void aRunUnderWayIsNotDeletedNorThoseBesideIt() {
        AgentClient client;
        QVERIFY(m_home.connectTo(client));
        const auto live = startRun(client, playedOrder("wait"));
        QVERIFY(live);
        QProcess runs;
        start(runs, {QStringLiteral("runs"), QStringLiteral("--delete"), m_run, *live, QStringLiteral("--yes")});
        QVERIFY(waitForEnd(runs));
        QCOMPARE(runs.exitCode(), 1);
        const QString errors = QString::fromUtf8(runs.readAllStandardError());
        QVERIFY2(errors.contains(*live + QStringLiteral(" is under way")), qPrintable(errors));
        QCOMPARE(m_home.agent->runs().list().size(), std::size_t{2});
    }

    void whatIsNotMeantDeletesNothing_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("says");
        const QString deletes = QStringLiteral("--delete"), yes = QStringLiteral("--yes"), run = QStringLiteral("RUN");
        QTest::newRow("nobody is there to agree") << QStringList{deletes, run} << 1 << yes;
        QTest::newRow("one of them is not known")
            << QStringList{deletes, run, QStringLiteral("nobody"), yes} << 1 << QStringLiteral("nobody");
        QTest::newRow("no run is named") << QStringList{deletes, yes} << 2 << deletes;
        QTest::newRow("runs to be listed") << QStringList{run} << 2 << deletes;
        QTest::newRow("agreed to nothing") << QStringList{yes} << 2 << deletes;
        QTest::newRow("those with a tag")
            << QStringList{deletes, run, QStringLiteral("--tag"), QStringLiteral("a")} << 2 << QStringLiteral("tags");
    }
    void whatIsNotMeantDeletesNothing() {
        QFETCH(QStringList, words);
        QFETCH(int, status);
        QFETCH(QString, says);
        QVERIFY(refuses(QStringLiteral("runs"), words, status, says));
        QVERIFY(QFileInfo::exists(eventsPath(m_home.agent->runs().folder(m_run))));
    }

    void whatDoesNotGoTogetherIsSaid_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("says");
        const QString resume = QStringLiteral("--resume"), run = QStringLiteral("RUN");
        QTest::newRow("another job") << QStringList{QStringLiteral("job.json"), resume, run} << 2
                                     << QStringLiteral("job.json");
        QTest::newRow("other weights") << QStringList{resume, run, QStringLiteral("--weights"), QStringLiteral("w")}
                                       << 2 << QStringLiteral("--weights");
        QTest::newRow("another patience") << QStringList{resume, run, QStringLiteral("--patience"), QStringLiteral("3")}
                                          << 2 << QStringLiteral("--patience");
        QTest::newRow("no name") << QStringList{QStringLiteral("--resume=")} << 2
                                 << QStringLiteral("--resume is empty");
        QTest::newRow("a run that nobody knows")
            << QStringList{resume, QStringLiteral("nobody")} << 1 << QStringLiteral("nobody");
    }

    void whatDoesNotGoTogetherIsSaid() {
        QFETCH(QStringList, words);
        QFETCH(int, status);
        QFETCH(QString, says);
        QVERIFY(refuses(QStringLiteral("train"), words, status, says));
        QVERIFY(!m_home.agent->runs().isLive(m_run));
    }

  private:
    /// Empty: there is none.
    QString liveRun() const {
        for (const RunInfo &run : m_home.agent->runs().list()) {
            if (run.live)
                return run.id;
        }
        return {};
    }
    /// "RUN" among the words is the run of this test.
    bool refuses(const QString &command, QStringList words, int status, const QString &says) {
        words.replaceInStrings(QStringLiteral("RUN"), m_run);
        QProcess process;
        start(process, QStringList{command} + words);
        const bool hasEnded = waitForEnd(process);
        const QString errors = QString::fromUtf8(process.readAllStandardError());
        if (hasEnded && process.exitCode() == status && errors.contains(says))
            return true;
        qWarning("status %d: %s", process.exitCode(), qPrintable(errors));
        return false;
    }

    void start(QProcess &process, const QStringList &words) const {
        process.start(m_hearth, words + QStringList{QStringLiteral("--state"), m_home.agent->stateDir()});
    }
    /// The agent it speaks to is in this process, so the event loop runs on.
    static bool waitForEnd(QProcess &process) {
        return QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, PlayedHome::patience);
    }
    int finish(const QStringList &words) const {
        QProcess process;
        start(process, words);
        return waitForEnd(process) ? process.exitCode() : -1;
    }
    static QList<qint64> seqsOf(const QByteArray &output) {
        QList<qint64> seqs;
        for (const QByteArray &line : output.trimmed().split('\n'))
            seqs << QJsonDocument::fromJson(line)[QLatin1String("seq")].toInteger();
        return seqs;
    }

    QString m_hearth;
    std::unique_ptr<QTemporaryDir> m_folder;
    PlayedHome m_home;
    QString m_run;
};

QTEST_GUILESS_MAIN(ResumeCommandTest)
#include "resume_command_test.moc"
