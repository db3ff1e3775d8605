#include <sys/resource.h>

#include <QFile>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <cmath>
#include <csignal>
#include <limits>

#include "core/base/json_reader.h"
#include "core/data/batch_source.h"
#include "fake_home.h"
#include "tests/core/base/patience.h"

using namespace hearth;
using fake::Home;

/// Whatever goes wrong: one error a person understands, the state failed, no worker left.
class TestCoordinatorTrouble : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aWorkerThatRefuses_data();
    void aWorkerThatRefuses();
    void aWorkerThatIsLost_data();
    void aWorkerThatIsLost();
    void theAgentKnowsWhyAWorkerEnded();
    void aDeviceThatIsGone();
    void aSilentWorker_data();
    void aSilentWorker();
    void aPairThatCannotBeMeasuredIsUnreachable_data();
    void aPairThatCannotBeMeasuredIsUnreachable();
    void aWorkerThatTalksInsteadOfMeasuring();
    void tooLittleMemory_data();
    void tooLittleMemory();
    void aFullDisk();
    void dataThatAreDamagedEndTheRun_data();
    void dataThatAreDamagedEndTheRun();
    void aRunWaitsForDataThatAreAway_data();
    void aRunWaitsForDataThatAreAway();
    void aLossThatIsNoNumberIsWarnedOf();
    void aTrustedFabricThatEndsIsWarnedOfOnce();
    void aTrustedFabricStaysWithinItsReach_data();
    void aTrustedFabricStaysWithinItsReach();

  private:
    void verifyFailed(Home &home) const;
};

void TestCoordinatorTrouble::verifyFailed(Home &home) const {
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Failed, patience);
    QCOMPARE(home.lastState(), QStringLiteral("failed"));
    QCOMPARE(home.events(QStringLiteral("error")).size(), std::size_t(1));
    for (const QString &device : std::as_const(home.agent.started))
        QVERIFY(home.agent.stopped.contains(device));
    const auto events = home.events();
    QCOMPARE(events.back().seq, quint64(events.size()));
    QVERIFY(std::holds_alternative<event::State>(events.back().body));
}

void TestCoordinatorTrouble::aWorkerThatRefuses_data() {
    QTest::addColumn<QString>("call");
    for (const char *call : {"start", "hello", "expect", "profile", "deploy", "weights.get"})
        QTest::newRow(qPrintable(QStringLiteral("at %1").arg(QLatin1String(call)))) << QString(QLatin1String(call));
}

void TestCoordinatorTrouble::aWorkerThatRefuses() {
    QFETCH(QString, call);
    Home home(2);
    home.request.plan = home.plan();
    home.fails[2] = call;
    home.start();
    QSignalSpy ended(home.coordinator.get(), &Coordinator::ended);
    verifyFailed(home);
    const bool starts = call != QLatin1String("start");
    QCOMPARE(home.lastError().code,
             starts ? QStringLiteral("worker.out-of-memory") : QStringLiteral("worker.not-started"));
    QVERIFY2(home.lastError().what.startsWith(QLatin1String("On local-2: ")), qPrintable(home.lastError().what));
    QCOMPARE(ended.count(), 1);
}

void TestCoordinatorTrouble::aWorkerThatIsLost_data() {
    QTest::addColumn<QString>("call");
    for (const char *call : {"hello", "expect", "profile", "link.probe"})
        QTest::newRow(qPrintable(QStringLiteral("at %1").arg(QLatin1String(call)))) << QString(QLatin1String(call));
}

/// Before there is a plan.
void TestCoordinatorTrouble::aWorkerThatIsLost() {
    QFETCH(QString, call);
    Home home(2);
    home.request.plan = home.plan();
    home.dies[2] = call;
    RunDeadlines deadlines = fake::unhurried();
    deadlines.exitReason = std::chrono::milliseconds(0);
    home.start(deadlines);
    verifyFailed(home);
    const auto lost = home.events(QStringLiteral("lost"));
    QCOMPARE(lost.size(), std::size_t(1));
    QCOMPARE(std::get<event::Lost>(lost[0].body).id, Home::id(2));
    QVERIFY(home.lastError().what.contains(QLatin1String("local-2")));
}

void TestCoordinatorTrouble::theAgentKnowsWhyAWorkerEnded() {
    Home home(2);
    home.request.plan = home.plan();
    home.diesInRound = 1;
    home.start();
    // The channel ends first; the reason that counts comes from the agent.
    QTRY_VERIFY_WITH_TIMEOUT(home.worker(2) && !home.worker(2)->channel->isOpen(), patience);
    Q_EMIT home.agent.workerExited(
        Home::id(2),
        {QStringLiteral("child.out-of-memory"), QStringLiteral("The worker was ended for lack of memory."), {}, {}});
    verifyFailed(home);
    QCOMPARE(home.lastError().code, QStringLiteral("child.out-of-memory"));
    QVERIFY(home.lastError().what.contains(QLatin1String("local-2")));
}

