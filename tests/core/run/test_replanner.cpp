#include <QSignalSpy>
#include <QTest>
#include <algorithm>

#include "core/base/block_codecs.h"
#include "core/predict/home_prediction.h"
#include "run_parts.h"

using namespace hearth;
using namespace hearth::fake;

namespace {

/// Three rounds agree on what packing leaves of the activations that cross the first cut. True: the last one was news.
bool learnsPacking(RunParts &run, double part) {
    constexpr qint64 encoded = 100'000;
    bool isNews = false;
    for (int i = 0; i < 3; ++i)
        isNews = run.replanner->followPacking({{0, CutWay::Forward, &noCodec(), encoded, qRound64(part * encoded)}});
    return isNews;
}

}  // namespace

/// Which plan comes next, and what is known for it; the plans themselves are the planners'.
class TestReplanner : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aPersonsPlanIsTakenOrRefusedWithAWord_data() {
        QTest::addColumn<QString>("wrong");
        QTest::addColumn<bool>("isTaken");
        QTest::newRow("one that fits is taken") << QString() << true;
        QTest::newRow("one of another network is refused") << QStringLiteral("model") << false;
        QTest::newRow("one with a device that nobody knows is refused") << QStringLiteral("stranger") << false;
        QTest::newRow("one for which the memory does not do is refused") << QStringLiteral("memory") << false;
    }
    void aPersonsPlanIsTakenOrRefusedWithAWord() {
        QFETCH(QString, wrong);
        QFETCH(bool, isTaken);
        RunParts run(3);
        QVERIFY(run.plan());
        QJsonObject wanted = ofDevices(run.home, {Home::id(2), Home::id(3)});
        if (wrong == QLatin1String("model"))
            wanted[QStringLiteral("model")] = QJsonObject{{QStringLiteral("name"), QStringLiteral("another")},
                                                          {QStringLiteral("sha256"), QString(64, QLatin1Char('0'))},
                                                          {QStringLiteral("layers"), 3}};
        else if (wrong == QLatin1String("stranger"))
            wanted = ofDevices(run.home, {Home::id(2), Home::id(7)});
        else if (wrong == QLatin1String("memory"))
            run.replanner->remember({Home::id(2), 2000, 0, std::nullopt});
        QCOMPARE(run.replanner->takeUserPlan(wanted), isTaken);
        QCOMPARE(run.replanner->hasPending(), isTaken);
        QCOMPARE(run.replanner->given().has_value(), isTaken);
        QCOMPARE(count(run.home, "warning"), isTaken ? std::size_t(0) : std::size_t(1));
        if (isTaken) {
            const auto pending = run.replanner->takePending();
            QCOMPARE(pending->reason, QStringLiteral("user"));
            QVERIFY(pending->asked && pending->plan.prediction);
            QVERIFY(!run.replanner->hasPending());
        } else {
            QVERIFY(!lastEvent<event::Warning>(run.home, "warning").cause.isEmpty());
        }
    }
    void whatAPersonAskedForOutlivesAChange() {
        RunParts run(3);
        QVERIFY(run.plan());
        QVERIFY(run.replanner->takeUserPlan(ofDevices(run.home, {Home::id(2), Home::id(3)})));
        run.replanner->changeBegins();
        QVERIFY(run.replanner->hasPending());
    }
    void aPlanIsPossibleWhileItsDevicesStay_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<bool>("isPossible");
        QTest::newRow("all are here") << QString() << true;
        QTest::newRow("one is lost") << QStringLiteral("lost") << false;
        QTest::newRow("one is about to go") << QStringLiteral("leaves") << false;
        QTest::newRow("one that rests is lost") << QStringLiteral("other") << true;
    }
    void aPlanIsPossibleWhileItsDevicesStay() {
        QFETCH(QString, what);
        QFETCH(bool, isPossible);
        RunParts run(3);
        QVERIFY(run.plan());
        const auto two = readGivenPlan(ofDevices(run.home, {Home::id(1), Home::id(2)}), run.home.request.job,
                                       run.home.request.model, run.membership->devices());
        QVERIFY(two);
        if (what == QLatin1String("lost"))
            run.membership->remove(Home::id(2), Departure::Ended);
        else if (what == QLatin1String("leaves"))
            run.membership->leaving().begin(Home::id(2));
        else if (what == QLatin1String("other"))
            run.membership->remove(Home::id(3), Departure::Ended);
        QCOMPARE(run.replanner->isPossible(*two), isPossible);
    }
    void theProblemOfNowHasWhatIsKnownByNow() {
        RunParts run(3);
        QVERIFY(run.plan());
        QCOMPARE(run.replanner->ofPresent().devices.size(), std::size_t(3));
        QVERIFY(run.replanner->linkRates()(Home::id(1), Home::id(2)) > 0);
        run.membership->brokenLinks().add(Home::id(2), Home::id(1));
        QCOMPARE(run.replanner->linkRates()(Home::id(1), Home::id(2)), 0.0);
        QVERIFY(run.replanner->linkRates()(Home::id(1), Home::id(3)) > 0);
        // The first device serves the data whether it computes or not.
        run.membership->remove(Home::id(1), Departure::Ended);
        QVERIFY(run.replanner->atPresent().dataDevice.isEmpty());
        QCOMPARE(run.replanner->ofPresent().deviceIds(), (QStringList{Home::id(2), Home::id(3)}));
        const qint64 before = run.replanner->problem()->devices[1].memoryBytes;
        run.replanner->remember({Home::id(2), 1'000'000, 0, std::nullopt});
        QVERIFY(run.replanner->problem()->devices[1].memoryBytes < before);
    }
    void aDeviceThatIsBackHasTheMemoryOfNow_data() {
        QTest::addColumn<qint64>("limit");
        QTest::addColumn<bool>("wasShort");
        QTest::addColumn<qint64>("usable");
        QTest::addColumn<bool>("lacks");
        const qint64 before = qint64{8} << 30, borne = before - before / 10;
        QTest::newRow("as much as before") << before << false << before << false;
        QTest::newRow("twice as much") << 2 * before << false << 2 * before << false;
        QTest::newRow("too little for its part of the plan") << qint64{2000} << false << qint64{2000} << true;
        QTest::newRow("as much, of which it has borne nine tenths") << before << true << borne << false;
        QTest::newRow("twice as much, of which it has borne nine tenths") << 2 * before << true << 2 * borne << false;
    }
    void aDeviceThatIsBackHasTheMemoryOfNow() {
        QFETCH(qint64, limit);
        QFETCH(bool, wasShort);
        QFETCH(qint64, usable);
        QFETCH(bool, lacks);
        RunParts run(3);
        QVERIFY(run.plan());
        if (wasShort)
            run.replanner->remember({Home::id(2), run.home.memoryBytes, 0, std::nullopt});
        WorkerHello hello = run.session(2).hello();
        hello.memoryBytes = limit;
        hello.runtimeBytes = 900;
        run.session(2).setHello(hello);
        run.replanner->takeMemory(run.session(2));
        QCOMPARE(run.replanner->problem()->devices[1].memoryBytes, usable);
        QCOMPARE(run.replanner->problem()->devices[1].runtimeBytes, qint64{900});
        QCOMPARE(run.replanner->lacksMemory(run.current->plan()), lacks);
        // A plan that is in force by now was made for what there is.
        run.replanner->changeEnded(QStringLiteral("replay"), 0.1);
        QVERIFY(!run.replanner->lacksMemory(run.current->plan()));
    }
    void anAnswerOfBeforeIsNoneOnceADeviceHasOtherMemory() {
        RunParts run(3);
        QVERIFY(run.plan());
        run.replanner->changeEnded(QStringLiteral("first"), 0.1);
        run.membership->remove(Home::id(2), Departure::Ended);
        QVERIFY(comes([&] { return run.replanner->answerTo(Home::id(2)).has_value(); }));
        WorkerHello hello = run.session(3).hello();
        hello.memoryBytes /= 2;
        run.session(3).setHello(hello);
        run.replanner->takeMemory(run.session(3));
        QVERIFY(!run.replanner->answerTo(Home::id(2)));
    }
    void theLossOfOneDeviceHasAnAnswerReady() {
        RunParts run(3);
        QVERIFY(run.plan());
        run.replanner->changeEnded(QStringLiteral("first"), 0.1);
        QVERIFY(!run.replanner->answerTo(Home::id(2)));  // nobody is lost
        run.membership->remove(Home::id(2), Departure::Ended);
        std::optional<Replay> answer;
        QVERIFY(comes([&] {
            answer = run.replanner->answerTo(Home::id(2));
            return answer.has_value();
        }));
        QVERIFY(!usesDevice(answer->plan, Home::id(2)));
        // It is of that loss alone.
        run.membership->remove(Home::id(3), Departure::Ended);
        QVERIFY(!run.replanner->answerTo(Home::id(2)));
    }
    void aPersonsPlanComesBackWithItsDevices() {
        RunParts run(3);
        QVERIFY(run.plan());
        const auto given = readGivenPlan(ofDevices(run.home, {Home::id(2), Home::id(3)}), run.home.request.job,
                                         run.home.request.model, run.membership->devices());
        QVERIFY(given);
        run.replanner->setGiven(*given);
        Deployment wanted = run.deployment();
        run.current->setDeployment(wanted);
        run.rounds->begin(wanted, FeedLayout::of(wanted, run.members()), 0, {});
        QSignalSpy found(&*run.replanner, &Replanner::found);
        run.membership->leaving().begin(Home::id(2));
        run.replanner->consider(QStringLiteral("join"));
        QVERIFY(!run.replanner->hasPending());
        run.membership->leaving().end(Home::id(2));
        run.replanner->consider(QStringLiteral("join"));
        QVERIFY(run.replanner->hasPending());
        QCOMPARE(found.count(), 1);
        QCOMPARE(run.replanner->takePending()->plan.stages, given->stages);
        // Not while another one takes over.
        run.isChanging = true;
        run.replanner->consider(QStringLiteral("join"));
        QVERIFY(!run.replanner->hasPending());
    }
    void aPersonsPlanComesBackWhereOnlyTheScheduleIsAnother() {
        RunParts run(3);
        QVERIFY(trainsWithFirst(run, 3));
        Plan given = run.current->plan();
        given.schedule = Schedule::FillDrain;
        run.replanner->setGiven(given);
        run.replanner->consider(QStringLiteral("join"));
        QVERIFY(run.replanner->hasPending());
        run.current->setPlan(run.replanner->takePending()->plan);
        run.replanner->consider(QStringLiteral("join"));
        QVERIFY(!run.replanner->hasPending());
    }
    void aPlanIsJudgedByTheSpeedsOfNow() {
        RunParts run(2);
        QVERIFY(trainsWithFirst(run, 2));
        run.replanner->changeEnded(QStringLiteral("first"), 0.1);
        for (int i = 0; i < 40; ++i)
            run.replanner->followDrift(roundOf(run, 1));
        run.replanner->consider(QStringLiteral("join"));
        // Everybody becomes slower while a better plan is looked for: that gains it nothing.
        for (int i = 0; i < 40; ++i)
            run.replanner->followDrift(roundOf(run, 3));
        QSignalSpy found(&*run.replanner, &Replanner::found);
        QVERIFY(comes([&] { return !found.isEmpty(); }));
        const auto pending = run.replanner->takePending();
        const PlanningProblem present = run.replanner->ofPresent();
        const CostModel now(present);
        const auto better = evaluate(now, pending->plan), current = evaluate(now, run.current->plan());
        QVERIFY(better && current);
        QVERIFY(std::abs(pending->gain - (1 - better->roundSeconds / current->roundSeconds)) < 1e-9);
    }
    void whatRoundsTellOfPackingCountsFromThenOn() {
        RunParts run(3);
        QVERIFY(run.plan());
        run.replanner->changeEnded(QStringLiteral("first"), 0.1);
        const Plan &plan = run.current->plan();
        const double before = run.guard->predicted(1).at(1);
        QCOMPARE(before, plan.prediction->roundSeconds);
        const auto secondsOf = [&plan](const PlanningProblem &problem) {
            const auto judged = evaluate(asJudged(problem, plan), plan);
            return judged ? judged->roundSeconds : 0;
        };
        QCOMPARE(secondsOf(run.replanner->ofPresent()), before);
        const std::vector<CutPacking> round{{0, CutWay::Forward, &noCodec(), 100'000, 2'000}};
        QVERIFY(!run.replanner->followPacking(round));
        QVERIFY(!run.replanner->followPacking(round));
        QVERIFY(!run.replanner->knowsPacking());
        QVERIFY(run.replanner->followPacking(round));
        QVERIFY(run.replanner->knowsPacking());
        const double after = run.guard->predicted(4).at(4);
        QVERIFY(after < before);
        QCOMPARE(secondsOf(run.replanner->ofPresent()), after);
        QCOMPARE(secondsOf(*run.replanner->problem()), before);  // as it was measured
    }
    void aPlanKeepsToWhatIsRaisedInARoundThatIsToCome() {
        RunParts run(3);
        QVERIFY(trainsWithFirst(run, 3));
        Plan plan = run.current->plan();
        plan.stages[0].codec = {&bfp8Codec, &bfp8Codec};
        run.current->setPlan(plan);
        constexpr qint64 checked = 151, begun = 153;
        run.guard->take({checked, 1, 1, {{0, {}, {}, 0.02, 0.01}}}, begun);
        const std::vector<LevelLimit> raised = run.guard->raises().limitsAt(begun + 1);
        QCOMPARE(raised.size(), std::size_t(1));
        QVERIFY(run.guard->raises().limitsAt(checked + 1).empty());
        for (qint64 round = checked; round <= begun + 1; ++round) {
            run.guard->roundDone(round);
            QVERIFY(!run.replanner->setLevelLimits(raised));
        }
    }
    void newsOfPackingKeepAnswersThatAreReady() {
        RunParts run(3);
        QVERIFY(run.plan());
        run.replanner->changeEnded(QStringLiteral("first"), 0.1);
        run.membership->remove(Home::id(2), Departure::Ended);
        QVERIFY(comes([&] { return run.replanner->answerTo(Home::id(2)).has_value(); }));
        QVERIFY(learnsPacking(run, 0.02));
        QVERIFY(run.replanner->answerTo(Home::id(2)).has_value());
    }
    void predictionsOfAPlanDoNotFollowDrift() {
        RunParts run(3);
        QVERIFY(run.plan());
        run.replanner->changeEnded(QStringLiteral("first"), 0.1);
        const auto predicted = [&run] { return run.guard->predicted(4).at(4); };
        const auto ofPresent = [&run] {
            const Plan &plan = run.current->plan();
            const auto judged = evaluate(asJudged(run.replanner->ofPresent(), plan), plan);
            return judged ? judged->roundSeconds : 0;
        };
        QVERIFY(learnsPacking(run, 0.02));
        const double planned = predicted();
        for (const double slower : {1., 3.}) {
            event::Round round = roundOf(run, slower);
            for (event::RoundDevice &device : round.devices)
                device.waitForwardS = 1;  // long enough to say how fast it is
            for (int i = 0; i < 20; ++i)
                run.replanner->followDrift(round);
        }
        QVERIFY(ofPresent() > planned);
        // Nor when packing is news.
        QVERIFY(learnsPacking(run, 0.5));
        QVERIFY(learnsPacking(run, 0.02));
        QCOMPARE(predicted(), planned);
        // The next plan is judged by the speeds of now.
        run.replanner->changeBegins();
        QCOMPARE(predicted(), ofPresent());
    }
    void plansAreLookedAtAgainOnceRoundsTell_data() {
        QTest::addColumn<bool>("isPredicted");
        QTest::newRow("those made on predictions") << true;
        QTest::newRow("those made on measurements, where one device is slower than that") << false;
    }
    void plansAreLookedAtAgainOnceRoundsTell() {
        QFETCH(bool, isPredicted);
        RunParts run(2);
        if (isPredicted) {
            run.home.asDescribed = 300;
            run.home.remember(QStringLiteral("mobilenetv2"));
        }
        QVERIFY(run.plan());
        const PlanningProblem &problem = *run.replanner->problem();
        QCOMPARE(problem.times[0].isPredicted(), isPredicted);
        QCOMPARE(problem.times[1].isPredicted(), isPredicted);
        Deployment wanted = run.deployment();
        run.current->setDeployment(wanted);
        run.rounds->begin(wanted, FeedLayout::of(wanted, run.members()), 0, {});
        run.replanner->changeEnded(QStringLiteral("first"), 0.1);
        // The second device takes longer than one thought.
        event::Round round = roundOf(run, 1);
        round.devices[Home::id(2)].computeS *= 1.8;
        for (round.round = 1; round.round <= 12; ++round.round)
            run.replanner->followDrift(round);
        QSignalSpy found(&*run.replanner, &Replanner::found);
        QVERIFY(comes([&] { return !found.isEmpty(); }));
        // The next run begins with what this one has found.
        for (const StoredProfile &stored : ProfileStore(run.home.request.profiles).profiles()) {
            if (stored.profile.modelSha256 != QLatin1String(run.home.request.model.sha256()))
                continue;
            const TimeTable &times = stored.profile.times;
            const QString &device = stored.profile.device;
            const TimeTable &before = problem.times[static_cast<std::size_t>(problem.indexOf(device))];
            const double ratio = times.seconds(times.batch.size() - 1) / before.seconds(times.batch.size() - 1);
            const double slower = isPredicted && device == Home::id(2) ? 1.8 : 1;
            QVERIFY2(std::abs(ratio - slower) < 0.3, qPrintable(QString::number(ratio)));
        }
        QVERIFY(!isPredicted || !Knowledge::load(knowledgeFile(run.home.request.profiles)).pairs().empty());
        const auto pending = run.replanner->takePending();
        const auto layersOf = [](const Plan &plan, const QString &device) {
            int layers = 0;
            for (const PlanStage &stage : plan.stages) {
                for (const Share &share : stage.shares)
                    layers += share.device == device ? (stage.lastLayer - stage.firstLayer) * share.samples : 0;
            }
            return layers * 1.0 / plan.microBatch;
        };
        QVERIFY(layersOf(pending->plan, Home::id(2)) < layersOf(run.current->plan(), Home::id(2)));
    }
    void predictionsThatADeviceHasLeftForGoodAreMeasuredAgain_data() {
        QTest::addColumn<double>("roundSeconds");
        QTest::addColumn<int>("slowRounds");
        QTest::addColumn<bool>("isKept");
        QTest::newRow("a hiccup of two rounds of milliseconds is none") << 0.005 << 2 << true;
        QTest::newRow("many slow rounds in one second are none") << 0.005 << 200 << true;
        QTest::newRow("a hiccup of one long round is none") << 6.0 << 1 << true;
        QTest::newRow("one that stays slow is") << 6.0 << 10 << false;
    }
    void predictionsThatADeviceHasLeftForGoodAreMeasuredAgain() {
        QFETCH(double, roundSeconds);
        QFETCH(int, slowRounds);
        QFETCH(bool, isKept);
        RunParts run(2);
        run.home.asDescribed = 300;
        run.home.remember(QStringLiteral("mobilenetv2"));
        QVERIFY(run.plan());
        run.isChanging = true;  // nobody looks for a plan
        run.replanner->changeEnded(QStringLiteral("first"), 0.1);
        const auto predicted = [&run] {
            return std::ranges::count_if(
                ProfileStore(run.home.request.profiles).profiles(), [](const StoredProfile &stored) {
                    return stored.profile.device == Home::id(2) && stored.profile.times.isPredicted();
                });
        };
        const auto before = predicted();
        QVERIFY(before > 0);
        const auto follow = [&run, roundSeconds](int rounds, double slower) {
            event::Round round = roundOf(run, 1);
            round.roundS = roundSeconds;
            for (event::RoundDevice &device : round.devices)
                device.waitForwardS = 1;  // long enough to say how fast it is
            round.devices[Home::id(2)].computeS *= slower;
            for (int i = 0; i < rounds; ++i)
                run.replanner->followDrift(round);
        };
        follow(20, 1);
        follow(slowRounds, 10);
        follow(20, 1);
        QCOMPARE(predicted(), isKept ? before : 0);
    }
};

QTEST_GUILESS_MAIN(TestReplanner)
#include "test_replanner.moc"
