#include <QDir>
#include <QFile>
#include <QTest>

#include "core/model/catalogue.h"
#include "core/predict/home_prediction.h"
#include "core/profile/profile_store.h"
#include "fake_home.h"
#include "tests/core/base/patience.h"

using namespace hearth;
using fake::Home;

/// What a run measures before it plans, and what it keeps of that.
class TestCoordinatorMeasuring : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aProfileIsMeasuredOnce();
    void measuresAndEnds();
    void measuresOneDeviceAndItsLinks();
    void linksAreMeasuredWhileOthersMeasure();
    void measurementsAreStoredAtTheEndOrWhenThatIsStopped();
    void aLossMakesNobodyMeasureAgain();
    void measuresAgainOnlyWhenAsked();
    void batchesThatDoNotFitAreNotTriedAgain_data();
    void batchesThatDoNotFitAreNotTriedAgain();
    void measuresInBriefWhatCanBePredicted_data();
    void measuresInBriefWhatCanBePredicted();
    void aBriefPassThatDoesNotFitIsNoEnd();
    void theBenchmarkNetworkIsMeasuredOnce_data();
    void theBenchmarkNetworkIsMeasuredOnce();
    void aFirstPlanIsMadeOnPredictions_data();
    void aFirstPlanIsMadeOnPredictions();
    void whoseMemoryDoesNotDoByTheDescriptionMeasures();
    void aFirstDeploymentThatTakesMoreThanPredictedIsNoEnd_data();
    void aFirstDeploymentThatTakesMoreThanPredictedIsNoEnd();

  private:
    static std::vector<StoredProfile> profilesOf(const Home &home, const Model &model);
    /// Of a network that is predicted well.
    static void ofPredictable(Home &home);
    static Plan firstPlan(const Home &home);
};

void TestCoordinatorMeasuring::ofPredictable(Home &home) {
    home.request.model = *loadModel(QStringLiteral("mobilenetv2-cifar"));
    home.asDescribed = 300;
}

Plan TestCoordinatorMeasuring::firstPlan(const Home &home) {
    const auto plans = home.events(QStringLiteral("plan"));
    if (plans.empty())
        return {};
    return Plan::fromJson(std::get<event::Plan>(plans.front().body).plan, QStringLiteral("test")).value_or(Plan{});
}

std::vector<StoredProfile> TestCoordinatorMeasuring::profilesOf(const Home &home, const Model &model) {
    auto profiles = ProfileStore(home.request.profiles).profiles();
    std::erase_if(profiles, [sha256 = QString::fromLatin1(model.sha256())](const StoredProfile &each) {
        return each.profile.modelSha256 != sha256;
    });
    return profiles;
}

void TestCoordinatorMeasuring::aProfileIsMeasuredOnce() {
    Home home(1);
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
    const auto device = ProfileStore(home.request.profiles).loadDevice(Home::id(1));
    QVERIFY(device);
    QCOMPARE(device->runtimeBytes, 1000);  // as the worker said
    Home second(1);
    second.request.profiles = home.request.profiles;
    second.fails[1] = QStringLiteral("profile");
    second.start();
    QTRY_COMPARE_WITH_TIMEOUT(second.lastState(), QStringLiteral("finished"), patience);
}

void TestCoordinatorMeasuring::measuresAndEnds() {
    Home home(3);
    home.request.kind = RunKind::Measure;
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
    QVERIFY(home.events(QStringLiteral("plan")).empty());
    QVERIFY(home.events(QStringLiteral("round")).empty());
    QCOMPARE(std::get<event::Run>(home.events(QStringLiteral("run")).front().body).only, QStringLiteral("measure"));
    QCOMPARE(profilesOf(home, home.request.model).size(), std::size_t(3));
    QCOMPARE(profilesOf(home, benchmarkNetwork()).size(), std::size_t(3));
    QCOMPARE(ProfileStore(home.request.profiles).links().size(), std::size_t(6));
    QCOMPARE(home.agent.stopped.size(), 3);
}

void TestCoordinatorMeasuring::measuresOneDeviceAndItsLinks() {
    Home home(3);
    home.request.kind = RunKind::Measure;
    home.request.measured = {Home::id(2)};
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
    const ProfileStore store(home.request.profiles);
    QCOMPARE(profilesOf(home, home.request.model).size(), std::size_t(1));
    for (const StoredProfile &each : store.profiles())
        QCOMPARE(each.profile.device, Home::id(2));
    QCOMPARE(store.links().size(), std::size_t(4));
    for (const LinkProfile::Pair &link : store.links())
        QVERIFY(link.from == Home::id(2) || link.to == Home::id(2));
}

