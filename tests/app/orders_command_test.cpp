// `hearth leave`, `save`, `apply`, … with an agent of this process, whose coordinators are played.
#include <QDir>
#include <QJsonDocument>
#include <QProcess>

#include "core/run/files/run_folder.h"
#include "tests/core/agent/played_home.h"

using namespace hearth;

class OrdersCommandTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup() { m_home = {}; }
    void aDeviceLeavesByName();
    void weightsGoToAPathThatTheCoordinatorKnows();
    void weightsThatARunHasSavedAreCopied_data();
    void weightsThatARunHasSavedAreCopied();
    void anEndedRunWithoutWeightsSaysSo();
    void aPlanIsHandedOver();
    void theOrderIsToldInJson();
    void aRunIsToldByItsName();
    void aPausedRunWritesNoCheckpoint();
    void aRunIsPausedAtTheEndOfARoundOrBeforeItBegins_data();
    void aRunIsPausedAtTheEndOfARoundOrBeforeItBegins();
    void whatCannotBeIsSaid_data();
    void whatCannotBeIsSaid();

  private:
    struct Told {
        int status = -1;
        QString output, errors;
    };
    Told tell(const QStringList &words) const;
    QString fileOf(const char *name, const QByteArray &content) const;

    QString m_hearth;
    std::unique_ptr<QTemporaryDir> m_folder;
    PlayedHome m_home;
    std::unique_ptr<AgentClient> m_client;
    QString m_run;
};

void OrdersCommandTest::initTestCase() {
    m_hearth = qEnvironmentVariable("HEARTH_BIN_DIR") + QStringLiteral("/hearth");
    QVERIFY(QFile::exists(m_hearth));
    qputenv("HEARTH_BIN_DIR", HEARTH_FAKE_BIN_DIR);
}

void OrdersCommandTest::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    m_home = PlayedHome::start(*m_folder, QStringLiteral("one"));
    m_client = std::make_unique<AgentClient>();
    QVERIFY(m_home.connectTo(*m_client));
    const auto run = startRun(*m_client, playedOrder("wait"));
    QVERIFY(run);
    m_run = *run;
}

OrdersCommandTest::Told OrdersCommandTest::tell(const QStringList &words) const {
    QProcess process;
    process.setWorkingDirectory(m_folder->path());
    process.start(m_hearth, words + QStringList{QStringLiteral("--state"), m_home.agent->stateDir()});
    // The agent it speaks to is in this process, so the event loop runs on.
    if (!QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, PlayedHome::patience))
        return {};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

QString OrdersCommandTest::fileOf(const char *name, const QByteArray &content) const {
    const QString path = m_folder->filePath(QString::fromLatin1(name));
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(content) == content.size() ? path : QString();
}

void OrdersCommandTest::aDeviceLeavesByName() {
    const Follower follower(*m_client, m_run);
    const Told told = tell({QStringLiteral("leave"), m_run, QStringLiteral("one")});
    QCOMPARE(told.status, 0);
    QVERIFY2(told.output.contains(QLatin1String("one leaves")), qPrintable(told.output));
    QVERIFY(follower.waitFor("left"));
    QVERIFY(follower.lines("left")[0].contains(m_home.agent->devices().front().id.toUtf8()));
}

void OrdersCommandTest::weightsGoToAPathThatTheCoordinatorKnows() {
    const Follower follower(*m_client, m_run);
    QCOMPARE(tell({QStringLiteral("save"), m_run, QStringLiteral("here.safetensors")}).status, 0);
    QVERIFY(follower.waitFor("warning"));
    const QByteArray path = QDir(m_folder->path()).filePath(QStringLiteral("here.safetensors")).toUtf8();
    QVERIFY2(follower.lines("warning")[0].contains('"' + path + '"'), follower.lines("warning")[0].constData());
}

void OrdersCommandTest::weightsThatARunHasSavedAreCopied_data() {
    QTest::addColumn<QByteArray>("act");
    QTest::addColumn<QString>("option");
    QTest::addColumn<QByteArray>("copied");
    QTest::newRow("the last ones of one that has ended") << QByteArray("finish") << QString() << QByteArray("last");
    QTest::newRow("its best ones") << QByteArray("finish") << QStringLiteral("--best") << QByteArray("best");
    QTest::newRow("the best ones so far of one under way")
        << QByteArray("wait") << QStringLiteral("--best") << QByteArray("best");
}

