// The rest between rounds in which devices measure what a run has only guessed.
#include "core/profile/profile_store.h"
#include "recovery_checks.h"

using namespace hearth;
using namespace hearth::fake;

namespace {

/// Devices that have measured another network, and guess this one well.
class GuessingHome : public Home {
  public:
    explicit GuessingHome(int rounds = 100'000) : Home(2) {
        makeEndless(*this);
        request.job.rounds = rounds;
        request.model = *loadModel(QStringLiteral("mobilenetv2-cifar"));
        asDescribed = 300;
        computeSeconds = 0.6;  // long enough to say how fast it is
        remember(QStringLiteral("mobilenetv2"));
    }

    QStringList states() const {
        QStringList all;
        for (const RunEvent &each : events(QStringLiteral("state")))
            all << std::get<event::State>(each.body).state;
        return all;
    }

    /// A break has begun, and has ended.
    bool hasRested() const { return states().count(QStringLiteral("profiling")) > 1 && isTraining(); }
    bool isTraining() const { return lastState() == QLatin1String("training"); }

    std::vector<ModelProfile> stored() const {
        std::vector<ModelProfile> profiles;
        for (const StoredProfile &each : ProfileStore(request.profiles).profiles()) {
            if (each.profile.modelSha256 == QLatin1String(request.model.sha256()))
                profiles.push_back(each.profile);
        }
        return profiles;
    }
};

/// They measure until something comes between.
bool rests(GuessingHome &home) {
    home.silent = {{1, QStringLiteral("profile")}, {2, QStringLiteral("profile")}};
    home.start(quick());
    const bool begun = comes([&] { return home.states().count(QStringLiteral("profiling")) == 2; });
    home.silent.clear();
    return begun;
}

}  // namespace

class TestMeasuringBreak : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void devicesMeasureOnceWhatWasGuessed();
    void aShortRunMeasuresNothing();
    void aRunThatKeepsItsPlanMeasuresBeforeIt();
    void whoHasNoRoomForBothKeepsItsGuess_data();
    void whoHasNoRoomForBothKeepsItsGuess();
    void whoCannotMeasureKeepsItsGuess();
    void aPauseComesFirst();
    void anOrderComesFirst_data();
    void anOrderComesFirst();
    void aStopComesFirst();
    void aLossComesFirst();
};

void TestMeasuringBreak::devicesMeasureOnceWhatWasGuessed() {
    GuessingHome home;
    home.holdsAfter = 2;
    QVERIFY(trains(home, 2));
    home.probed.clear();
    home.holdsAfter = 1LL << 40;
    home.resumeRounds();
    QVERIFY(comes([&] { return home.hasRested(); }));
    const qint64 rested = home.reported;
    QVERIFY(rested >= 4);
    QCOMPARE(home.briefPasses, 2);
    QCOMPARE(home.wholeProfiles, 0);
    QVERIFY(home.probed.empty());  // the links are known
    QVERIFY(comes([&] { return home.reported >= rested + 20; }));
    QCOMPARE(home.states(),
             (QStringList{QStringLiteral("profiling"), QStringLiteral("planning"), QStringLiteral("training"),
                          QStringLiteral("profiling"), QStringLiteral("training")}));
    QCOMPARE(home.briefPasses, 2);
    const std::vector<ModelProfile> stored = home.stored();
    QCOMPARE(stored.size(), std::size_t(2));
    for (const ModelProfile &each : stored)
        QVERIFY(each.times.isPredicted() && !each.times.isGuess());
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
    // No round was repeated, nor left out.
    const auto rounds = home.events(QStringLiteral("round"));
    for (std::size_t i = 0; i < rounds.size(); ++i)
        QCOMPARE(std::get<event::Round>(rounds[i].body).round, static_cast<qint64>(i) + 1);
}

void TestMeasuringBreak::aShortRunMeasuresNothing() {
    GuessingHome home(40);
    home.start(quick());
    QVERIFY(reaches(home, RunState::Finished));
    QCOMPARE(home.briefPasses, 0);
    QCOMPARE(home.states().count(QStringLiteral("profiling")), 1);
    QVERIFY(home.stored().empty());
}

void TestMeasuringBreak::aRunThatKeepsItsPlanMeasuresBeforeIt() {
    GuessingHome home;
    home.request.safety.keepsPlan = true;
    QVERIFY(trains(home, 20));
    QCOMPARE(home.briefPasses, 2);
    QCOMPARE(home.states().count(QStringLiteral("profiling")), 1);
}

