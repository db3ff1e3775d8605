#include <QFile>
#include <QJsonDocument>
#include <QTest>

#include "core/plan/evaluate.h"
#include "core/run/fitting_plan.h"
#include "core/run/replay_task.h"
#include "fake_home.h"
#include "tests/core/plan/replay_home.h"

using namespace hearth;
using fake::Home;

/// A device without the memory for its part: the error names the device, the bytes, and the plan that would fit.
class TestCoordinatorMemory : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void shortagesThatMakeNoSenseAreIgnored_data();
    void shortagesThatMakeNoSenseAreIgnored();
    void aPlannerMayCountOnLessThanFailed_data();
    void aPlannerMayCountOnLessThanFailed();
    void theErrorHasThePlanThatFits_data();
    void theErrorHasThePlanThatFits();
    void theMicroBatchOfTheJobIsInTheWay();
    void nothingFits();
    void aGivenPlanThatIsTooLargeFromTheStart();
    void stoppedWhileAPlanIsLookedFor();
    void measuringTakesTooMuch();
    void aRunTellsWhoHasNoRoomForTheVersionsItKeeps();
    void aPlanLeavesRoomForTheStatesThatWorkersKeep();
    void whereNoPlanHasRoomForThemTheRunTrainsAndIsTold();
    void aLossIsSurvivedWithoutRoomForThem();

  private:
    QMap<QString, qint64> bareBytes(const Home &home) const;
    PlanningProblem savedProblem(const Home &home) const;
    Plan announcedPlan(const Home &home) const;
    Plan savedPlan(const Home &home) const;
    void verifyFailed(const Home &home) const;
};

Plan TestCoordinatorMemory::savedPlan(const Home &home) const {
    QFile file(home.directory->file(QStringLiteral("plan-that-fits.json")));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    // As "hearth train --plan" reads it.
    return readGivenPlan(QJsonDocument::fromJson(file.readAll()).object(), home.request.job, home.request.model,
                         home.request.devices)
        .value_or(Plan{});
}

PlanningProblem TestCoordinatorMemory::savedProblem(const Home &home) const {
    QFile file(home.directory->file(QStringLiteral("problem-1.json")));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return PlanningProblem::fromJson(QJsonDocument::fromJson(file.readAll()).object(), file.fileName())
        .value_or(PlanningProblem{});
}

Plan TestCoordinatorMemory::announcedPlan(const Home &home) const {
    const auto told = std::get<event::Plan>(home.events(QStringLiteral("plan")).front().body);
    return Plan::fromJson(told.plan, QStringLiteral("test")).value_or(Plan{});
}

/// What the plan takes on each device without the states that workers keep.
QMap<QString, qint64> TestCoordinatorMemory::bareBytes(const Home &home) const {
    PlanningProblem problem = savedProblem(home);
    problem.keptStates = problem.keptCopies = 0;
    const auto judged = evaluate(problem, announcedPlan(home));
    return judged ? judged->memoryBytes : QMap<QString, qint64>();
}

void TestCoordinatorMemory::verifyFailed(const Home &home) const {
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Failed, 60000);
    QCOMPARE(home.lastState(), QStringLiteral("failed"));
    QCOMPARE(home.events(QStringLiteral("error")).size(), std::size_t(1));
    for (const QString &device : std::as_const(home.agent.started))
        QCOMPARE(home.agent.stopped.count(device), 1);
}

void TestCoordinatorMemory::shortagesThatMakeNoSenseAreIgnored_data() {
    QTest::addColumn<qint64>("needed");
    QTest::addColumn<qint64>("available");
    QTest::addColumn<bool>("taken");
    QTest::newRow("a shortage") << qint64{101} << qint64{100} << true;
    QTest::newRow("it had enough") << qint64{100} << qint64{100} << false;
    QTest::newRow("it had nothing at all") << qint64{100} << qint64{0} << false;
    QTest::newRow("less than nothing") << qint64{100} << qint64{-1} << false;
    QTest::newRow("more than a device can hold") << (qint64{1} << 60) << qint64{100} << false;
}

void TestCoordinatorMemory::shortagesThatMakeNoSenseAreIgnored() {
    QFETCH(qint64, needed);
    QFETCH(qint64, available);
    QFETCH(bool, taken);
    const MemoryShortage shortage{needed, available};
    const auto read = MemoryShortage::fromCbor(shortage.toCbor());
    QCOMPARE(read.has_value(), taken);
    if (taken)
        QCOMPARE(*read, shortage);
    QVERIFY(!MemoryShortage::fromCbor({{QStringLiteral("needed_bytes"), 1e300}}));
}

