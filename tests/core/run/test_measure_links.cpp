#include <QTest>

#include "core/base/json_reader.h"
#include "core/plan/problem.h"
#include "core/profile/profile_store.h"
#include "fake_home.h"
#include "tests/core/base/patience.h"

using namespace hearth;
using fake::Home;

/// What a run finds out of links that share cards or air, and what it keeps of that.
class TestMeasureLinks : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void whoSharesTheAirIsFoundAndKept();
    void whatRunsAtOnceUnhinderedSharesNothing();
    void aDeviceThatDoesNotAnswerAtOnceIsNoTrouble();
    void nothingIsSharedInsideOneComputer();

  private:
    /// All links have that rate.
    static void ofSlowNetwork(Home &home, double bytesPerSecond);
    static LinkProfile plannedLinks(const Home &home);
};

void TestMeasureLinks::ofSlowNetwork(Home &home, double bytesPerSecond) {
    for (const int number : {1, 2, 3}) {
        home.addresses[number] = QStringLiteral("192.168.7.%1").arg(number);
        home.linkFigures[number] = {bytesPerSecond, 0.002};
    }
}

LinkProfile TestMeasureLinks::plannedLinks(const Home &home) {
    const auto problem =
        readJsonFile(home.directory->file(QStringLiteral("problem-1.json"))).and_then([](const QJsonObject &json) {
            return PlanningProblem::fromJson(json, QStringLiteral("it"));
        });
    return problem ? problem->links : LinkProfile();
}

void TestMeasureLinks::whoSharesTheAirIsFoundAndKept() {
    const auto train = [](Home &home, double airRate) {
        home.start();
        QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
        const LinkProfile links = plannedLinks(home);
        QCOMPARE(links.media.size(), std::size_t(1));
        QCOMPARE(links.media[0].bytesPerSecond, airRate);
        QCOMPARE(links.nics.size(), std::size_t(3));
        for (const LinkProfile::Nic &nic : links.nics) {
            QCOMPARE(nic.medium, links.media[0].id);
            QVERIFY(nic.duplex == Duplex::Half);
        }
    };
    Home home(3);
    ofSlowNetwork(home, 6e6);
    home.atOncePart = 1.0 / 3;
    train(home, 6e6);
    QCOMPARE(home.burstsAtOnce, 6);  // a ring, and once more

    // It is known the next time, while links are as fast as they were.
    Home again(3);
    ofSlowNetwork(again, 7e6);
    again.request.profiles = home.request.profiles;
    train(again, 7e6);
    QCOMPARE(again.burstsAtOnce, 0);
    Home another(3);
    ofSlowNetwork(another, 12e6);
    another.request.profiles = home.request.profiles;
    another.atOncePart = 1.0 / 3;
    train(another, 12e6);
    QCOMPARE(another.burstsAtOnce, 6);
    Home whole(3);
    ofSlowNetwork(whole, 12e6);
    whole.request.profiles = home.request.profiles;
    whole.request.measureAll = true;
    whole.atOncePart = 1.0 / 3;
    train(whole, 12e6);
    QCOMPARE(whole.burstsAtOnce, 6);
}

void TestMeasureLinks::whatRunsAtOnceUnhinderedSharesNothing() {
    Home home(3);
    ofSlowNetwork(home, 11e6);
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
    QCOMPARE(home.burstsAtOnce, 3);
    QVERIFY(plannedLinks(home).nics.empty() && plannedLinks(home).media.empty());
    QCOMPARE(plannedLinks(home).pairs.size(), std::size_t(6));
    QCOMPARE(ProfileStore(home.request.profiles).sharing().size(), std::size_t(1));
}

void TestMeasureLinks::aDeviceThatDoesNotAnswerAtOnceIsNoTrouble() {
    Home home(3);
    ofSlowNetwork(home, 6e6);
    home.atOncePart = 1.0 / 3;
    home.silentAtOnce = {2};
    RunDeadlines deadlines = fake::unhurried();
    deadlines.linkProbe = std::chrono::seconds(2);
    home.start(deadlines);
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
    QCOMPARE(home.burstsAtOnce, 3);
    for (const RunEvent &each : home.events(QStringLiteral("warning")))
        QVERIFY(!std::get<event::Warning>(each.body).what.contains(QLatin1String("reach")));
    QVERIFY(plannedLinks(home).nics.empty() && plannedLinks(home).media.empty());
    QVERIFY(ProfileStore(home.request.profiles).sharing().empty());
}

void TestMeasureLinks::nothingIsSharedInsideOneComputer() {
    Home home(3);
    ofSlowNetwork(home, 6e6);
    home.addresses.clear();
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
    QCOMPARE(home.burstsAtOnce, 0);
    QCOMPARE(plannedLinks(home).pairs.size(), std::size_t(6));
}

QTEST_GUILESS_MAIN(TestMeasureLinks)
#include "test_measure_links.moc"