void TestCoordinatorTrouble::aDeviceThatIsGone() {
    Home home(2);
    home.silent[2] = QStringLiteral("profile");
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Profiling, patience);
    home.returns = false;
    home.becomes(2, DeviceState::Lost);
    // Nothing is planned yet: the other one trains alone.
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Finished, patience);
    const auto lost = home.events(QStringLiteral("lost"));
    QCOMPARE(lost.size(), std::size_t(1));
    QVERIFY(std::get<event::Lost>(lost[0].body).cause.contains(QLatin1String("local-2")));
}

void TestCoordinatorTrouble::aSilentWorker_data() {
    QTest::addColumn<QString>("call");
    // At "start" the agent has its own deadline; a silent deployment is a lost worker.
    for (const char *call : {"hello", "expect", "profile", "weights.get"})
        QTest::newRow(qPrintable(QStringLiteral("at %1").arg(QLatin1String(call)))) << QString(QLatin1String(call));
}

void TestCoordinatorTrouble::aSilentWorker() {
    QFETCH(QString, call);
    Home home(2);
    home.request.plan = home.plan();
    home.silent[2] = call;
    // Short ones only where nobody answers: a busy machine must not fail the rest.
    const std::chrono::milliseconds moment{50};
    RunDeadlines deadlines = fake::unhurried();
    if (call == QLatin1String("profile"))
        deadlines.profileQuiet = moment;
    else if (call == QLatin1String("weights.get"))
        deadlines.weights = moment;
    else
        deadlines.hello = std::chrono::seconds(1);
    home.start(deadlines);
    verifyFailed(home);
}

void TestCoordinatorTrouble::aPairThatCannotBeMeasuredIsUnreachable_data() {
    QTest::addColumn<bool>("answers");
    QTest::addColumn<double>("rate");
    QTest::addColumn<double>("latency");
    QTest::newRow("the device says that it reaches nobody") << true << 0.0 << 0.0;
    QTest::newRow("the device says nothing") << false << 0.0 << 0.0;
    QTest::newRow("nothing gets through") << true << 1e-300 << 1e-4;
    QTest::newRow("a rate below nothing") << true << -1e8 << 1e-4;
    QTest::newRow("a rate that is no number") << true << std::nan("") << 1e-4;
    QTest::newRow("more than any link carries") << true << std::numeric_limits<double>::infinity() << 1e-4;
    QTest::newRow("an answer before the question") << true << 1e8 << -1e-4;
    QTest::newRow("an answer after days") << true << 1e8 << 1e5;
}

void TestCoordinatorTrouble::aPairThatCannotBeMeasuredIsUnreachable() {
    QFETCH(bool, answers);
    QFETCH(double, rate);
    QFETCH(double, latency);
    Home home(3);
    if (answers && rate == 0)
        home.unmeasured = {{3, 1}, {3, 2}};
    else if (answers)
        home.linkFigures[3] = {rate, latency};
    else
        home.silent[3] = QStringLiteral("link.probe");
    RunDeadlines deadlines = fake::unhurried();
    if (!answers)
        deadlines.linkProbe = std::chrono::seconds(2);  // of the pairs that are well, too
    home.start(deadlines);
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
    const auto warnings = home.events(QStringLiteral("warning"));
    QVERIFY(!warnings.empty());
    const auto &warning = std::get<event::Warning>(warnings[0].body);
    QVERIFY2(warning.what.contains(QLatin1String("local-3")), qPrintable(warning.what));
    const auto problem =
        readJsonFile(home.directory->file(QStringLiteral("problem-1.json"))).and_then([](const QJsonObject &json) {
            return PlanningProblem::fromJson(json, QStringLiteral("it"));
        });
    QVERIFY(problem);
    int unreachable = 0;
    for (const LinkProfile::Pair &pair : problem->links.pairs) {
        unreachable += pair.bytesPerSecond <= 0 ? 1 : 0;
        if (answers)
            QCOMPARE(pair.bytesPerSecond <= 0, pair.from == Home::id(3));
    }
    QVERIFY(unreachable >= 2);
}

