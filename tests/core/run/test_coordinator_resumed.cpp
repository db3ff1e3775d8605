#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include "core/run/connect_workers.h"
#include "core/run/run_state_file.h"
#include "recovery_checks.h"

using namespace hearth;
using namespace hearth::fake;

namespace {

/// Of the warnings that say `what`.
QStringList causesOf(const Home &home, const QString &what) {
    QStringList causes;
    for (const RunEvent &one : home.events(QStringLiteral("warning"))) {
        if (const auto &warning = std::get<event::Warning>(one.body); warning.what == what)
            causes << warning.cause.english();
    }
    return causes;
}

}  // namespace

/// What comes while a coordinator takes up the run of one that is gone.
class TestCoordinatorResumed : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aLossBeforeTheFirstRoundOfAResumedRun();
    void aResumedRunWhoseFirstPlanFailsKeepsItsRounds();
    void aResumedRunIsTakenUpBeforeItsFirstPlan();
    void filesThatAreGoneAreToldWheneverARunBegins();
    void aMisfitIsNotToldAgain_data();
    void aMisfitIsNotToldAgain();
    void aResumedRunTellsThatItsDataAreOthers();
    void aRunOfWhichNothingIsRecordedBeginsAnew();
    void aRunWhoseStateCannotBeReadDoesNotBeginAnew_data();
    void aRunWhoseStateCannotBeReadDoesNotBeginAnew();
    void nothingTakesThePlaceOfWeightsThatAreLost_data();
    void nothingTakesThePlaceOfWeightsThatAreLost();
    void aResumedRunSaysOfItsDataWhatAnOlderVersionDidNot_data();
    void aResumedRunSaysOfItsDataWhatAnOlderVersionDidNot();
    void aWorkerEndsWhileTheCoordinatorComesBack();
    void whoGreetsAndEndsKeepsNobodyOut();
    void aRunThatIsTakenUpIsTracedNoMore();
    void whoWasSentAwayStaysOut();
    void aCommandWhileTheCoordinatorComesBack_data();
    void aCommandWhileTheCoordinatorComesBack();
};