void OrdersCommandTest::weightsThatARunHasSavedAreCopied() {
    QFETCH(QByteArray, act);
    QFETCH(QString, option);
    QFETCH(QByteArray, copied);
    const auto run = startRun(*m_client, playedOrder(act.constData()));
    QVERIFY(run);
    QTRY_COMPARE_WITH_TIMEOUT(m_home.agent->runs().isLive(*run), act == "wait", PlayedHome::patience);
    const QString folder = m_home.agent->runs().folder(*run);
    for (const auto &[which, content] : {std::pair(RunWeights::Last, "last"), std::pair(RunWeights::Best, "best")}) {
        QFile file(weightsPath(folder, which));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) > 0);
    }
    QStringList words{QStringLiteral("save"), *run, QStringLiteral("copy.safetensors")};
    if (!option.isEmpty())
        words << option;
    const Told told = tell(words);
    QVERIFY2(told.status == 0, qPrintable(told.errors));
    QFile copy(m_folder->filePath(QStringLiteral("copy.safetensors")));
    QVERIFY2(told.output.contains(QStringLiteral("The weights are in ") + copy.fileName()), qPrintable(told.output));
    QVERIFY(copy.open(QIODevice::ReadOnly));
    QCOMPARE(copy.readAll(), copied);
}

void OrdersCommandTest::anEndedRunWithoutWeightsSaysSo() {
    const auto run = startRun(*m_client, playedOrder("finish"));
    QVERIFY(run);
    QTRY_VERIFY_WITH_TIMEOUT(!m_home.agent->runs().isLive(*run), PlayedHome::patience);
    const Told told = tell({QStringLiteral("save"), *run, QStringLiteral("copy.safetensors")});
    QCOMPARE(told.status, 1);
    QVERIFY2(told.errors.contains(QLatin1String("The run has no weights yet.")), qPrintable(told.errors));
    QVERIFY(!QFile::exists(m_folder->filePath(QStringLiteral("copy.safetensors"))));
}

void OrdersCommandTest::aPlanIsHandedOver() {
    const Follower follower(*m_client, m_run);
    const QString plan = fileOf("plan.json", R"({"format":"hearth-plan/1","planner":"mine","batch":8,"micro_batch":8,
        "schedule":"1f1b","stages":[{"layers":[0,4],"shares":{"one":8},"in_flight":1}]})");
    const Told told = tell({QStringLiteral("apply"), m_run, plan});
    QVERIFY2(told.status == 0, qPrintable(told.errors));
    QVERIFY(follower.waitFor("warning"));
    const QByteArray line = follower.lines("warning")[0];
    QVERIFY2(line.contains("\"what\":\"plan\"") && line.contains("\"shares\":{\"one\":8}"), line.constData());
}

void OrdersCommandTest::theOrderIsToldInJson() {
    const Told told = tell({QStringLiteral("pause"), m_run, QStringLiteral("--resume"), QStringLiteral("--json")});
    QCOMPARE(told.status, 0);
    const QJsonDocument json = QJsonDocument::fromJson(told.output.toUtf8());
    QCOMPARE(json[QLatin1String("run")].toString(), m_run);
    QCOMPARE(json[QLatin1String("command")].toString(), QStringLiteral("resume"));
}

void OrdersCommandTest::aRunIsToldByItsName() {
    const QString name = QStringLiteral("the first"), label = QStringLiteral("label"),
                  option = QStringLiteral("--name");
    QCOMPARE(tell({label, m_run, option, name}).status, 0);
    const Told told = tell({QStringLiteral("pause"), name, QStringLiteral("--resume"), QStringLiteral("--json")});
    QVERIFY2(told.status == 0, qPrintable(told.errors));
    QCOMPARE(QJsonDocument::fromJson(told.output.toUtf8())[QLatin1String("run")].toString(), m_run);
    const Told best = tell({QStringLiteral("evaluate"), name, QStringLiteral("--best")});
    QCOMPARE(best.status, 2);
    QVERIFY2(best.errors.contains(QLatin1String("have ended")), qPrintable(best.errors));

    const auto other = startRun(*m_client, playedOrder("wait"));
    QVERIFY(other);
    QCOMPARE(tell({label, *other, option, name}).status, 0);
    const Told unsure = tell({QStringLiteral("pause"), name});
    QCOMPARE(unsure.status, 1);
    QVERIFY2(unsure.errors.contains(QLatin1String("2 runs have this name")), qPrintable(unsure.errors));
}

