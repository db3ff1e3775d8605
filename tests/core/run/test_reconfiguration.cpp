#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/run/reconfiguration.h"
#include "run_parts.h"

using namespace hearth;
using namespace hearth::fake;
using namespace std::chrono_literals;
using Step = Reconfiguration::Step;

namespace {

/// home.plan(): device 1 alone in the first stage, 2 and 3 in the second.
struct Changes : RunParts {
    explicit Changes(RunDeadlines limits = quick()) : RunParts(3, limits) {
        change.emplace(context(), *current, *rounds, *replicas, *folder, *replanner, *guard);
        QObject::connect(&*change, &Reconfiguration::deployed, &*change, [this](qint64 completed) {
            from = completed;
            replicas->begin(current->term(), current->plan(), completed);
            rounds->begin(current->deployment(), FeedLayout::of(current->deployment(), members()), completed, {});
        });
        QObject::connect(&*change, &Reconfiguration::disturbed, &*change, [this] { ++disturbances; });
        QObject::connect(&*change, &Reconfiguration::failed, &*change, [this](const Error &error) { failure = error; });
    }
    ~Changes() { change.reset(); }

    bool isDeployed() {
        return comes([&] { return change->step() == Step::FirstRound || failure; }) && !failure;
    }
    /// The first plan is in force, and so many rounds are done.
    bool trains(qint64 done) {
        if (!plan() || !change->beginFirst(QStringLiteral("first")))
            return false;
        change->deploy();
        return isDeployed() && doRounds(done);
    }
    bool doRounds(qint64 done) {
        rounds->setLimit(done);
        if (!comes([&] { return rounds->completed() >= done; }))
            return false;
        last = change->finish();
        return true;
    }
    /// The plan in force, with another border between its stages.
    Plan otherPlan() const {
        Plan plan = current->plan();
        const StateLayers layers = replicas->layers();
        int border = plan.stages[0].lastLayer + 1;
        while (layers[static_cast<std::size_t>(border - 1)].bytes == 0)
            ++border;
        plan.stages[0].lastLayer = plan.stages[1].firstLayer = border;
        return plan;
    }
    void lose(int number, Departure why = Departure::Ended) {
        membership->remove(Home::id(number), why);
        rounds->stop();
        change->recover(0.25);
    }

    std::optional<Reconfiguration> change;
    std::optional<Reconfigured> last;
    std::optional<Error> failure;
    qint64 from = -1;
    int disturbances = 0;
};

}  // namespace

