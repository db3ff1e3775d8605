#include <QJsonArray>
#include <QJsonDocument>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>

#include "core/run/recovery_tries.h"
#include "run_parts.h"

using namespace hearth;
using namespace hearth::fake;

namespace {

bool isOnAll(const Home &home) {
    const auto stages = lastEvent<event::Plan>(home, "plan").plan[QStringLiteral("stages")].toArray();
    const QByteArray text = QJsonDocument(stages).toJson();
    return std::ranges::all_of(home.request.devices,
                               [&](const DeviceInfo &device) { return text.contains(device.id.toLatin1()); });
}

std::size_t offers(const Home &home) {
    const auto warnings = home.events(QStringLiteral("warning"));
    return static_cast<std::size_t>(std::ranges::count_if(warnings, [](const RunEvent &each) {
        return std::get<event::Warning>(each.body).what.english() == QLatin1String("A better plan is possible now.");
    }));
}

/// The plan in force does without one of two devices, which both stay. False: it took too long.
bool goesOnWithoutALink(Home &home) {
    home.holdsRounds = true;
    home.start(quick());
    if (!reaches(home, RunState::Training) || !isOnAll(home))
        return false;
    for (std::size_t times = 1; times <= std::size_t{RecoveryTries::mostTries}; ++times) {
        home.worker(1)->tellLost(*home.worker(2), {}, QStringLiteral("worker.link-silent"));
        if (!comes([&] { return count(home, "plan") == times + 1 && home.coordinator->state() == RunState::Training; }))
            return false;
    }
    home.resumeRounds();
    return comes([&] { return count(home, "recovered") > 0; });
}

/// It does without device 2, which was lost and is back, and of which whoever takes the run over finds the worker.
bool goesOnWithoutANewcomer(Home &home) {
    home.diesInRound = 3;
    home.start(quick());
    if (!comes([&] { return offers(home) > 0; }))
        return false;
    home.holdsRounds = true;
    if (!comes([&] { return home.inputSamples[home.reported + 1] > 0; }))
        return false;
    const auto plans = count(home, "plan");
    home.worker(1)->tellLost(*home.worker(3), {});  // the term that follows is written down with all workers
    if (!comes([&] { return count(home, "plan") > plans && home.coordinator->state() == RunState::Training; }))
        return false;
    home.resumeRounds();
    return true;
}

}  // namespace

