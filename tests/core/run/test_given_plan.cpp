#include <QJsonArray>
#include <QTest>

#include "core/base/priority.h"
#include "core/run/plan_run.h"
#include "fake_home.h"
#include "tests/core/base/thread_nice.h"
#include "tests/core/plan/replay_home.h"

using namespace hearth;
using fake::Home;

class TestGivenPlan : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void namesOfDevicesBecomeIds();
    void rejections_data();
    void rejections();
    void aRejectedPlanEndsTheRunBeforeAnyWorkerStarts();
    void onlyTheDevicesOfThePlanStart();
    void pipelinesSideBySideAreNotRun();
    void whatNobodyWaitsForIsPlannedBehindOthers();
};

namespace {

QJsonObject withName(QJsonObject plan, const QString &from, const QString &to) {
    QJsonArray stages = plan[QStringLiteral("stages")].toArray();
    for (QJsonValueRef stage : stages) {
        QJsonObject object = stage.toObject();
        QJsonObject shares = object[QStringLiteral("shares")].toObject();
        if (shares.contains(from))
            shares[to] = shares.take(from);
        object[QStringLiteral("shares")] = shares;
        stage = object;
    }
    plan[QStringLiteral("stages")] = stages;
    return plan;
}

}  // namespace

void TestGivenPlan::namesOfDevicesBecomeIds() {
    Home home(3);
    QJsonObject json = home.plan();
    for (int number = 1; number <= 3; ++number)
        json = withName(json, Home::id(number), Home::name(number));
    const auto plan = readGivenPlan(json, home.request.job, home.request.model, home.request.devices);
    QVERIFY2(plan, plan ? "" : qPrintable(plan.error().toString()));
    QCOMPARE(plan->stages[0].shares[0].device, Home::id(1));
    QCOMPARE(plan->stages[1].shares[1].device, Home::id(3));
    QCOMPARE(plan->stages[1].shares[1].samples, 12);
}

void TestGivenPlan::rejections_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("tells");
    const auto row = [](const char *name, const char *what, const char *tells) {
        QTest::newRow(name) << QString::fromLatin1(what) << QString::fromLatin1(tells);
    };
    row("another model", "hash", "hash differs");
    row("another number of layers", "layers", "layers");
    row("another batch", "batch", "batch");
    row("a micro-batch that the job does not want", "micro-batch", "fixes it to");
    row("a device nobody knows", "stranger", "takes no part");
    row("a misspelled device gets the nearest name", "misspelled", "Did you mean \"local-2\"?");
    row("a name that two devices have", "twins", "Name the device by its id.");
    row("a device that cannot be reached", "away", "cannot be reached");
    row("one device by id and by name", "twice", "local");
    row("no plan at all", "format", "hearth-plan/1");
}

void TestGivenPlan::rejections() {
    QFETCH(QString, what);
    QFETCH(QString, tells);
    Home home(3);
    QJsonObject json = home.plan();
    const auto is = [&what](const char *word) { return what == QLatin1String(word); };
    if (is("hash") || is("layers")) {
        QJsonObject model = json[QStringLiteral("model")].toObject();
        if (is("hash"))
            model[QStringLiteral("sha256")] = QString(64, QLatin1Char('a'));
        else
            home.request.model = *loadModel(QStringLiteral("mobilenetv2-cifar"));
        json[QStringLiteral("model")] = model;
    } else if (is("batch")) {
        home.request.job.batch = 64;
    } else if (is("micro-batch")) {
        home.request.job.microBatch = 8;
    } else if (is("stranger")) {
        json = withName(json, Home::id(2), QStringLiteral("kitchen"));
    } else if (is("misspelled")) {
        json = withName(json, Home::id(2), QStringLiteral("lokal-2"));
    } else if (is("twins")) {
        home.request.devices[2].name = Home::name(2);
        json = withName(json, Home::id(2), Home::name(2));
    } else if (is("away")) {
        home.request.devices[1].state = DeviceState::Lost;
    } else if (is("twice")) {
        json = withName(json, Home::id(3), Home::name(2));
        tells = QStringLiteral("twice");
    } else if (is("format")) {
        json = {{QStringLiteral("format"), QStringLiteral("hearth-job/1")}};
    }
    const auto plan = readGivenPlan(json, home.request.job, home.request.model, home.request.devices);
    QVERIFY(!plan);
    if (!is("twice"))
        QVERIFY2(plan.error().toString().contains(tells), qPrintable(plan.error().toString()));
}

void TestGivenPlan::aRejectedPlanEndsTheRunBeforeAnyWorkerStarts() {
    Home home(2);
    home.request.plan = withName(home.plan(), Home::id(2), QStringLiteral("kitchen"));
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("failed"), 60000);
    QCOMPARE(home.lastError().code, QStringLiteral("plan.misfit"));
    QVERIFY(home.agent.started.isEmpty());
}

void TestGivenPlan::pipelinesSideBySideAreNotRun() {
    Home home(2);
    auto plan = readGivenPlan(home.plan(), home.request.job, home.request.model, home.request.devices);
    QVERIFY(plan);
    plan->prediction = Prediction{};
    QVERIFY(checkFits(*plan, home.request.devices));
    plan->planner = QStringLiteral("hetpipe");
    plan->pipelines = {{plan->batch, plan->stages}};
    plan->stages.clear();
    const auto refused = checkFits(*plan, home.request.devices);
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, QStringLiteral("run.pipelines"));
    QVERIFY(refused.error().cause.contains(QStringLiteral("hetpipe")));
}

void TestGivenPlan::onlyTheDevicesOfThePlanStart() {
    Home home(2);
    home.request.plan = home.plan();
    DeviceInfo third = home.request.devices[1];
    third.id = Home::id(3);
    third.name = Home::name(3);
    home.request.devices.push_back(third);
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), 60000);
    QCOMPARE(home.agent.started.size(), 2);
}

void TestGivenPlan::whatNobodyWaitsForIsPlannedBehindOthers() {
    // So many that planning takes as long as it may.
    const PlanningProblem large = test::smallHome(120, 24);
    const auto isBehind = [] { return test::niceOfThreads().contains(backgroundNice); };
    PlanTask awaited;
    awaited.start(large, QStringLiteral("asteroid"), std::nullopt);
    QVERIFY(!isBehind());
    PlanTask background(PlanTask::Manner::Background);
    background.start(large, QStringLiteral("asteroid"), std::nullopt);
    QTRY_VERIFY_WITH_TIMEOUT(isBehind(), 60000);
}

QTEST_GUILESS_MAIN(TestGivenPlan)
#include "test_given_plan.moc"