void TestCoordinatorMemory::aPlannerMayCountOnLessThanFailed_data() {
    QTest::addColumn<qint64>("limit");
    QTest::addColumn<qint64>("predicted");
    QTest::addColumn<MemoryShortage>("shortage");
    QTest::addColumn<qint64>("usable");
    QTest::newRow("killed; the limit is known") << qint64{1000} << qint64{0} << MemoryShortage{} << qint64{900};
    QTest::newRow("killed; less was expected") << qint64{1000} << qint64{800} << MemoryShortage{} << qint64{720};
    QTest::newRow("killed without a limit") << qint64{0} << qint64{800} << MemoryShortage{} << qint64{720};
    QTest::newRow("refused before there was a plan")
        << qint64{1000} << qint64{0} << MemoryShortage{1200, 1000} << qint64{900};
    QTest::newRow("twice what was expected")
        << qint64{1000} << qint64{800} << MemoryShortage{1600, 1000} << qint64{450};
    QTest::newRow("the system gave less than the limit")
        << qint64{1000} << qint64{900} << MemoryShortage{410, 400} << qint64{360};
}

void TestCoordinatorMemory::aPlannerMayCountOnLessThanFailed() {
    QFETCH(qint64, limit);
    QFETCH(qint64, predicted);
    QFETCH(MemoryShortage, shortage);
    QFETCH(qint64, usable);
    MemoryTrouble trouble{Home::id(2), limit, predicted, std::nullopt};
    if (shortage.neededBytes > 0)
        trouble.shortage = shortage;
    QCOMPARE(trouble.usableBytes(), usable);
}

void TestCoordinatorMemory::theErrorHasThePlanThatFits_data() {
    QTest::addColumn<QString>("when");
    QTest::addColumn<QString>("code");
    QTest::newRow("refused while its layers are built")
        << QStringLiteral("deploy") << QStringLiteral("worker.out-of-memory");
    QTest::newRow("refused in a round") << QStringLiteral("round") << QStringLiteral("worker.out-of-memory");
    QTest::newRow("ended by the kernel") << QStringLiteral("killed") << QStringLiteral("child.out-of-memory");
}

void TestCoordinatorMemory::theErrorHasThePlanThatFits() {
    QFETCH(QString, when);
    QFETCH(QString, code);
    Home home(2);
    home.request.plan = home.plan();
    home.memoryBytes = 20'000'000;
    const MemoryShortage shortage{24'000'000, 20'000'000};
    home.shortages[2] = shortage;
    if (when == QLatin1String("deploy"))
        home.fails[2] = when;
    else if (when == QLatin1String("round"))
        home.failsInRound = 2;
    else
        home.holdsRounds = true;
    home.start();
    if (when == QLatin1String("killed")) {
        QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Training, 60000);
        Q_EMIT home.agent.workerExited(
            Home::id(2), {code, QStringLiteral("The worker on local-2 was ended by the system."), {}, {}});
    }
    verifyFailed(home);
    const Error error = home.lastError();
    QCOMPARE(error.code, code);
    QVERIFY2(error.what.contains(QLatin1String("local-2")), qPrintable(error.what));
    QVERIFY2(error.cause.contains(QLatin1String("20,000,000 bytes")), qPrintable(error.cause));
    if (when != QLatin1String("killed"))
        QVERIFY2(error.cause.contains(QLatin1String("24,000,000 bytes")), qPrintable(error.cause));
    const Plan plan = savedPlan(home);
    QVERIFY(!plan.stages.empty());
    QVERIFY2(
        error.advice.startsWith(QStringLiteral("Micro-batches of %1 instead of 32 would fit: ").arg(plan.microBatch)),
        qPrintable(error.advice));
    QVERIFY2(error.advice.contains(QStringLiteral("[0,%1)").arg(plan.stages.front().lastLayer)),
             qPrintable(error.advice));
    QVERIFY2(error.advice.contains(home.directory->file(QStringLiteral("plan-that-fits.json"))),
             qPrintable(error.advice));
}

void TestCoordinatorMemory::theMicroBatchOfTheJobIsInTheWay() {
    Home home(2);
    home.request.job.microBatch = 32;
    home.request.plan = home.plan();
    home.memoryBytes = 5'700'000;
    home.start();
    verifyFailed(home);
    const QString advice = home.lastError().advice;
    QVERIFY2(advice.contains(QLatin1String("Take \"micro_batch\": 32 out of the job.")), qPrintable(advice));
    home.request.job.microBatch.reset();
    QVERIFY(savedPlan(home).microBatch < 32);
}