void TestCoordinatorTrouble::aWorkerThatTalksInsteadOfMeasuring() {
    Home home(2);
    home.silent[2] = QStringLiteral("profile");
    RunDeadlines deadlines = fake::unhurried();
    deadlines.profileQuiet = std::chrono::milliseconds(200);
    QTimer talk;
    connect(&talk, &QTimer::timeout, this, [&] {
        const auto *worker = home.worker(2);
        if (!worker || !worker->deploying)
            return;
        // One step was done; more than there are is no progress either.
        for (const int done : {1, 1, 0, -1, 1'000'000, 1'000'001})
            worker->rpc->notify(QStringLiteral("profile.progress"), {{QStringLiteral("done"), done}});
    });
    talk.start(1);
    home.start(deadlines);
    verifyFailed(home);
    QCOMPARE(home.lastError().code, QStringLiteral("run.profile-quiet"));
    qsizetype told = 0;
    for (const RunEvent &each : home.events(QStringLiteral("profile")))
        told += std::get<event::Profile>(each.body).id == Home::id(2) ? 1 : 0;
    QVERIFY2(told <= 1, qPrintable(QString::number(told)));
}

void TestCoordinatorTrouble::tooLittleMemory_data() {
    QTest::addColumn<bool>("given");
    QTest::newRow("a given plan") << true;
    QTest::newRow("the planner finds nothing that fits") << false;
}

void TestCoordinatorTrouble::tooLittleMemory() {
    QFETCH(bool, given);
    Home home(2);
    home.memoryBytes = 100'000;
    if (given)
        home.request.plan = home.plan();
    home.start();
    verifyFailed(home);
    const Error error = home.lastError();
    // The planner speaks of what is left beside the runtime.
    const QLatin1String available(given ? "100,000" : "99,000");
    QVERIFY2(error.toString().contains(available), qPrintable(error.toString()));
    if (given) {
        QCOMPARE(error.code, QStringLiteral("run.memory"));
        QVERIFY(error.cause.contains(QLatin1String("local-1")));
    }
    for (const auto &worker : home.workers)
        QVERIFY(!worker->deployment);
    QVERIFY(QFile::exists(home.directory->file(QStringLiteral("problem-1.json"))));
}

void TestCoordinatorTrouble::aFullDisk() {
    Home home(2);
    home.request.job.rounds = 1000000;
    home.request.job.evaluateEvery = 0;
    home.start();
    QTRY_VERIFY_WITH_TIMEOUT(home.reported >= 2, patience);
    const auto former = std::signal(SIGXFSZ, SIG_IGN);
    rlimit old{};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &old), 0);
    rlimit tight{16384, old.rlim_max};
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &tight), 0);
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Failed, patience);
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &old), 0);
    std::signal(SIGXFSZ, former);
    QCOMPARE(home.agent.lastError.code, QStringLiteral("run.not-written"));
    QCOMPARE(home.agent.stopped.size(), 2);
    const auto events = home.events();
    for (std::size_t i = 0; i < events.size(); ++i)
        QCOMPARE(events[i].seq, quint64(i + 1));
}

void TestCoordinatorTrouble::dataThatAreDamagedEndTheRun_data() {
    QTest::addColumn<int>("split");
    QTest::newRow("in a round") << static_cast<int>(Split::Train);
    QTest::newRow("in an evaluation") << static_cast<int>(Split::Test);
}

void TestCoordinatorTrouble::dataThatAreDamagedEndTheRun() {
    QFETCH(int, split);
    Home home(2);
    const auto data = std::make_shared<fake::TinyDataset>();
    data->unreadable = {static_cast<Split>(split), 7};
    data->isDamaged = true;
    home.inputs.data = data;
    home.request.kind = static_cast<Split>(split) == Split::Test ? RunKind::Evaluate : RunKind::Train;
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("failed"), patience);
    const auto failures = home.events(QStringLiteral("error"));
    QCOMPARE(failures.size(), std::size_t(1));
    QCOMPARE(std::get<event::Failure>(failures[0].body).error, data->damage);
}

void TestCoordinatorTrouble::aRunWaitsForDataThatAreAway_data() {
    QTest::addColumn<int>("split");
    QTest::addColumn<bool>("comeBack");
    QTest::newRow("in a round, until they are back") << static_cast<int>(Split::Train) << true;
    QTest::newRow("in a round, until it is stopped") << static_cast<int>(Split::Train) << false;
    QTest::newRow("in an evaluation, until they are back") << static_cast<int>(Split::Test) << true;
    QTest::newRow("in an evaluation, until it is stopped") << static_cast<int>(Split::Test) << false;
}