void OrdersCommandTest::aPausedRunWritesNoCheckpoint() {
    QCOMPARE(tell({QStringLiteral("checkpoint"), m_run}).status, 0);
    const auto run = startRun(*m_client, playedOrder("paused"));
    QVERIFY(run);
    const Follower follower(*m_client, *run);
    QVERIFY(follower.waitFor("state", 2));
    const Told told = tell({QStringLiteral("checkpoint"), *run});
    QCOMPARE(told.status, 1);
    QVERIFY2(told.errors.contains(QLatin1String("It is paused")), qPrintable(told.errors));
}

void OrdersCommandTest::aRunIsPausedAtTheEndOfARoundOrBeforeItBegins_data() {
    QTest::addColumn<QByteArray>("act");
    QTest::addColumn<QString>("says");
    // With the home that was named, so that the command works as it stands.
    const QString begins = QStringLiteral("--resume --state '");
    QTest::newRow("it trains") << QByteArray("wait") << QStringLiteral("pauses at the end of this round");
    QTest::newRow("it waits for devices") << QByteArray("waiting") << begins;
    QTest::newRow("it was paused while it waited") << QByteArray("paused") << begins;
}

void OrdersCommandTest::aRunIsPausedAtTheEndOfARoundOrBeforeItBegins() {
    QFETCH(QByteArray, act);
    QFETCH(QString, says);
    const auto run = startRun(*m_client, playedOrder(act.constData()));
    QVERIFY(run);
    const Follower follower(*m_client, *run);
    QVERIFY(follower.waitFor("state", act == "wait" ? 1 : 2));
    const Told told = tell({QStringLiteral("pause"), *run});
    QVERIFY2(told.status == 0, qPrintable(told.errors));
    QVERIFY2(told.output.contains(says), qPrintable(told.output));
}

void OrdersCommandTest::whatCannotBeIsSaid_data() {
    QTest::addColumn<QString>("words");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("says");
    QTest::newRow("a device that nobody knows") << "leave RUN two" << 1 << "two";
    QTest::newRow("no device named") << "leave RUN" << 2 << "DEVICE";
    QTest::newRow("a run that nobody knows") << "leave nobody one" << 1 << "nobody";
    QTest::newRow("the best weights of a run under way") << "evaluate RUN --best" << 2 << "have ended";
    QTest::newRow("an evaluation of a run that nobody knows") << "evaluate nobody" << 1 << "nobody";
    QTest::newRow("no file named") << "save RUN" << 2 << "FILE";
    QTest::newRow("a folder that is not there, for a file that is written later")
        << "save RUN /no/such/folder/w.safetensors" << 1 << "The folder /no/such/folder does not exist";
    QTest::newRow("a plan that is not there") << "apply RUN /nowhere.json" << 1 << "/nowhere.json";
    QTest::newRow("a file that is no plan") << "apply RUN noplan.json" << 1 << "noplan.json";
}

void OrdersCommandTest::whatCannotBeIsSaid() {
    QFETCH(QString, words);
    QFETCH(int, status);
    QFETCH(QString, says);
    QVERIFY(!fileOf("noplan.json", R"({"format":"hearth-job/1"})").isEmpty());
    const Told told = tell(words.replace(QLatin1String("RUN"), m_run).split(QLatin1Char(' ')));
    QCOMPARE(told.status, status);
    QVERIFY2(told.errors.contains(says), qPrintable(told.errors));
    QVERIFY2(told.output.isEmpty(), qPrintable(told.output));
}

QTEST_GUILESS_MAIN(OrdersCommandTest)
#include "orders_command_test.moc"