void TestCoordinatorMemory::nothingFits() {
    Home home(1);
    home.request.plan.reset();
    home.memoryBytes = 20'000'000;
    home.shortages[1] = {2'000'000'000, 20'000'000};
    home.fails[1] = QStringLiteral("deploy");
    home.start();
    verifyFailed(home);
    const QString advice = home.lastError().advice;
    QVERIFY2(advice.startsWith(QLatin1String("No plan fits: ")), qPrintable(advice));
    QVERIFY2(advice.contains(QLatin1String("Add a device or memory")), qPrintable(advice));
    QVERIFY(savedPlan(home).stages.empty());
}

void TestCoordinatorMemory::aGivenPlanThatIsTooLargeFromTheStart() {
    Home home(2);
    home.request.plan = home.plan();
    home.memoryBytes = 6'500'000;
    home.start();
    verifyFailed(home);
    const Error error = home.lastError();
    QCOMPARE(error.code, QStringLiteral("run.memory"));
    QVERIFY2(error.cause.contains(QLatin1String("6,500,000 bytes")), qPrintable(error.cause));
    QVERIFY2(error.advice.contains(QLatin1String("would fit: ")), qPrintable(error.advice));
    QVERIFY(!savedPlan(home).stages.empty());
}

void TestCoordinatorMemory::stoppedWhileAPlanIsLookedFor() {
    Home home(2);
    home.request.plan = home.plan();
    home.holdsRounds = true;
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Training, 60000);
    Q_EMIT home.agent.workerExited(Home::id(2), {QStringLiteral("child.out-of-memory"),
                                                 QStringLiteral("The worker on local-2 was ended by the system."),
                                                 {},
                                                 QStringLiteral("Close other programs there.")});
    QCOMPARE(home.coordinator->state(), RunState::Training);
    home.command("pause");
    home.command("stop");
    QCOMPARE(home.coordinator->state(), RunState::Failed);
    verifyFailed(home);
    QCOMPARE(home.lastError().advice, QStringLiteral("Close other programs there."));
}

void TestCoordinatorMemory::measuringTakesTooMuch() {
    Home home(2);
    home.memoryBytes = 20'000'000;
    home.silent[2] = QStringLiteral("profile");
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Profiling, 60000);
    Q_EMIT home.agent.workerExited(Home::id(2), {QStringLiteral("child.out-of-memory"),
                                                 QStringLiteral("The worker on local-2 was ended by the system."),
                                                 {},
                                                 {}});
    verifyFailed(home);
    const Error error = home.lastError();
    QVERIFY2(error.cause.contains(QLatin1String("local-2 has 20,000,000 bytes")), qPrintable(error.cause));
    QVERIFY2(error.advice.contains(QLatin1String("up to 32 samples")), qPrintable(error.advice));
}

void TestCoordinatorMemory::aRunTellsWhoHasNoRoomForTheVersionsItKeeps() {
    Home roomy(2);
    roomy.request.plan = roomy.plan();
    roomy.holdsRounds = true;
    roomy.start();
    QTRY_COMPARE_WITH_TIMEOUT(roomy.coordinator->state(), RunState::Training, 60000);
    QVERIFY(roomy.events(QStringLiteral("warning")).empty());
    // With room for what workers usually keep, and without any: a plan that a person gave is not refused for that.
    for (const auto &bytes : {announcedPlan(roomy).prediction->memoryBytes, bareBytes(roomy)}) {
        Home tight(2);
        tight.request.plan = tight.plan();
        tight.holdsRounds = true;
        tight.memoryBytes = *std::max_element(bytes.begin(), bytes.end());
        tight.start();
        QTRY_COMPARE_WITH_TIMEOUT(tight.coordinator->state(), RunState::Training, 60000);
        QCOMPARE(announcedPlan(tight).prediction->memoryBytes, bytes);
        const auto warnings = tight.events(QStringLiteral("warning"));
        QCOMPARE(warnings.size(), std::size_t(1));
        const auto told = std::get<event::Warning>(warnings.front().body);
        QVERIFY2(told.what.startsWith(QLatin1String("The memory of local-")), qPrintable(told.what));
        QVERIFY2(told.cause.contains(QLatin1String(" bytes (")), qPrintable(told.cause));
    }
}