void TestCoordinatorMeasuring::linksAreMeasuredWhileOthersMeasure() {
    Home home(3);
    home.request.kind = RunKind::Measure;
    home.silent[3] = QStringLiteral("profile");
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.probed.size(), std::size_t(2), patience);
    QVERIFY(home.probed.contains({1, fake::key(2, 2).toHex()}));
    QVERIFY(home.probed.contains({2, fake::key(2, 1).toHex()}));
    QCOMPARE(home.coordinator->state(), RunState::Profiling);
}

void TestCoordinatorMeasuring::measurementsAreStoredAtTheEndOrWhenThatIsStopped() {
    Home home(3);
    home.request.kind = RunKind::Measure;
    home.silent[3] = QStringLiteral("profile");
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.probed.size(), std::size_t(2), patience);
    QVERIFY(!QFile::exists(home.request.profiles));
    home.command("stop");
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("stopped"), patience);
    QCOMPARE(profilesOf(home, home.request.model).size(), std::size_t(2));
    QCOMPARE(profilesOf(home, benchmarkNetwork()).size(), std::size_t(2));
    const ProfileStore store(home.request.profiles);
    QVERIFY(!store.links().empty());
    QVERIFY(store.loadDevice(Home::id(3)));
    QCOMPARE(Knowledge::load(knowledgeFile(home.request.profiles)).pairs().size(), std::size_t(3));
}

void TestCoordinatorMeasuring::aLossMakesNobodyMeasureAgain() {
    Home home(3);
    home.returns = false;
    home.silent[3] = QStringLiteral("profile");
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.probed.size(), std::size_t(2), patience);
    QCOMPARE(home.wholeProfiles, 2);
    home.becomes(3, DeviceState::Lost);
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
    QCOMPARE(home.wholeProfiles, 2);
    QCOMPARE(home.benchmarkProfiles, 2);
}

void TestCoordinatorMeasuring::measuresAgainOnlyWhenAsked() {
    Home first(2);
    first.request.kind = RunKind::Plan;
    first.start();
    QTRY_COMPARE_WITH_TIMEOUT(first.lastState(), QStringLiteral("finished"), patience);
    const auto whatIsStored = [&] {
        std::map<QString, QByteArray> files;
        const QDir folder(first.request.profiles);
        for (const QString &name : folder.entryList({QStringLiteral("*.json")}, QDir::Files)) {
            QFile file(folder.filePath(name));
            files[name] = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        }
        return files;
    };
    const auto before = whatIsStored();
    QCOMPARE(before.size(), std::size_t(4));  // each device's of the benchmark network, too

    Home again(2);
    again.request.profiles = first.request.profiles;
    again.request.kind = RunKind::Plan;
    again.request.measureAgain = true;
    again.fails[2] = QStringLiteral("profile");
    again.start();
    QTRY_COMPARE_WITH_TIMEOUT(again.lastState(), QStringLiteral("failed"), patience);
    // Only a whole new measurement takes the place of the one before.
    QVERIFY(whatIsStored() == before);

    Home one(2);
    one.request.profiles = first.request.profiles;
    one.request.kind = RunKind::Measure;
    one.request.measureAgain = true;
    one.request.measured = {Home::id(1)};
    one.fails[2] = QStringLiteral("profile");  // is not asked
    one.slower = 3;
    one.start();
    QTRY_COMPARE_WITH_TIMEOUT(one.lastState(), QStringLiteral("finished"), patience);
    int changed = 0;
    for (const auto &[name, content] : whatIsStored())
        changed += before.at(name) != content;
    QCOMPARE(changed, 2);
}

void TestCoordinatorMeasuring::batchesThatDoNotFitAreNotTriedAgain_data() {
    QTest::addColumn<int>("gigabytes");
    QTest::addColumn<int>("profiles");
    QTest::newRow("with as much memory as then") << 100 << 0;
    QTest::newRow("with less") << 50 << 0;
    QTest::newRow("with a little more") << 105 << 0;
    QTest::newRow("with twice as much they may fit") << 200 << 1;
}