/// Devices that come while a run trains: what is measured for them, and whether a plan may have them.
class TestNewcomers : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void theProblemNamesNobodyWhoIsStillToBeMeasured() {
        RunParts run(5);
        QVERIFY(trainsWithFirst(run, 3));
        run.join(4);
        run.join(5);
        for (const int newcomer : {4, 5}) {
            run.replanner->measureNext();
            QVERIFY(comes([&] { return run.replanner->problem()->indexOf(Home::id(newcomer)) >= 0; }));
            const auto valid = run.replanner->problem()->validate();
            QVERIFY2(valid, valid ? "" : qPrintable(valid.error().toString()));
            QCOMPARE(run.replanner->problem()->links.pairs.size(), std::size_t(newcomer * (newcomer - 1)));
        }
    }
    void aDeviceThatIsBackHasLinksToWhoeverCameMeanwhile() {
        RunParts run(5);
        QVERIFY(trainsWithFirst(run, 4));
        run.membership->remove(Home::id(4), Departure::Released);
        run.join(5);
        run.replanner->measureNext();
        QVERIFY(comes([&] { return run.replanner->problem()->indexOf(Home::id(5)) >= 0; }));
        QCOMPARE(run.replanner->linkRates()(Home::id(4), Home::id(5)), 0.0);
        const int profiles = run.home.wholeProfiles;
        QSignalSpy measured(&*run.replanner, &Replanner::measured);
        run.join(4);
        run.replanner->measureNext();
        QVERIFY(comes([&] { return !measured.isEmpty(); }));
        QVERIFY(run.replanner->linkRates()(Home::id(4), Home::id(5)) > 0);
        QVERIFY(run.replanner->linkRates()(Home::id(5), Home::id(4)) > 0);
        QVERIFY(run.replanner->problem()->validate().has_value());
        QCOMPARE(run.home.wholeProfiles, profiles);
    }
    void anOfferThatWasNeverMadeCannotBeTaken() {
        RunParts run(2);
        QVERIFY(run.plan());
        QVERIFY(!run.replanner->acceptOffer());
        QVERIFY(!run.replanner->hasPending());
    }
    void whetherADeviceMayBeTakenIsAskedOnlyOfWhoCameLater_data() {
        QTest::addColumn<JoinPolicy>("join");
        QTest::addColumn<bool>("hasCome");     // after the first plan
        QTest::addColumn<bool>("hasTrained");  // and was in a plan since
        QTest::addColumn<QString>("becomes");  // of the plan
        const QString taken = QStringLiteral("taken"), offered = QStringLiteral("offered");
        QTest::newRow("take: who has come is taken") << JoinPolicy::Take << true << false << taken;
        QTest::newRow("offer: who has come is offered") << JoinPolicy::Offer << true << false << offered;
        QTest::newRow("offer: who never left is taken") << JoinPolicy::Offer << false << false << taken;
        QTest::newRow("ignore: who has come is left out") << JoinPolicy::Ignore << true << false << QString();
        QTest::newRow("ignore: who never left is taken") << JoinPolicy::Ignore << false << false << taken;
        QTest::newRow("ignore: whom a loss has brought into a plan is taken again")
            << JoinPolicy::Ignore << true << true << taken;
    }
    void whetherADeviceMayBeTakenIsAskedOnlyOfWhoCameLater() {
        QFETCH(JoinPolicy, join);
        QFETCH(bool, hasCome);
        QFETCH(bool, hasTrained);
        QFETCH(QString, becomes);
        RunParts run(3);
        QVERIFY(trainsWithFirst(run, 3));
        run.home.request.safety.join = join;
        run.replanner->changeEnded(QStringLiteral("first"), 0.1);
        if (hasCome)
            run.replanner->welcome(Home::id(3));
        if (hasTrained)
            run.replanner->changeEnded(QStringLiteral("replay"), 0.1);
        event::Round round = roundOf(run, 1);
        for (event::RoundDevice &device : round.devices)
            device.waitForwardS = 1;  // long enough to say how fast it is
        for (int i = 0; i < 6; ++i)
            run.replanner->followDrift(round);
        auto two = readGivenPlan(ofDevices(run.home, {Home::id(1), Home::id(2)}), run.home.request.job,
                                 run.home.request.model, run.membership->devices());
        QVERIFY(two);
        run.current->setPlan(std::move(*two));
        run.replanner->consider(QStringLiteral("full"));
        QVERIFY(comes([&] { return run.replanner->hasPending() || run.replanner->isSettled(); }));
        QCOMPARE(run.replanner->hasPending(), becomes == QLatin1String("taken"));
        QCOMPARE(count(run.home, "warning"), std::size_t(becomes == QLatin1String("offered") ? 1 : 0));
    }
    void anotherCoordinatorKnowsWhoCameLater_data() {
        QTest::addColumn<bool>("hasCome");
        QTest::newRow("who has come is offered again") << true;
        QTest::newRow("who never left is taken") << false;
    }
    void anotherCoordinatorKnowsWhoCameLater() {
        QFETCH(bool, hasCome);
        Home home(hasCome ? 3 : 2);
        makeEndless(home);
        home.request.safety.join = JoinPolicy::Offer;
        QVERIFY(hasCome ? goesOnWithoutANewcomer(home) : goesOnWithoutALink(home));
        QVERIFY(!isOnAll(home));
        const std::size_t before = offers(home);
        home.request.again = true;
        startAgain(home);
        QVERIFY(comes([&] { return hasCome ? offers(home) > before : isOnAll(home); }));
        QCOMPARE(isOnAll(home), !hasCome);
        QCOMPARE(offers(home) > before, hasCome);
        home.command("stop");
        QVERIFY(reaches(home, RunState::Stopped));
    }
    void anOfferHoldsWhileItIsWhatItWas_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<bool>("isTaken");
        QTest::newRow("nothing has changed") << QString() << true;
        QTest::newRow("another plan is in force by now") << QStringLiteral("plan") << false;
        QTest::newRow("a device has too little memory for it by now") << QStringLiteral("memory") << false;
    }
    void anOfferHoldsWhileItIsWhatItWas() {
        QFETCH(QString, what);
        QFETCH(bool, isTaken);
        RunParts run(3);
        QVERIFY(trainsWithFirst(run, 3));
        run.home.request.safety.join = JoinPolicy::Offer;
        auto two = readGivenPlan(ofDevices(run.home, {Home::id(1), Home::id(2)}), run.home.request.job,
                                 run.home.request.model, run.membership->devices());
        QVERIFY(two);
        run.current->setPlan(std::move(*two));
        run.replanner->welcome(Home::id(3));
        run.replanner->consider(QStringLiteral("join"));
        QVERIFY(comes([&] { return count(run.home, "warning") == std::size_t(1); }));
        QVERIFY(!run.replanner->hasPending());
        if (what == QLatin1String("plan"))
            run.replanner->changeEnded(QStringLiteral("replay"), 0.1);
        else if (what == QLatin1String("memory"))
            run.replanner->remember({Home::id(3), 2000, 0, std::nullopt});
        QCOMPARE(run.replanner->acceptOffer(), isTaken);
        QCOMPARE(run.replanner->hasPending(), isTaken);
        QVERIFY(!run.replanner->acceptOffer());
    }
};

QTEST_GUILESS_MAIN(TestNewcomers)
#include "test_newcomers.moc"