void TestCoordinatorMemory::aPlanLeavesRoomForTheStatesThatWorkersKeep() {
    Home roomy(2);
    roomy.request.plan.reset();
    roomy.holdsRounds = true;
    roomy.start();
    QTRY_COMPARE_WITH_TIMEOUT(roomy.coordinator->state(), RunState::Training, 60000);
    const PlanningProblem problem = savedProblem(roomy);
    QCOMPARE(problem.keptStates, 4);
    QCOMPARE(problem.keptCopies, 2);
    const Plan first = announcedPlan(roomy);
    const auto bytes = first.prediction->memoryBytes;
    auto expected = bareBytes(roomy);
    const StateHolders copies = defaultCopies(CostModel(problem), first);
    for (const PlanStage &stage : first.stages) {
        for (int l = stage.firstLayer; l < stage.lastLayer; ++l) {
            for (const Share &share : stage.shares)
                expected[share.device] += 4 * stateBytes(problem, l);
            for (const QString &holder : copies.of(l))
                expected[holder] += 2 * stateBytes(problem, l);
        }
    }
    QCOMPARE(bytes, expected);

    // One device lacks a byte for them.
    const QString fullest = bytes.key(*std::max_element(bytes.begin(), bytes.end()));
    Home tight(2);
    tight.request.plan.reset();
    tight.holdsRounds = true;
    tight.memoryOf[fullest == Home::id(1) ? 1 : 2] = bytes[fullest] - 1;
    tight.start();
    QTRY_COMPARE_WITH_TIMEOUT(tight.coordinator->state(), RunState::Training, 60000);
    QCOMPARE(savedProblem(tight).keptStates, 4);
    QCOMPARE(savedProblem(tight).keptCopies, 2);
    const Plan other = announcedPlan(tight);
    QVERIFY(other.stages != first.stages || other.microBatch != first.microBatch);
    QVERIFY(other.prediction->fits);
    QVERIFY(evaluate(savedProblem(tight), other)->fits);
}

void TestCoordinatorMemory::whereNoPlanHasRoomForThemTheRunTrainsAndIsTold() {
    const auto begin = [](Home &home) {
        home.request.plan.reset();
        home.request.planner = QStringLiteral("single");
        home.request.job.microBatch = 32;
        home.holdsRounds = true;
        home.start();
    };
    Home roomy(1);
    begin(roomy);
    QTRY_COMPARE_WITH_TIMEOUT(roomy.coordinator->state(), RunState::Training, 60000);
    QCOMPARE(savedProblem(roomy).keptStates, 3);  // alone: no version is on its way
    QVERIFY(roomy.events(QStringLiteral("warning")).empty());
    const auto bare = bareBytes(roomy);

    Home tight(1);
    tight.memoryBytes = bare[Home::id(1)];
    begin(tight);
    QTRY_COMPARE_WITH_TIMEOUT(tight.coordinator->state(), RunState::Training, 60000);
    QCOMPARE(announcedPlan(tight).prediction->memoryBytes, bare);
    QVERIFY(announcedPlan(tight).prediction->fits);
    QCOMPARE(savedProblem(tight).keptStates, 0);  // by which the plan was judged
    const auto warnings = tight.events(QStringLiteral("warning"));
    QCOMPARE(warnings.size(), std::size_t(1));
    QCOMPARE(std::get<event::Warning>(warnings.front().body).what,
             QStringLiteral("The memory of local-1 may not do for the versions that a run keeps."));
}

void TestCoordinatorMemory::aLossIsSurvivedWithoutRoomForThem() {
    PlanningProblem problem = test::smallHome(3, 2);
    problem.keptStates = 4;
    problem.devices[0].memoryBytes = 1'000'000;  // three layers of 300 kB, and no state more
    const Plan plan = test::planOfStages(problem, {{1, 1}, {2, 1}});
    ReplayRequest asked;
    asked.lost = {test::id(1)};
    StateHolders copies;
    for (int layer = 0; layer < 3; ++layer)
        copies.add(layer, test::id(0));
    asked.copies = copies;
    std::optional<Result<Replay>> answer;
    ReplayTask task;
    connect(&task, &ReplayTask::finished, this, [&](const Replay &replay) { answer = replay; });
    connect(&task, &ReplayTask::failed, this, [&](const Error &error) { answer = tl::unexpected(error); });
    task.start(problem, plan, asked, defaultPlanner(), false);
    QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), 60000);
    QVERIFY2(*answer, *answer ? "" : qPrintable(answer->error().toString()));
    QVERIFY((*answer)->plan.prediction->fits);
    QCOMPARE((*answer)->plan.deviceCount(), 1);
}

QTEST_GUILESS_MAIN(TestCoordinatorMemory)
#include "test_coordinator_memory.moc"