void TestCoordinatorTrouble::aRunWaitsForDataThatAreAway() {
    QFETCH(int, split);
    QFETCH(bool, comeBack);
    Home home(2);
    const auto data = std::make_shared<fake::TinyDataset>();
    data->unreadable = {static_cast<Split>(split), 7};
    data->isAway = true;
    home.inputs.data = data;
    home.request.plan = home.plan();
    RunDeadlines deadlines = fake::unhurried();
    deadlines.roundQuiet = std::chrono::seconds(5);  // nobody is late meanwhile
    home.start(deadlines);
    const auto warnings = [&] { return home.events(QStringLiteral("warning")); };
    QTRY_COMPARE_WITH_TIMEOUT(warnings().size(), std::size_t(1), patience);
    const auto told = std::get<event::Warning>(warnings()[0].body);
    QCOMPARE(told.what, data->disk.what);
    if (!comeBack) {
        home.command("stop");
        QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("stopped"), patience);
        QVERIFY(home.events(QStringLiteral("lost")).empty());
        return;
    }
    // It is tried again for longer than anything may be quiet.
    constexpr int tries = 7;
    QVERIFY((tries - 1) * BatchSource::tryAgain > deadlines.roundQuiet);
    QTRY_VERIFY_WITH_TIMEOUT(data->refused >= tries, patience);
    QCOMPARE(warnings().size(), std::size_t(1));
    data->isAway = false;
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
    QCOMPARE(warnings().size(), std::size_t(2));
    QVERIFY(home.events(QStringLiteral("recovered")).empty());
}

void TestCoordinatorTrouble::aLossThatIsNoNumberIsWarnedOf() {
    Home home(2);
    home.loss = std::numeric_limits<double>::quiet_NaN();
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
    QCOMPARE(home.events(QStringLiteral("warning")).size(), std::size_t(1));
}

void TestCoordinatorTrouble::aTrustedFabricThatEndsIsWarnedOfOnce() {
    Home home(3);
    home.request.plan = home.plan();
    home.request.fabric = FabricScope::Machine;
    home.request.job.evaluateEvery = 0;
    home.holdsRounds = true;
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Training, patience);
    const Error reason{QStringLiteral("fabric.failed"), QStringLiteral("The trusted fabric failed."),
                       QStringLiteral("Connection closed by peer."), QStringLiteral("Do without.")};
    for (const int number : {2, 3}) {
        QCOMPARE(home.worker(number)->deployment->stages[0].fabric, Deployment::builtinFabric());
        QCOMPARE(home.worker(number)->deployment->stages[1].fabric, QStringLiteral("gloo"));
        home.worker(number)->rpc->notify(QStringLiteral("fabric.failed"), reason.toCbor());
    }
    QTRY_COMPARE_WITH_TIMEOUT(home.events(QStringLiteral("warning")).size(), std::size_t(1), patience);
    home.resumeRounds();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
    const auto warnings = home.events(QStringLiteral("warning"));
    QCOMPARE(warnings.size(), std::size_t(1));
    const auto warning = std::get<event::Warning>(warnings[0].body);
    QVERIFY2(warning.what.startsWith(QLatin1String("Stage 2 ")), qPrintable(warning.what));
    QVERIFY2(warning.cause.contains(QLatin1String("local-2")) && warning.cause.contains(reason.cause),
             qPrintable(warning.cause));
    QCOMPARE(warning.advice, reason.advice);
}

void TestCoordinatorTrouble::aTrustedFabricStaysWithinItsReach_data() {
    QTest::addColumn<FabricScope>("scope");
    QTest::addColumn<QString>("address");
    QTest::addColumn<QString>("fabric");
    QTest::addColumn<int>("warnings");
    const QString near = QStringLiteral("127.0.0.1"), far = QStringLiteral("192.168.1.9");
    const QString gloo = QStringLiteral("gloo"), builtin = Deployment::builtinFabric();
    QTest::newRow("none, on one machine") << FabricScope::None << near << builtin << 0;
    QTest::newRow("one machine, on one machine") << FabricScope::Machine << near << gloo << 0;
    QTest::newRow("one machine, on two") << FabricScope::Machine << far << builtin << 1;
    QTest::newRow("the network, on two machines") << FabricScope::Network << far << gloo << 0;
}

void TestCoordinatorTrouble::aTrustedFabricStaysWithinItsReach() {
    QFETCH(FabricScope, scope);
    QFETCH(QString, address);
    QFETCH(QString, fabric);
    QFETCH(int, warnings);
    Home home(3);
    home.request.plan = home.plan();
    home.request.fabric = scope;
    home.addresses[3] = address;
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
    QCOMPARE(home.worker(2)->deployment->stages[1].fabric, fabric);
    QCOMPARE(int(home.events(QStringLiteral("warning")).size()), warnings);
}

QTEST_GUILESS_MAIN(TestCoordinatorTrouble)
#include "test_coordinator_trouble.moc"