void TestCoordinatorResumed::aLossBeforeTheFirstRoundOfAResumedRun() {
    Home home(3);
    home.request.plan = home.plan();
    makeEndless(home);
    QVERIFY(trains(home, 5));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
    const quint64 saved = lastEvent<event::Checkpoint>(home, "checkpoint").version;
    QVERIFY(saved >= 5);
    const auto plans = count(home, "plan");
    home.request.resume = true;
    home.dies[2] = QStringLiteral("deploy");
    startAgain(home);
    whenFirst(home, RunState::Deploying, [&] { home.returns = false; });
    QVERIFY(comes([&] { return count(home, "recovered") == 1; }));
    const auto all = home.events(QStringLiteral("plan"));
    for (std::size_t i = plans; i < all.size(); ++i)
        QCOMPARE(quint64(std::get<event::Plan>(all[i].body).round), saved + 1);
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

/// Two of its devices do not reach each other any more.
void TestCoordinatorResumed::aResumedRunWhoseFirstPlanFailsKeepsItsRounds() {
    Home home(2);
    home.request.plan = home.plan();
    makeEndless(home);
    QVERIFY(trains(home, 5));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
    const quint64 saved = lastEvent<event::Checkpoint>(home, "checkpoint").version;
    QVERIFY(saved >= 5);
    const auto plans = count(home, "plan"), rounds = count(home, "round");
    home.request.resume = true;
    home.unreachable = {1, 2};
    startAgain(home);
    QVERIFY(comes([&] { return count(home, "round") > rounds; }));
    const auto all = home.events(QStringLiteral("plan"));
    QVERIFY(all.size() >= plans + 2);
    for (std::size_t i = plans; i < all.size(); ++i)
        QCOMPARE(quint64(std::get<event::Plan>(all[i].body).round), saved + 1);
    QCOMPARE(quint64(std::get<event::Round>(home.events(QStringLiteral("round")).at(rounds).body).round), saved + 1);
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorResumed::aResumedRunIsTakenUpBeforeItsFirstPlan() {
    Home home(3);
    home.request.plan = home.plan();
    makeEndlessOnItsPlan(home);
    home.returns = true;
    QVERIFY(trains(home, 5));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
    const quint64 saved = lastEvent<event::Checkpoint>(home, "checkpoint").version;
    const auto plans = count(home, "plan"), joined = count(home, "joined");
    home.request.resume = true;
    home.silent[2] = QStringLiteral("hello");
    startAgain(home);
    QVERIFY(comes([&] { return home.worker(2)->deploying.has_value(); }));
    QCOMPARE(home.coordinator->state(), RunState::Connecting);
    home.silent.clear();
    home.request.again = true;
    startAgain(home);
    QVERIFY(reaches(home, RunState::Training));
    QCOMPARE(count(home, "joined"), joined);
    const auto first = home.events(QStringLiteral("plan")).at(plans);
    QCOMPARE(quint64(std::get<event::Plan>(first.body).round), saved + 1);
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorResumed::filesThatAreGoneAreToldWheneverARunBegins() {
    const QString what = QStringLiteral("Files of the data fashion-mnist are gone, and the run goes on without them."),
                  cause = QStringLiteral("There are 3 of them. The first is /data/cat/7.png.");
    Home home(2);
    makeEndless(home);
    const auto data = std::make_shared<TinyDataset>();
    data->lose({3, QStringLiteral("/data/cat/7.png")});
    home.inputs.data = data;
    QVERIFY(trains(home, 2));
    QCOMPARE(causesOf(home, what), QStringList{cause});
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
    home.request.resume = true;
    startAgain(home);
    QVERIFY(reaches(home, RunState::Training));
    QCOMPARE(causesOf(home, what), (QStringList{cause, cause}));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorResumed::aMisfitIsNotToldAgain_data() {
    QTest::addColumn<bool>("resumed");
    QTest::newRow("by another coordinator") << false;
    QTest::newRow("by a run that is resumed") << true;
}

void TestCoordinatorResumed::aMisfitIsNotToldAgain() {
    QFETCH(bool, resumed);
    Home home(2);
    home.request.job.model = QStringLiteral("fashion-cnn:classes=12");
    home.request.model = *loadModel(home.request.job.model);
    makeEndless(home);
    const QString what =
        QStringLiteral("The model %1 and the data fashion-mnist do not fit each other.").arg(home.request.model.name);
    QVERIFY(trains(home, 2));
    QCOMPARE(causesOf(home, what).size(), 1);
    if (resumed) {
        home.command("stop");
        QVERIFY(reaches(home, RunState::Stopped));
    }
    home.request.resume = resumed;
    home.request.again = !resumed;
    startAgain(home);
    QVERIFY(reaches(home, RunState::Training));
    QCOMPARE(causesOf(home, what).size(), 1);
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorResumed::aResumedRunTellsThatItsDataAreOthers() {
    Home home(2);
    makeEndless(home);
    const QString what = QStringLiteral("The data fashion-mnist are not those that the run began with.");
    QVERIFY(trains(home, 2));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
    QCOMPARE(causesOf(home, what), QStringList());
    home.inputs.data = std::make_shared<TinyDataset>(49, 20);
    home.request.resume = true;
    startAgain(home);
    QVERIFY(reaches(home, RunState::Training));
    QCOMPARE(causesOf(home, what),
             QStringList{QStringLiteral("It began with 50 samples to train and 21 to evaluate; there are 49 and 20.")});
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

/// Its coordinator died while it waited for the data.
void TestCoordinatorResumed::aRunOfWhichNothingIsRecordedBeginsAnew() {
    Home home(2);
    home.directory = std::move(*RunDirectory::create(home.request.directory));
    home.request.again = true;
    startAgain(home);
    QVERIFY(reaches(home, RunState::Finished));
    QCOMPARE(count(home, "run"), std::size_t(1));
    for (const char *name : {"job.json", "model.json"})
        QVERIFY(QFile::exists(home.directory->file(QLatin1String(name))));
}

void TestCoordinatorResumed::aRunWhoseStateCannotBeReadDoesNotBeginAnew_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("half a file") << QByteArrayLiteral("{");
    const QJsonObject later{{QStringLiteral("format"), QStringLiteral("hearth-run-state/2")}};
    QTest::newRow("that of a later version") << QJsonDocument(later).toJson();
}

void TestCoordinatorResumed::aRunWhoseStateCannotBeReadDoesNotBeginAnew() {
    QFETCH(QByteArray, content);
    Home home(2);
    makeEndless(home);
    QVERIFY(trains(home, 4));
    const auto plans = count(home, "plan");
    home.coordinator.reset();
    QFile file(home.directory->file(RunStateFile::name()));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
    file.close();
    home.request.again = true;
    startAgain(home);
    QVERIFY(reaches(home, RunState::Failed));
    QCOMPARE(count(home, "plan"), plans);
    const Error error = lastEvent<event::Failure>(home, "error").error;
    QVERIFY2(error.advice.contains(QLatin1String("--resume")), qPrintable(error.toString()));
}

void TestCoordinatorResumed::nothingTakesThePlaceOfWeightsThatAreLost_data() {
    QTest::addColumn<bool>("resumed");
    QTest::newRow("a run that began with weights that were given") << false;
    QTest::newRow("a run that was resumed") << true;
}

/// The device whose layers nobody else has is gone, and no checkpoint is whole.
void TestCoordinatorResumed::nothingTakesThePlaceOfWeightsThatAreLost() {
    QFETCH(bool, resumed);
    Home home(3);
    home.request.plan = home.plan();
    makeEndlessOnItsPlan(home);
    home.request.safety.replication = ReplicationMode::Off;
    home.request.safety.checkpointSeconds = 0;
    QVERIFY(trains(home, 4));
    home.request.again = true;
    home.request.resume = resumed;
    home.inputs.areWeightsPast = !resumed;
    home.unreached[1] = QStringLiteral("wire.nobody-listens");
    startAgain(home);
    QVERIFY(reaches(home, RunState::Failed));
    QCOMPARE(lastEvent<event::Failure>(home, "error").error.code, QStringLiteral("run.no-checkpoint"));
    QCOMPARE(count(home, "recovered"), std::size_t(0));
}

void TestCoordinatorResumed::aResumedRunSaysOfItsDataWhatAnOlderVersionDidNot_data() {
    QTest::addColumn<QStringList>("missing");
    const QString samples = RunData::fileName(), data = QStringLiteral("data.json");
    QTest::newRow("how rows become samples") << QStringList{data};
    QTest::newRow("how samples enter the network, too") << QStringList{samples, data};
}

void TestCoordinatorResumed::aResumedRunSaysOfItsDataWhatAnOlderVersionDidNot() {
    QFETCH(QStringList, missing);
    Home home(2);
    makeEndless(home);
    QVERIFY(trains(home, 3));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
    std::map<QString, QByteArray> said;
    for (const QString &name : {RunData::fileName(), QStringLiteral("data.json")}) {
        QFile file(home.directory->file(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        said[name] = file.readAll();
        QVERIFY(!said[name].isEmpty());
        file.close();
        QVERIFY(!missing.contains(name) || file.remove());
        // What an earlier version did say is not said anew.
        if (!missing.contains(name)) {
            said[name] += ' ';
            QVERIFY(file.open(QIODevice::Append) && file.write(" ") == 1);
        }
    }
    home.request.resume = true;
    startAgain(home);
    QVERIFY(reaches(home, RunState::Training));
    for (const auto &[name, content] : said) {
        QFile file(home.directory->file(name));
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(name));
        QCOMPARE(file.readAll(), content);
    }
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorResumed::aWorkerEndsWhileTheCoordinatorComesBack() {
    Home home(3);
    home.request.plan = home.plan();
    makeEndlessOnItsPlan(home);
    QVERIFY(trains(home, 4));
    home.request.again = true;
    home.unreached[2] = QStringLiteral("wire.nobody-listens");
    startAgain(home);
    const Error reason{QStringLiteral("worker.crashed"), QStringLiteral("The worker crashed."), {}, {}};
    whenFirst(home, RunState::Recovering, [&] { Q_EMIT home.agent.workerExited(Home::id(2), reason); });
    QVERIFY(comes([&] { return count(home, "recovered") == 1; }));
    QCOMPARE(count(home, "lost"), std::size_t(1));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

/// The other one is still about to greet.
void TestCoordinatorResumed::whoGreetsAndEndsKeepsNobodyOut() {
    Home home(2);
    home.silent[2] = QStringLiteral("hello");
    ConnectWorkers connecting(home.request.id, home.agent, home.connector, quick());
    QStringList left;
    bool isFinished = false;
    connect(&connecting, &ConnectWorkers::leftOut, this, [&left](const QString &device) { left << device; });
    connect(&connecting, &ConnectWorkers::finished, this, [&isFinished] { isFinished = true; });
    std::vector<std::pair<DeviceInfo, WorkerAddress>> known;
    for (int number = 1; number <= 2; ++number) {
        WorkerAddress address;
        address.fingerprint = key(2, static_cast<quint8>(number));
        known.emplace_back(home.request.devices[static_cast<std::size_t>(number) - 1], address);
    }
    connecting.reconnect(known);
    QVERIFY(comes([&] { return home.worker(2) && home.worker(2)->deploying.has_value(); }));
    home.worker(1)->die();
    QVERIFY(comes([&] { return left == QStringList{Home::id(1)}; }));
    QVERIFY(!isFinished);
    home.worker(2)->deploying->ok({{QStringLiteral("library"), QStringLiteral("fake 1")},
                                   {QStringLiteral("threads"), 1},
                                   {QStringLiteral("memory_bytes"), 1000},
                                   {QStringLiteral("runtime_bytes"), 1000}});
    QVERIFY(comes([&] { return isFinished; }));
    const auto sessions = connecting.takeSessions();
    QCOMPARE(sessions.size(), std::size_t(1));
    QCOMPARE(sessions.front()->id(), Home::id(2));
    QCOMPARE(sessions.front()->hello().library, QStringLiteral("fake 1"));
}

/// The trace of its first coordinator is a whole file, and what the next one would write is no part of it.
void TestCoordinatorResumed::aRunThatIsTakenUpIsTracedNoMore() {
    Home home(3);
    home.request.plan = home.plan();
    home.request.trace = home.folder.filePath(QStringLiteral("trace.json"));
    makeEndlessOnItsPlan(home);
    QVERIFY(trains(home, 4));
    QVERIFY(home.worker(1)->deployment->trace);
    home.request.again = true;
    startAgain(home);
    QVERIFY(comes([&] { return count(home, "recovered") == 1; }));
    QVERIFY(!home.worker(1)->deployment->trace);
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorResumed::whoWasSentAwayStaysOut() {
    Home home(3);
    makeEndless(home);
    QVERIFY(trains(home, 3));
    home.coordinator->command(
        {{QStringLiteral("command"), QStringLiteral("leave")}, {QStringLiteral("device"), Home::id(2)}});
    QVERIFY(comes([&] { return count(home, "left") == 1; }));
    const auto known = RunStateFile::load(home.directory->file(RunStateFile::name()));
    QVERIFY(known);
    QCOMPARE(known->sentAway, QStringList{Home::id(2)});
    const auto asked = home.agent.started.count(Home::id(2));
    home.request.again = true;
    startAgain(home);
    QVERIFY(comes([&] { return count(home, "recovered") == 1; }));
    // Others that have no worker would be asked by then.
    home.becomes(2, DeviceState::Lost);
    home.becomes(2, DeviceState::Ready);
    const auto rounds = count(home, "round");
    QVERIFY(comes([&] { return count(home, "round") > rounds + 20; }));
    QCOMPARE(home.agent.started.count(Home::id(2)), asked);
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorResumed::aCommandWhileTheCoordinatorComesBack_data() {
    QTest::addColumn<bool>("paused");
    QTest::newRow("a stop keeps what the workers have") << false;
    QTest::newRow("a run that was paused stays so") << true;
}

void TestCoordinatorResumed::aCommandWhileTheCoordinatorComesBack() {
    QFETCH(bool, paused);
    Home home(3);
    home.request.plan = home.plan();
    makeEndlessOnItsPlan(home);
    QVERIFY(trains(home, 4));
    home.command("pause");
    QVERIFY(reaches(home, RunState::Paused));
    const qint64 done = home.reported;
    if (!paused) {
        home.holdsRounds = true;
        home.command("resume");
        QVERIFY(reaches(home, RunState::Training));
    }
    home.request.again = true;
    startAgain(home);
    if (paused) {
        QVERIFY(reaches(home, RunState::Paused));
        QCOMPARE(home.reported, done);
        home.command("resume");
        QVERIFY(comes([&] { return home.reported > done + 2; }));
        home.command("stop");
        QVERIFY(reaches(home, RunState::Stopped));
        return;
    }
    whenFirst(home, RunState::Recovering, [&] { home.command("stop"); });
    QVERIFY(reaches(home, RunState::Stopped));
    QCOMPARE(qint64(lastEvent<event::Checkpoint>(home, "checkpoint").version), done);
}

QTEST_GUILESS_MAIN(TestCoordinatorResumed)
#include "test_coordinator_resumed.moc"
