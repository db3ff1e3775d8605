#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>
#include <algorithm>

#include "core/base/json_reader.h"
#include "core/run/recovery_choice.h"
#include "recovery_checks.h"

using namespace hearth;
using namespace hearth::fake;

namespace {

/// Of this program, as long as it lives.
struct OwnVersion {
    explicit OwnVersion(const QString &version) { QCoreApplication::setApplicationVersion(version); }
    ~OwnVersion() { QCoreApplication::setApplicationVersion({}); }
};

}  // namespace

/// Other plans while a run goes on: devices come, return and leave, and people have wishes.
class TestCoordinatorPlans : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aDeviceComesBack();
    void anotherLibraryIsRefused();
    void anotherVersionIsToldOnce();
    void whoDoesNotUnderstandForItsVersionIsShutOutUntilItIsUpdated();
    void everythingGatheredAndGivenOut();
    void statesThatCannotBeGatheredComeFromTheDisk();
    void aNewDeviceIsMeasuredAndTaken();
    void nobodyElseIsMeasuredForANewDevice();
    void aBetterPlanIsOffered();
    void anOfferThatWasTakenSurvivesAChange_data();
    void anOfferThatWasTakenSurvivesAChange();
    void aPersonsPlanSurvivesTheCoordinator();
    void aPersonsPlanIsTakenAtTheNextRound();
    void aPersonsPlanThatCannotBeIsRefused();
    void aDeviceLeavesPolitely();
    void aDeviceThatLeftComesBack_data();
    void aDeviceThatLeftComesBack();
    void aRunWaitsWhileItsLastDeviceRests();
    void aDeviceThatTheRunNeedsStays();
    void aDeviceThatIsSentAwayAndDiesStaysAway();
};

