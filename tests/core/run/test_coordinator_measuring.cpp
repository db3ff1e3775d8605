#include <QDir>
#include <QFile>
#include <QTest>

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
    void measuresAgainOnlyWhenAsked();
    void measuresInBriefWhatCanBePredicted_data();
    void measuresInBriefWhatCanBePredicted();
};

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
    const ProfileStore store(home.request.profiles);
    QCOMPARE(store.profiles().size(), std::size_t(3));
    QCOMPARE(store.links().size(), std::size_t(6));
    QCOMPARE(home.agent.stopped.size(), 3);
}

void TestCoordinatorMeasuring::measuresOneDeviceAndItsLinks() {
    Home home(3);
    home.request.kind = RunKind::Measure;
    home.request.measured = {Home::id(2)};
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
    const ProfileStore store(home.request.profiles);
    QCOMPARE(store.profiles().size(), std::size_t(1));
    QCOMPARE(store.profiles().front().profile.device, Home::id(2));
    QCOMPARE(store.links().size(), std::size_t(4));
    for (const LinkProfile::Pair &link : store.links())
        QVERIFY(link.from == Home::id(2) || link.to == Home::id(2));
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
    QCOMPARE(before.size(), std::size_t(2));

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
    QCOMPARE(changed, 1);
}

void TestCoordinatorMeasuring::measuresInBriefWhatCanBePredicted_data() {
    QTest::addColumn<double>("asDescribed");
    QTest::addColumn<bool>("all");
    QTest::addColumn<bool>("isBrief");
    QTest::newRow("layers that take what one expects are predicted") << 3.0 << false << true;
    QTest::newRow("where that is asked for all is measured") << 3.0 << true << false;
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
    const auto ofModel = [](const Home &one) {
        auto profiles = ProfileStore(one.request.profiles).profiles();
        std::erase_if(profiles, [&](const StoredProfile &each) {
            return each.profile.modelSha256 != QLatin1String(one.request.model.sha256());
        });
        return profiles;
    };
    const auto stored = ofModel(home);
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
    QVERIFY(!ofModel(home).front().profile.times.isPredicted());
}

QTEST_GUILESS_MAIN(TestCoordinatorMeasuring)
#include "test_coordinator_measuring.moc"