void TestCoordinatorMeasuring::batchesThatDoNotFitAreNotTriedAgain() {
    QFETCH(int, gigabytes);
    QFETCH(int, profiles);
    Home home(1);
    home.request.kind = RunKind::Measure;
    home.request.measureAll = true;
    home.memoryBytes = 100'000'000'000;
    home.sizesThatFit = {1, 16};  // of 32
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
    QCOMPARE(home.wholeProfiles, 1);
    Home again(1);
    again.request.profiles = home.request.profiles;
    again.request.kind = RunKind::Measure;
    again.request.measureAll = true;
    again.memoryBytes = gigabytes * qint64{1'000'000'000};
    again.start();
    QTRY_COMPARE_WITH_TIMEOUT(again.lastState(), QStringLiteral("finished"), patience);
    QCOMPARE(again.wholeProfiles, profiles);
    const auto stored = profilesOf(again, again.request.model);
    QCOMPARE(stored.size(), std::size_t(1));
    QCOMPARE(stored.front().profile.times.batch.back(), profiles > 0 ? 32 : 16);
    QCOMPARE(stored.front().profile.endOfMemoryBytes, profiles > 0 ? 0 : home.memoryBytes);
}

void TestCoordinatorMeasuring::measuresInBriefWhatCanBePredicted_data() {
    QTest::addColumn<double>("asDescribed");
    QTest::addColumn<bool>("all");
    QTest::addColumn<bool>("isBrief");
    QTest::newRow("layers that take what one expects are predicted") << 300.0 << false << true;
    QTest::newRow("nothing is predicted where all takes a moment") << 0.03 << false << false;
    QTest::newRow("where that is asked for all is measured") << 300.0 << true << false;
    QTest::newRow("what cannot be predicted is measured wholly") << 0.0 << false << false;
}

void TestCoordinatorMeasuring::measuresInBriefWhatCanBePredicted() {
    QFETCH(double, asDescribed);
    QFETCH(bool, all);
    QFETCH(bool, isBrief);
    Home home(2);
    home.asDescribed = asDescribed;
    if (asDescribed > 0)
        home.remember(QStringLiteral("mobilenetv2"));
    home.request.kind = RunKind::Plan;
    home.request.measureAll = all;
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
    QCOMPARE(home.wholeProfiles, isBrief ? 0 : 2);
    QCOMPARE(home.unitsAsked[1], isBrief ? BriefProfile::probeCount : 0);
    const auto plan = Plan::fromJson(std::get<event::Plan>(home.events(QStringLiteral("plan")).front().body).plan, {});
    QCOMPARE(plan->prediction->relativeError.has_value(), isBrief);
    const auto stored = profilesOf(home, home.request.model);
    QCOMPARE(stored.size(), std::size_t(2));
    for (const StoredProfile &each : stored) {
        const TimeTable &times = each.profile.times;
        QCOMPARE(times.isPredicted(), isBrief);
        for (std::size_t l = 0; l < times.forward.size() && isBrief; ++l) {
            const double real =
                asDescribed * layerWork(home.request.model.layers[l], DType::Float32).seconds(times.batch.back());
            QVERIFY(std::abs(times.forward[l].back() / real - 1) < 0.1);
        }
    }

    // What was measured in brief is known the next time, but not to who wants all.
    Home again(2);
    again.asDescribed = asDescribed;
    again.request.profiles = home.request.profiles;
    again.request.kind = RunKind::Plan;
    again.start();
    QTRY_COMPARE_WITH_TIMEOUT(again.lastState(), QStringLiteral("finished"), patience);
    QCOMPARE(again.wholeProfiles + again.unitsAsked[1], 0);
    Home whole(2);
    whole.asDescribed = asDescribed;
    whole.request.profiles = home.request.profiles;
    whole.request.kind = RunKind::Plan;
    whole.request.measureAll = true;
    whole.start();
    QTRY_COMPARE_WITH_TIMEOUT(whole.lastState(), QStringLiteral("finished"), patience);
    QCOMPARE(whole.wholeProfiles, isBrief ? 2 : 0);
    QVERIFY(!profilesOf(home, home.request.model).front().profile.times.isPredicted());
}

void TestCoordinatorMeasuring::aBriefPassThatDoesNotFitIsNoEnd() {
    Home home(2);
    home.asDescribed = 300;
    home.briefPassesFit = false;
    home.remember(QStringLiteral("mobilenetv2"));
    home.request.kind = RunKind::Plan;
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
    QCOMPARE(home.wholeProfiles, 2);
}

void TestCoordinatorMeasuring::theBenchmarkNetworkIsMeasuredOnce_data() {
    QTest::addColumn<bool>("isRefused");
    QTest::newRow("with the first network, and not again with another one") << false;
    QTest::newRow("a worker that cannot trains all the same, and is asked again") << true;
}

void TestCoordinatorMeasuring::theBenchmarkNetworkIsMeasuredOnce() {
    QFETCH(bool, isRefused);
    Home home(2);
    home.refusesBenchmark = isRefused;
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
    QCOMPARE(home.benchmarkProfiles, 2);
    const auto stored = profilesOf(home, benchmarkNetwork());
    QCOMPARE(stored.size(), std::size_t(isRefused ? 0 : 2));
    for (const StoredProfile &each : stored)
        QCOMPARE(each.profile.times.batch, std::vector<int>(benchmarkBatch.begin(), benchmarkBatch.end()));
    QCOMPARE(profilesOf(home, home.request.model).size(), std::size_t(2));

    Home another(2);
    another.request.profiles = home.request.profiles;
    another.request.model = *loadModel(QStringLiteral("mobilenetv2-cifar"));
    another.request.kind = RunKind::Plan;
    another.start();
    QTRY_COMPARE_WITH_TIMEOUT(another.lastState(), QStringLiteral("finished"), patience);
    QCOMPARE(another.benchmarkProfiles, isRefused ? 2 : 0);
    QCOMPARE(profilesOf(another, another.request.model).size(), std::size_t(2));
}

void TestCoordinatorMeasuring::aFirstPlanIsMadeOnPredictions_data() {
    QTest::addColumn<bool>("isKnown");
    QTest::newRow("a device that measured another network measures nothing") << true;
    QTest::newRow("one that nobody knows measures the benchmark network alone") << false;
}

void TestCoordinatorMeasuring::aFirstPlanIsMadeOnPredictions() {
    QFETCH(bool, isKnown);
    Home home(2);
    ofPredictable(home);
    if (isKnown)
        home.remember(QStringLiteral("mobilenetv2"));
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
    QCOMPARE(home.benchmarkProfiles, isKnown ? 0 : 2);
    QCOMPARE(home.wholeProfiles + home.briefPasses, 0);
    QVERIFY(home.unitsAsked.empty());
    QCOMPARE(home.probed.size(), std::size_t(2));
    const Plan plan = firstPlan(home);
    QVERIFY(plan.prediction && plan.prediction->relativeError && plan.prediction->fits);
    // As its description says.
    for (const auto &bytes : plan.prediction->memoryBytes)
        QVERIFY(bytes > home.request.model.parameterCount());
    QVERIFY(profilesOf(home, home.request.model).empty());

    // A run that ends before its rounds tell leaves what it measured.
    Home again(2);
    ofPredictable(again);
    again.request.profiles = home.request.profiles;
    again.start();
    QTRY_COMPARE_WITH_TIMEOUT(again.lastState(), QStringLiteral("finished"), patience);
    QCOMPARE(again.benchmarkProfiles + again.wholeProfiles + again.briefPasses, 0);

    // Who asks for a plan alone waits for what is measured.
    Home asked(2);
    ofPredictable(asked);
    asked.request.profiles = home.request.profiles;
    asked.request.kind = RunKind::Plan;
    asked.start();
    QTRY_COMPARE_WITH_TIMEOUT(asked.lastState(), QStringLiteral("finished"), patience);
    QCOMPARE(asked.briefPasses, 2);
    const auto stored = profilesOf(asked, asked.request.model);
    QCOMPARE(stored.size(), std::size_t(2));
    for (const StoredProfile &each : stored)
        QVERIFY(each.profile.times.isPredicted() && !each.profile.times.isGuess());
}

void TestCoordinatorMeasuring::whoseMemoryDoesNotDoByTheDescriptionMeasures() {
    Home home(2);
    ofPredictable(home);
    home.remember(QStringLiteral("mobilenetv2"));
    // By its description a part of the network takes more for 32 samples, and fake workers tell of less.
    home.request.job.microBatch = 32;
    home.memoryBytes = 250'000'000;
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
    QCOMPARE(home.briefPasses, 2);
    QStringList states;
    for (const RunEvent &each : home.events(QStringLiteral("state")))
        states << std::get<event::State>(each.body).state;
    QCOMPARE(states.mid(0, 4), (QStringList{QStringLiteral("profiling"), QStringLiteral("planning"),
                                            QStringLiteral("profiling"), QStringLiteral("planning")}));
    QCOMPARE(home.events(QStringLiteral("plan")).size(), std::size_t(1));
    QVERIFY(firstPlan(home).prediction->fits);
}

void TestCoordinatorMeasuring::aFirstDeploymentThatTakesMoreThanPredictedIsNoEnd_data() {
    QTest::addColumn<bool>("isPredicted");
    QTest::newRow("a plan on predictions is followed by one that takes less there") << true;
    QTest::newRow("one on measurements is the end") << false;
}

void TestCoordinatorMeasuring::aFirstDeploymentThatTakesMoreThanPredictedIsNoEnd() {
    QFETCH(bool, isPredicted);
    Home home(2);
    ofPredictable(home);
    home.request.measureAll = !isPredicted;
    home.failsOnce[2] = QStringLiteral("deploy");
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), isPredicted ? QStringLiteral("finished") : QStringLiteral("failed"),
                              patience);
    QCOMPARE(home.events(QStringLiteral("plan")).size(), std::size_t(isPredicted ? 2 : 1));
    if (isPredicted) {
        const auto last = std::get<event::Plan>(home.events(QStringLiteral("plan")).back().body);
        const auto plan = Plan::fromJson(last.plan, QStringLiteral("test"));
        QVERIFY(plan && plan->prediction);
        QVERIFY(plan->prediction->memoryBytes.value(Home::id(2)) <
                firstPlan(home).prediction->memoryBytes.value(Home::id(2)));
    }
}

QTEST_GUILESS_MAIN(TestCoordinatorMeasuring)
#include "test_coordinator_measuring.moc"