void TestCoordinatorPlans::aDeviceComesBack() {
    Home home(2);
    makeEndless(home);
    home.diesInRound = 3;
    home.start(quick());
    QVERIFY(comes([&] { return count(home, "joined") == std::size_t(1); }));
    QCOMPARE(eventOf<event::Joined>(home, "joined").id, Home::id(2));
    // Two equal devices are faster than one: the plan of both comes back.
    QVERIFY(comes([&] { return count(home, "plan") >= 3; }));
    const auto plan = lastEvent<event::Plan>(home, "plan");
    // It may be there before the look for a better plan without it has ended.
    QVERIFY(plan.reason == QLatin1String("join") || plan.reason == QLatin1String("full"));
    QVERIFY2(plan.why.contains(QLatin1Char('%')), qPrintable(plan.why));
    const qint64 first = plan.round;
    QVERIFY(comes([&] { return home.reported > first; }));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorPlans::anotherLibraryIsRefused() {
    Home home(2);
    makeEndless(home);
    QVERIFY(trains(home, 2));
    home.library = QStringLiteral("fake 2");
    home.worker(2)->die();
    QVERIFY(comes([&] { return !home.events(QStringLiteral("warning")).empty(); }));
    const auto warning = eventOf<event::Warning>(home, "warning");
    QVERIFY(warning.what.contains(QLatin1String("local-2")));
    QVERIFY(warning.cause.contains(QLatin1String("fake 2")) && warning.cause.contains(QLatin1String("fake 1")));
    QCOMPARE(count(home, "joined"), std::size_t(0));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorPlans::anotherVersionIsToldOnce() {
    const OwnVersion own(QStringLiteral("0.1.0+7"));
    Home home(2);
    makeEndless(home);
    home.versionOf = {{1, QStringLiteral("0.1.0+7")}, {2, QStringLiteral("0.1.0+6")}};
    QVERIFY(trains(home, 2));
    const auto told = eventOf<event::Warning>(home, "warning");
    QCOMPARE(told.what, QStringLiteral("local-2 has version 0.1.0+6 of Hearth, and this run has 0.1.0+7."));
    QVERIFY(told.advice.contains(QStringLiteral("hearth install")));
    home.worker(2)->die();
    QVERIFY(comes([&] { return count(home, "joined") == std::size_t(1); }));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
    const auto warnings = home.events(QStringLiteral("warning"));
    QCOMPARE(std::ranges::count_if(
                 warnings, [&](const RunEvent &each) { return std::get<event::Warning>(each.body).what == told.what; }),
             1);
}

void TestCoordinatorPlans::whoDoesNotUnderstandForItsVersionIsShutOutUntilItIsUpdated() {
    const OwnVersion own(QStringLiteral("0.1.0+7"));
    Home home(3);
    makeEndless(home);
    home.versionOf = {{2, QStringLiteral("0.1.0+6")}};
    home.misunderstands = {2};
    QVERIFY(trains(home, 1));
    const std::size_t before = count(home, "round");
    QVERIFY(comes([&] { return count(home, "round") >= before + 40; }));
    QCOMPARE(count(home, "lost"), std::size_t(1));
    const auto lost = eventOf<event::Lost>(home, "lost");
    QCOMPARE(lost.id, Home::id(2));
    QVERIFY2(lost.cause.contains(QStringLiteral("0.1.0+6")), qPrintable(lost.cause));
    QCOMPARE(home.agent.started.count(Home::id(2)), 1);
    // Its agent starts anew, and is what it was.
    home.becomes(2, DeviceState::Lost);
    home.becomes(2, DeviceState::Ready);
    QVERIFY(comes([&] { return home.agent.stopped.count(Home::id(2)) == 2; }));
    QCOMPARE(count(home, "joined"), std::size_t(0));
    home.versionOf.clear();
    home.misunderstands.clear();
    home.becomes(2, DeviceState::Lost);
    home.becomes(2, DeviceState::Ready);
    QVERIFY(comes([&] { return count(home, "joined") == std::size_t(1); }));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorPlans::everythingGatheredAndGivenOut() {
    Home home(3);
    home.request.plan = home.plan();
    home.request.job.rounds = 8;
    home.request.job.evaluateEvery = 0;
    home.request.safety.heavy = true;
    home.returns = false;
    home.diesInRound = 6;
    home.start(quick());
    QVERIFY(comes([&] { return !home.lastState().isEmpty() && home.coordinator->state() >= RunState::Finished; }));
    QVERIFY2(home.lastError().code.isEmpty(), qPrintable(home.lastError().toString()));
    QVERIFY(reaches(home, RunState::Finished));
    const auto told = eventOf<event::Recovered>(home, "recovered");
    QCOMPARE(told.method, QStringLiteral("heavy"));
    QCOMPARE(qint64(told.fromVersion), 5);
    // All layers came here and went to their owners, one each.
    qint64 bytes = 0;
    for (const StateLayer &layer : stateLayersOf(home.request.model, DType::Float32, {1}))
        bytes += layer.bytes;
    QVERIFY2(told.movedBytes >= bytes, qPrintable(QString::number(told.movedBytes)));
    verifyRounds(home);
}

void TestCoordinatorPlans::statesThatCannotBeGatheredComeFromTheDisk() {
    Home home(3);
    home.request.plan = home.plan();
    home.request.job.rounds = 8;
    home.request.job.evaluateEvery = 0;
    home.request.safety.heavy = true;
    home.request.safety.checkpointSeconds = 0;
    home.returns = false;
    home.diesInRound = 6;
    home.fails[3] = QStringLiteral("state.get");
    home.start(quick());
    QVERIFY(comes([&] { return home.coordinator->state() >= RunState::Finished; }));
    QVERIFY2(home.lastError().code.isEmpty(), qPrintable(home.lastError().toString()));
    QCOMPARE(eventOf<event::Recovered>(home, "recovered").method, QStringLiteral("disk"));
    verifyRounds(home);
}

void TestCoordinatorPlans::aNewDeviceIsMeasuredAndTaken() {
    Home home(2);
    makeEndless(home);
    QVERIFY(trains(home, 2));
    home.becomes(3, DeviceState::Ready);
    QVERIFY(comes([&] { return count(home, "joined") == std::size_t(1); }));
    QVERIFY(comes([&] { return count(home, "plan") >= 2; }));
    const auto plan = lastEvent<event::Plan>(home, "plan");
    QCOMPARE(plan.reason, QStringLiteral("join"));
    QVERIFY(QJsonDocument(plan.plan).toJson().contains(Home::id(3).toLatin1()));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

/// Those that train would stand still for it, and need the memory.
void TestCoordinatorPlans::nobodyElseIsMeasuredForANewDevice() {
    Home home(2);
    makeEndless(home);
    QVERIFY(trains(home, 2));
    // As where a device could not measure the largest sizes, or has left what was predicted.
    QVERIFY(QDir(home.request.profiles).removeRecursively());
    home.fails[1] = home.fails[2] = QStringLiteral("profile");
    home.becomes(3, DeviceState::Ready);
    QVERIFY(comes([&] { return count(home, "plan") >= 2; }));
    QVERIFY(QJsonDocument(lastEvent<event::Plan>(home, "plan").plan).toJson().contains(Home::id(3).toLatin1()));
    QCOMPARE(count(home, "warning"), std::size_t(0));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorPlans::aBetterPlanIsOffered() {
    Home home(2);
    makeEndless(home);
    home.request.safety.join = JoinPolicy::Offer;
    home.diesInRound = 3;
    home.start(quick());
    QVERIFY(comes([&] { return count(home, "warning") == std::size_t(1); }));
    const auto offer = eventOf<event::Warning>(home, "warning");
    QVERIFY2(offer.advice.contains(QLatin1String("hearth accept-plan")), qPrintable(offer.advice));
    const auto plans = count(home, "plan");
    home.command("accept-plan");
    QVERIFY(comes([&] { return count(home, "plan") == plans + 1; }));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorPlans::anOfferThatWasTakenSurvivesAChange_data() {
    QTest::addColumn<bool>("leaves");
    QTest::newRow("a link breaks: it is taken after the recovery") << false;
    QTest::newRow("its device leaves: that is said") << true;
}

void TestCoordinatorPlans::anOfferThatWasTakenSurvivesAChange() {
    QFETCH(bool, leaves);
    Home home(3);
    makeEndless(home);
    home.request.safety.join = JoinPolicy::Offer;
    home.diesInRound = 3;
    home.start(quick());
    QVERIFY(comes([&] { return count(home, "warning") == std::size_t(1); }));
    const auto plans = count(home, "plan");
    home.holdsRounds = true;  // no boundary comes once a round is under way
    QVERIFY(comes([&] { return home.inputSamples[home.reported + 1] > 0; }));
    home.command("accept-plan");
    if (leaves) {
        home.becomes(2, DeviceState::Leaving);
    } else {
        home.worker(1)->tellLost(*home.worker(3), {});
        QVERIFY(comes([&] { return count(home, "warning") == std::size_t(2); }));
    }
    home.resumeRounds();
    if (leaves) {
        QVERIFY(comes([&] { return count(home, "left") == 1 && count(home, "warning") == std::size_t(2); }));
        QVERIFY(
            lastEvent<event::Warning>(home, "warning").advice.startsWith(QLatin1String("The plan in force stays.")));
    } else {
        QVERIFY(comes([&] { return count(home, "plan") >= plans + 2; }));
        QCOMPARE(lastEvent<event::Plan>(home, "plan").reason, QStringLiteral("join"));
    }
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorPlans::aPersonsPlanSurvivesTheCoordinator() {
    Home home(3);
    makeEndless(home);
    QVERIFY(trains(home, 2));
    home.coordinator->command({{QStringLiteral("command"), QStringLiteral("plan")},
                               {QStringLiteral("plan"), QCborMap::fromJsonObject(home.plan())}});
    QVERIFY(comes([&] { return lastEvent<event::Plan>(home, "plan").reason == QLatin1String("user"); }));
    home.request.again = true;
    startAgain(home);
    QVERIFY(comes([&] { return count(home, "recovered") == 1; }));
    home.worker(2)->die();
    QVERIFY(comes([&] { return lastEvent<event::Plan>(home, "plan").why.contains(QLatin1String("the given plan")); }));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorPlans::aPersonsPlanIsTakenAtTheNextRound() {
    Home home(3);
    makeEndless(home);
    home.request.safety.keepsPlan = true;
    QVERIFY(trains(home, 2));
    home.coordinator->command({{QStringLiteral("command"), QStringLiteral("plan")},
                               {QStringLiteral("plan"), QCborMap::fromJsonObject(home.plan())}});
    QVERIFY(comes([&] { return count(home, "plan") == std::size_t(2); }));
    const auto plan = eventOf<event::Plan>(home, "plan", 1);
    QCOMPARE(plan.reason, QStringLiteral("user"));
    const auto problem =
        readJsonFile(home.directory->file(QStringLiteral("problem-%1.json").arg(plan.term)))
            .and_then([](const QJsonObject &json) { return PlanningProblem::fromJson(json, QStringLiteral("it")); });
    QVERIFY(problem);
    QCOMPARE(problem->devices.size(), std::size_t(3));
    QCOMPARE(plan.plan[QStringLiteral("stages")].toArray().size(), 2);
    QVERIFY(comes([&] { return home.reported > plan.round; }));
    QCOMPARE(count(home, "recovered"), std::size_t(0));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorPlans::aPersonsPlanThatCannotBeIsRefused() {
    Home home(2);
    makeEndless(home);
    QVERIFY(trains(home, 2));
    QJsonObject wrong = home.plan();
    wrong[QStringLiteral("batch")] = 48;
    home.coordinator->command({{QStringLiteral("command"), QStringLiteral("plan")},
                               {QStringLiteral("plan"), QCborMap::fromJsonObject(wrong)}});
    QVERIFY(comes([&] { return count(home, "warning") == std::size_t(1); }));
    const qint64 before = home.reported;
    QVERIFY(comes([&] { return home.reported > before + 2; }));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorPlans::aDeviceLeavesPolitely() {
    Home home(3);
    home.request.plan = home.plan();
    home.request.job.rounds = 60;
    home.roundPause = std::chrono::milliseconds(10);
    home.request.job.evaluateEvery = 0;
    home.request.safety.keepsPlan = true;
    QVERIFY(trains(home, 3));
    home.becomes(1, DeviceState::Leaving);
    QVERIFY(comes([&] { return count(home, "left") == std::size_t(1); }));
    QVERIFY(home.agent.stopped.contains(Home::id(1)));
    QCOMPARE(count(home, "lost"), std::size_t(0));
    QCOMPARE(count(home, "recovered"), std::size_t(0));
    const auto plan = eventOf<event::Plan>(home, "plan", 1);
    QCOMPARE(plan.reason, QStringLiteral("leave"));
    QVERIFY(!QJsonDocument(plan.plan[QStringLiteral("stages")].toArray()).toJson().contains(Home::id(1).toLatin1()));
    QVERIFY(reaches(home, RunState::Finished));
    verifyRounds(home);
}

void TestCoordinatorPlans::aDeviceThatLeftComesBack_data() {
    QTest::addColumn<bool>("sentAway");
    QTest::addColumn<bool>("rests");
    QTest::newRow("it announced its end, and was started again") << false << false;
    QTest::newRow("its owner let it rest for a while") << false << true;
    QTest::newRow("a person took it out of the run") << true << false;
}

void TestCoordinatorPlans::aDeviceThatLeftComesBack() {
    QFETCH(bool, sentAway);
    QFETCH(bool, rests);
    const bool comesBack = !sentAway;
    Home home(3);
    makeEndless(home);
    QVERIFY(trains(home, 3));
    if (sentAway) {
        home.coordinator->command(
            {{QStringLiteral("command"), QStringLiteral("leave")}, {QStringLiteral("device"), Home::id(2)}});
    } else {
        home.becomes(2, rests ? DeviceState::Resting : DeviceState::Leaving);
    }
    QVERIFY(comes([&] { return count(home, "left") == std::size_t(1); }));
    if (!rests)
        home.becomes(2, DeviceState::Lost);
    home.becomes(2, DeviceState::Ready);
    const std::size_t before = count(home, "round");
    QVERIFY(comes([&] { return count(home, comesBack ? "joined" : "round") >= (comesBack ? 1 : before + 20); }));
    QCOMPARE(count(home, "joined"), std::size_t(comesBack ? 1 : 0));
    QCOMPARE(count(home, "lost"), std::size_t(0));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorPlans::aRunWaitsWhileItsLastDeviceRests() {
    Home home(1);
    makeEndless(home);
    QVERIFY(trains(home, 3));
    home.becomes(1, DeviceState::Resting);
    QVERIFY(comes([&] { return count(home, "warning") == std::size_t(1); }));
    QCOMPARE(eventOf<event::Warning>(home, "warning").what, QStringLiteral("All devices of the run rest."));
    QVERIFY(comes([&] { return home.lastState() == QLatin1String("waiting"); }));
    home.becomes(1, DeviceState::Ready);
    const std::size_t before = count(home, "round");
    QVERIFY(comes([&] { return count(home, "round") >= before + 5; }));
    QCOMPARE(count(home, "lost"), std::size_t(0));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorPlans::aDeviceThatTheRunNeedsStays() {
    Home home(1);
    makeEndless(home);
    QVERIFY(trains(home, 3));
    home.coordinator->command(
        {{QStringLiteral("command"), QStringLiteral("leave")}, {QStringLiteral("device"), Home::id(1)}});
    QVERIFY(comes([&] { return count(home, "warning") == std::size_t(1); }));
    QVERIFY(eventOf<event::Warning>(home, "warning").what.contains(QLatin1String("local-1")));
    const std::size_t before = count(home, "round");
    QVERIFY(comes([&] { return count(home, "round") >= before + 5; }));
    QCOMPARE(count(home, "left"), std::size_t(0));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
    QVERIFY(QFile::exists(home.directory->weightsFile()));
}

void TestCoordinatorPlans::aDeviceThatIsSentAwayAndDiesStaysAway() {
    Home home(3);
    makeEndless(home);
    home.roundPause = std::chrono::milliseconds(200);
    QVERIFY(trains(home, 3));
    home.coordinator->command(
        {{QStringLiteral("command"), QStringLiteral("leave")}, {QStringLiteral("device"), Home::id(2)}});
    home.worker(2)->die();
    home.roundPause = std::chrono::milliseconds(10);
    const std::size_t before = count(home, "round");
    QVERIFY(comes([&] { return count(home, "round") >= before + 40; }));
    QCOMPARE(count(home, "joined"), std::size_t(0));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

QTEST_GUILESS_MAIN(TestCoordinatorPlans)
#include "test_coordinator_plans.moc"