class TestReconfiguration : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void theFirstPlanGoesThroughItsSteps() {
        Changes run;
        QVERIFY(run.plan());
        QCOMPARE(run.change->step(), Step::None);
        QVERIFY(run.change->beginFirst(QStringLiteral("first")));
        QCOMPARE(run.change->step(), Step::Planning);
        QCOMPARE(count(run.home, "plan"), std::size_t(1));
        run.change->deploy();
        QCOMPARE(run.change->step(), Step::Deploying);
        QVERIFY(run.isDeployed());
        QCOMPARE(run.from, 0);
        QCOMPARE(run.current->deployment().stages.size(), std::size_t(2));
        const auto done = run.change->finish();
        QVERIFY(done);
        QCOMPARE(done->reason, QStringLiteral("first"));
        QVERIFY(!done->isDisturbed);
        QCOMPARE(run.change->step(), Step::None);
        QVERIFY(!run.change->finish());
    }
    void aLossEndsInTimesThatAddUp() {
        Changes run;
        QVERIFY(run.trains(4));
        const quint32 term = run.current->term();
        run.lose(2);
        QCOMPARE(run.change->step(), Step::Halting);
        QCOMPARE(run.current->term(), term + 1);
        QVERIFY(run.isDeployed());
        QVERIFY(!usesDevice(run.current->plan(), Home::id(2)));
        QVERIFY(run.doRounds(run.from + 1));
        const Reconfigured &done = *run.last;
        QVERIFY(done.isDisturbed);
        QCOMPARE(done.reason, QStringLiteral("replay"));
        QCOMPARE(done.term, run.current->term());
        QCOMPARE(done.method, QStringLiteral("lightweight"));
        QCOMPARE(done.replayedRounds, 4 - run.from);
        QCOMPARE(done.detect, 0.25);
        const double sum = done.detect + done.halt + done.plan + done.move + done.rebuild + done.replay;
        QVERIFY2(std::abs(sum - done.total) < 1e-6, qPrintable(QStringLiteral("%1 %2").arg(sum).arg(done.total)));
        const event::Recovered told = done.toEvent();
        QCOMPARE(told.rebuildS, done.halt + done.rebuild);
        QCOMPARE(told.seconds, done.total);
    }
    /// Rounds 1 to 4 were done when device 2 was lost; what the others hold decides.
    void whatIsHeldDecidesWhereItGoesOn_data() {
        QTest::addColumn<QList<quint64>>("first");
        QTest::addColumn<QList<quint64>>("second");
        QTest::addColumn<qint64>("from");
        QTest::addColumn<QString>("method");
        using Versions = QList<quint64>;
        QTest::newRow("both hold the last round") << Versions{3, 4} << Versions{4} << qint64(4) << "lightweight";
        QTest::newRow("one is a round behind") << Versions{3, 4} << Versions{3} << qint64(3) << "lightweight";
        QTest::newRow("a round that nobody has reported is repeated")
            << Versions{4, 5} << Versions{4, 5} << qint64(4) << "lightweight";
        QTest::newRow("they hold no version together: the run begins with its initial weights")
            << Versions{4} << Versions{3} << qint64(0) << "disk";
    }
    void whatIsHeldDecidesWhereItGoesOn() {
        QFETCH(QList<quint64>, first);
        QFETCH(QList<quint64>, second);
        QFETCH(qint64, from);
        QFETCH(QString, method);
        Changes run;
        QVERIFY(run.trains(4));
        const auto layers = static_cast<int>(run.home.request.model.layers.size());
        const auto holds = [&](int number, const QList<quint64> &versions, int begin, int end) {
            Worker &worker = *run.home.worker(number);
            worker.deployment.reset();  // else it adds its own newest one
            worker.held.clear();
            for (const quint64 version : versions)
                worker.held.push_back({version, begin, end});
        };
        holds(1, first, 0, 2);
        holds(3, second, 2, layers);
        run.lose(2);
        QVERIFY(run.isDeployed());
        QCOMPARE(run.from, from);
        QVERIFY(run.doRounds(run.from + 1));
        QCOMPARE(run.last->method, method);
        QCOMPARE(run.last->fromVersion, quint64(from));
    }
    /// Version 4 is on the disk when rounds go on from 3; then nobody holds a whole version any more.
    void theDiskKnowsWhichCourseItIsOf_data() {
        QTest::addColumn<bool>("asynchronous");
        QTest::addColumn<qint64>("from");
        QTest::newRow("rounds that are done again give the same weights: it counts") << false << qint64(4);
        QTest::newRow("they give others: it does not") << true << qint64(0);
    }
    void theDiskKnowsWhichCourseItIsOf() {
        QFETCH(bool, asynchronous);
        QFETCH(qint64, from);
        Changes run;
        if (asynchronous)
            run.home.request.job.asynchronous.emplace();
        QVERIFY(run.trains(4));
        LayerStates states;
        for (const StateLayer &layer : run.replicas->layers())
            states.push_back(Buffer::allocate(layer.bytes));
        run.folder->write(4, states);
        QVERIFY(comes([&] { return run.folder->version() == 4; }));
        const auto layers = static_cast<int>(run.home.request.model.layers.size());
        const auto holds = [&](int number, quint64 version, int begin, int end) {
            Worker &worker = *run.home.worker(number);
            worker.deployment.reset();
            worker.held = {{version, begin, end}};
        };
        holds(1, 3, 0, 2);
        holds(3, 3, 2, layers);
        run.lose(2);
        QVERIFY(run.isDeployed());
        QCOMPARE(run.from, 3);
        QVERIFY(run.doRounds(6));
        holds(1, 5, 0, 1);
        holds(3, 6, 1, layers);
        run.rounds->stop();
        run.change->recover(0);
        QVERIFY(run.isDeployed());
        QCOMPARE(run.from, from);
    }
    void aLossMeanwhileBeginsItAnewUnderAnotherTerm() {
        Changes run;
        QVERIFY(run.trains(3));
        const quint32 term = run.current->term();
        run.lose(2);
        run.lose(3);
        QCOMPARE(run.current->term(), term + 2);
        QVERIFY(run.isDeployed());
        QCOMPARE(run.change->roundsBefore(), 3);
        QVERIFY(run.doRounds(run.from + 1));
        QVERIFY(run.last->isDisturbed);
        QCOMPARE(run.last->replayedRounds, 3 - run.from);
        QCOMPARE(run.last->detect, 0.25);  // the first loss is what was noticed late
    }
    void aPlanThatIsWantedTakesOverUndisturbed() {
        Changes run;
        QVERIFY(run.trains(3));
        const Plan wanted = run.otherPlan();
        run.rounds->stop();
        run.change->begin(
            {.reason = QStringLiteral("user"), .why = QStringLiteral("Because."), .roundsBefore = 3, .plan = wanted});
        run.change->halt();
        QVERIFY(run.isDeployed());
        QCOMPARE(run.from, 3);  // no round is repeated
        QCOMPARE(run.current->plan().stages, wanted.stages);
        const auto told = lastEvent<event::Plan>(run.home, "plan");
        QCOMPARE(told.reason, QStringLiteral("user"));
        QCOMPARE(told.why, QStringLiteral("Because."));
        QVERIFY(run.doRounds(4));
        QVERIFY(!run.last->isDisturbed);
        QVERIFY(run.last->movedBytes > 0);
        QCOMPARE(run.disturbances, 0);
    }
    void aPlanThatLosesADeviceMeanwhileIsNotTold() {
        Changes run;
        QVERIFY(run.trains(3));
        const Plan wanted = run.otherPlan();
        run.rounds->stop();
        run.change->begin(
            {.reason = QStringLiteral("drift"), .why = QStringLiteral("Because."), .roundsBefore = 3, .plan = wanted});
        run.change->halt();
        run.membership->leaving().begin(Home::id(3));
        QVERIFY(run.isDeployed());
        QVERIFY(!usesDevice(run.current->plan(), Home::id(3)));
        const auto told = lastEvent<event::Plan>(run.home, "plan");
        QCOMPARE(told.reason, QStringLiteral("leave"));
        QVERIFY(told.why.isEmpty());
        QVERIFY(run.doRounds(4));
        QCOMPARE(run.last->reason, QStringLiteral("leave"));
    }
    void peersThatDoNotReachEachOtherArePlannedAround() {
        Changes run;
        run.home.unreachable = {1, 2};
        QVERIFY(run.plan());
        QVERIFY(run.change->beginFirst(QStringLiteral("first")));
        run.change->deploy();
        QVERIFY(run.isDeployed());
        QCOMPARE(run.disturbances, 1);
        QVERIFY(run.membership->brokenLinks().contains(Home::id(1), Home::id(2)));
        QVERIFY(!run.membership->brokenLinks().contains(Home::id(1), Home::id(3)));
        // The worker names only a key.
        QVERIFY(std::ranges::any_of(run.home.events(QStringLiteral("warning")), [](const RunEvent &each) {
            const auto &told = std::get<event::Warning>(each.body);
            return told.what.contains(Home::name(1)) && told.cause == QStringLiteral("No connection to local-2.");
        }));
        // Not as neighbors any more.
        const auto place = [&](int number) {
            return stageOf(run.current->deployment(), key(2, static_cast<quint8>(number)));
        };
        QVERIFY(place(1) < 0 || place(2) < 0 || std::abs(place(1) - place(2)) > 1);
    }
    void whoRefusesItsLayersIsToldApart_data() {
        QTest::addColumn<bool>("hasTrained");
        QTest::newRow("before the first round that ends the run") << false;
        QTest::newRow("later another plan is made for what memory there is") << true;
    }
    void whoRefusesItsLayersIsToldApart() {
        QFETCH(bool, hasTrained);
        Changes run;
        if (hasTrained) {
            QVERIFY(run.trains(2));
            run.home.failsOnce[3] = QStringLiteral("deploy");
            run.lose(2);
        } else {
            run.home.failsOnce[3] = QStringLiteral("deploy");
            QVERIFY(run.plan());
            QVERIFY(run.change->beginFirst(QStringLiteral("first")));
            run.change->deploy();
        }
        if (hasTrained) {
            QVERIFY(run.isDeployed());
            QVERIFY(run.disturbances >= 1);
        } else {
            QVERIFY(comes([&] { return run.failure.has_value(); }));
            QVERIFY(isMemoryError(*run.failure));
        }
    }
    void aPlanThatLacksMemoryByNowIsNotTakenUpAgain() {
        Changes run;
        QVERIFY(run.trains(3));
        QVERIFY(usesDevice(run.current->plan(), Home::id(2)));
        WorkerHello hello = run.session(2).hello();
        hello.memoryBytes = 2000;
        run.session(2).setHello(hello);
        run.replanner->takeMemory(run.session(2));
        run.rounds->stop();
        run.change->recover(0);
        QVERIFY(run.isDeployed());
        QVERIFY(!usesDevice(run.current->plan(), Home::id(2)));
        QVERIFY(run.doRounds(run.from + 1));
    }
    void aPlanThatDoesNotFitIsNotBuilt() {
        Changes run;
        run.home.request.planner = QStringLiteral("dp");  // it knows nothing of memory
        QVERIFY(run.trains(2));
        for (const int number : {1, 3})
            run.replanner->remember({Home::id(number), 2000, 0, std::nullopt});
        run.lose(2);
        QVERIFY(comes([&] { return run.change->isAwaitingDevices(); }));
        const auto warning = lastEvent<event::Warning>(run.home, "warning");
        QVERIFY2(warning.what.contains(QLatin1String("does not fit the memory")), qPrintable(warning.what));
    }
    void withNobodyLeftItWaitsAndSaysSo() {
        Changes run;
        QVERIFY(run.trains(2));
        run.membership->remove(Home::id(1), Departure::Ended);
        run.membership->remove(Home::id(2), Departure::Ended);
        run.lose(3);
        QVERIFY(run.change->isAwaitingDevices());
        QVERIFY(lastEvent<event::Warning>(run.home, "warning").what.contains(QLatin1String("No device is left")));
        run.join(1);
        run.change->recover(0);
        QCOMPARE(run.change->step(), Step::Halting);
        QVERIFY(run.isDeployed());
    }
    void statesOfWhoIsSilentAreAwaitedWhileThatIsCheaper() {
        Changes run;
        run.home.roundPause = 500ms;
        run.home.losesCopies = true;
        // Whoever is silent is dialled in vain.
        run.home.unreached[1] = QStringLiteral("wire.deadline");
        QVERIFY(run.trains(4));
        run.lose(1, Departure::Silent);
        QVERIFY(comes([&] { return count(run.home, "warning") >= 1; }));  // it stays, the wait does not
        const auto warning = eventOf<event::Warning>(run.home, "warning");
        QVERIFY2(warning.advice.contains(QLatin1String("waits up to")), qPrintable(warning.advice));
        // Nothing comes: from the disk, here the initial weights.
        QVERIFY(run.isDeployed());
        QCOMPARE(run.from, 0);
        QVERIFY(run.doRounds(1));
        QCOMPARE(run.last->method, QStringLiteral("disk"));
        QVERIFY(run.last->detect > 0.25);  // the wait counts
    }
    void whoIsToGoIsReleasedOnceItsLayersAreElsewhere() {
        Changes run;
        QVERIFY(run.trains(3));
        run.membership->leaving().begin(Home::id(3));
        run.rounds->stop();
        run.change->begin({.reason = QStringLiteral("leave"), .roundsBefore = 3});
        run.change->halt();
        QVERIFY(run.isDeployed());
        QVERIFY(!run.membership->session(Home::id(3)));
        QCOMPARE(eventOf<event::Left>(run.home, "left").id, Home::id(3));
        QCOMPARE(run.from, 3);
    }
    void aTermIsOnTheDiskBeforeAnybodyHearsOfIt() {
        Changes run;
        QVERIFY(run.trains(2));
        bool isKnown = true;
        run.home.halted = [&](quint32 term) {
            const auto file = RunStateFile::load(run.home.directory->file(RunStateFile::name()));
            isKnown = isKnown && file && file->term >= term;
        };
        run.lose(2);
        QVERIFY(run.isDeployed());
        QVERIFY(isKnown);
    }
};

QTEST_GUILESS_MAIN(TestReconfiguration)
#include "test_reconfiguration.moc"