void TestMeasuringBreak::whoHasNoRoomForBothKeepsItsGuess_data() {
    QTest::addColumn<qint64>("spare");
    QTest::newRow("room for both") << (qint64{4} << 30);
    QTest::newRow("no more than the plan takes") << qint64{1'000'000};
}

void TestMeasuringBreak::whoHasNoRoomForBothKeepsItsGuess() {
    QFETCH(qint64, spare);
    GuessingHome before(3);
    before.start(quick());
    QVERIFY(reaches(before, RunState::Finished));
    const auto plan = Plan::fromJson(eventOf<event::Plan>(before, "plan").plan, QStringLiteral("test"));
    QVERIFY(plan && plan->prediction && plan->prediction->fits);
    GuessingHome home;
    for (const int number : {1, 2})
        home.memoryOf[number] = plan->prediction->memoryBytes.value(Home::id(number)) + spare;
    const bool isRoomy = spare > 1 << 30;
    home.start(quick());
    QVERIFY(comes([&] { return home.reported >= 30 && (!isRoomy || home.hasRested()); }));
    QCOMPARE(home.briefPasses, isRoomy ? 2 : 0);
    QCOMPARE(home.states().count(QStringLiteral("profiling")), isRoomy ? 2 : 1);
}

void TestMeasuringBreak::whoCannotMeasureKeepsItsGuess() {
    GuessingHome home;
    home.fails[1] = QStringLiteral("profile");
    home.start(quick());
    QVERIFY(comes([&] { return home.hasRested(); }));
    const qint64 rested = home.reported;
    QVERIFY(comes([&] { return home.reported >= rested + 20; }));
    QCOMPARE(home.states().count(QStringLiteral("profiling")), 2);
    const std::vector<ModelProfile> stored = home.stored();
    QCOMPARE(stored.size(), std::size_t(1));
    QCOMPARE(stored.front().device, Home::id(2));
}

void TestMeasuringBreak::aPauseComesFirst() {
    GuessingHome home;
    QVERIFY(rests(home));
    const qint64 done = home.reported;
    home.command("pause");
    QVERIFY(reaches(home, RunState::Paused));
    QCOMPARE(home.lastState(), QStringLiteral("paused"));
    QCOMPARE(home.reported, done);
    QCOMPARE(home.briefPasses, 0);
    home.command("resume");
    QVERIFY(comes([&] { return home.briefPasses == 2 && home.isTraining() && home.reported > done; }));
}

void TestMeasuringBreak::anOrderComesFirst_data() {
    QTest::addColumn<QString>("order");
    QTest::addColumn<QString>("told");
    QTest::newRow("an evaluation") << QStringLiteral("evaluate") << QStringLiteral("evaluation");
    QTest::newRow("weights are saved") << QStringLiteral("save") << QStringLiteral("checkpoint");
}

void TestMeasuringBreak::anOrderComesFirst() {
    QFETCH(QString, order);
    QFETCH(QString, told);
    GuessingHome home;
    QVERIFY(rests(home));
    const qint64 done = home.reported;
    home.coordinator->command({{QStringLiteral("command"), order},
                               {QStringLiteral("path"), home.folder.filePath(QStringLiteral("mine.safetensors"))}});
    QVERIFY(comes([&] { return !home.events(told).empty(); }));
    const RunEventBody body = home.events(told).front().body;
    const auto *evaluation = std::get_if<event::Evaluation>(&body);
    QCOMPARE(evaluation ? evaluation->round : static_cast<qint64>(std::get<event::Checkpoint>(body).version), done);
    // After that devices measure all the same.
    QVERIFY(comes([&] { return home.briefPasses == 2 && home.isTraining() && home.reported > done; }));
}

void TestMeasuringBreak::aStopComesFirst() {
    GuessingHome home;
    QVERIFY(rests(home));
    const qint64 done = home.reported;
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
    QVERIFY(home.reported <= done + 1);  // states may have to become whole
    QCOMPARE(home.briefPasses, 0);
}

void TestMeasuringBreak::aLossComesFirst() {
    GuessingHome home;
    QVERIFY(rests(home));
    const qint64 done = home.reported;
    home.worker(2)->die();
    QVERIFY(comes([&] { return count(home, "recovered") > 0; }));
    QCOMPARE(lastEvent<event::Lost>(home, "lost").id, Home::id(2));
    // After that devices measure all the same.
    QVERIFY(comes([&] { return home.briefPasses > 0 && home.isTraining() && home.reported > done; }));
}

QTEST_GUILESS_MAIN(TestMeasuringBreak)
#include "test_measuring_break.moc"
