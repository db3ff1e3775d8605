// What is shown about a run equals its event stream.
#include <QSignalSpy>
#include <algorithm>

#include "tests/ui/run_fixture.h"

using namespace hearth;

class RunModelTest : public RunFixture {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }

    void everyRoundOfTheStreamIsAPoint() {
        RunModel run;
        replay(run);
        std::size_t at = 0;
        for (const RunEvent &one : m_events) {
            const auto *round = std::get_if<event::Round>(&one.body);
            if (round == nullptr)
                continue;
            QVERIFY(at < run.rounds().size());
            const RoundPoint &point = run.rounds()[at++];
            QCOMPARE(point.round, round->round);
            QCOMPARE(point.t, one.t);
            QCOMPARE(point.loss, round->loss);
            QCOMPARE(point.samplesPerSecond, round->samplesPerS);
            QCOMPARE(point.predicted, 128 / round->predictedRoundS);
        }
        QCOMPARE(at, run.rounds().size());
        QCOMPARE(run.completedRounds(), qint64{60});
        QCOMPARE(run.totalRounds(), qint64{60});
        QCOMPARE(run.evaluations().size(), std::size_t{3});
        QCOMPARE(run.evaluations().back().accuracy, 0.8103);
        QCOMPARE(run.state(), QStringLiteral("finished"));
        QVERIFY(!run.isLive());
    }

    void aRunThatCountsPassesKnowsItsRoundsWhereTheSamplesWereCounted() {
        Job job;
        job.batch = 32;
        job.rounds.reset();
        job.epochs = 2;
        RunModel run;
        run.add(make(1, event::Run{QStringLiteral("r"), {}, job.toJson(), {}}));
        QCOMPARE(run.totalRounds(), qint64{0});
        run.clear();
        run.add(make(1, event::Run{QStringLiteral("r"), {}, job.toJson(), {}, {}, 50, 10}));
        QCOMPARE(run.totalRounds(), qint64{4});
        run.clear();
        QCOMPARE(run.samples().training, qint64{0});
    }

    void thePowerOfACardIsAMovingAverage() {
        RunModel run;
        const QSignalSpy told(&run, &RunModel::devicesChanged);
        const QString card = QStringLiteral("card"), none = QStringLiteral("none");
        quint64 seq = 0;
        for (const double watts : {100.0, 200.0}) {
            event::Round round;
            round.round = static_cast<qint64>(++seq);
            round.devices[card].card.watts = watts;
            round.devices[none] = {};
            run.add(make(seq, round));
        }
        const double average = run.devices().times()[card].card.watts.value_or(0);
        QVERIFY2(average > 100 && average < 200, qPrintable(QString::number(average)));
        QVERIFY(!run.devices().times()[none].card.watts);
        // Once, when it became known.
        QCOMPARE(told.size(), 1);
    }

    void aLinkThatSendsNothingInARoundHasARateOfNothing() {
        // So many rounds that the first ones are known in pieces alone.
        constexpr int rounds = 3000;
        const QString link = QStringLiteral("a>b");
        RunModel run;
        for (int i = 1; i <= rounds; ++i) {
            event::Round round;
            round.round = i;
            round.roundS = round.samplesPerS = 1;
            if (i % 2 == 1)
                round.links = {{QStringLiteral("a"), QStringLiteral("b"), 4000}};
            run.add({static_cast<quint64>(i), static_cast<double>(i), round, {}});
        }
        const RunSeries &series = run.series();
        for (int t = 1; t <= rounds; ++t) {
            const auto one = series.links().at(link).at(t), all = series.allLinks().at(t);
            QVERIFY(one && all);
            QCOMPARE(all->mean, one->mean);
        }
        QCOMPARE(series.allLinks().at(rounds)->mean, 0.0);
        QVERIFY(run.devices().traffic().value(link) < 2000);
    }

    void whoHasNoLayersRestsAndAllPauseWithTheRun() {
        RunModel run;
        quint64 seq = 0;
        for (const RunEvent &one : m_events) {
            run.add(one);
            seq = one.seq;
            if (const auto *round = std::get_if<event::Round>(&one.body); round != nullptr && round->round > 5)
                break;
        }
        const auto add = [&](const RunEventBody &body) { run.add({++seq, run.lastT() + 1, body, {}}); };
        const QString works = run.plan()->stages.front().shares.front().device, rests(64, QLatin1Char('e'));
        add(event::Device{rests, QStringLiteral("nano"), QStringLiteral("ready"), {}});
        QCOMPARE(run.devices().fate(works).health, Health::Well);
        QCOMPARE(run.devices().fate(rests).health, Health::Resting);
        QCOMPARE(run.devices().fate(QStringLiteral("of another run")).health, Health::Well);
        add(event::State{QStringLiteral("paused")});
        QCOMPARE(run.devices().fate(works), (DeviceFate{Health::Paused, run.lastT(), {}}));
        QCOMPARE(run.devices().fate(rests).health, Health::Resting);
        add(event::State{QStringLiteral("training")});
        QCOMPARE(run.devices().fate(works).health, Health::Well);
        add(event::Suspect{works});
        add(event::State{QStringLiteral("paused")});
        QCOMPARE(run.devices().fate(works).health, Health::Suspect);
        add(event::State{QStringLiteral("stopped")});
        QCOMPARE(run.devices().fate(rests).health, Health::Well);
    }

    void repeatedEventsCountOnce() {
        RunModel run;
        replay(run);
        const std::size_t rounds = run.rounds().size(), sentences = run.log().sentences().size();
        replay(run);
        QCOMPARE(run.rounds().size(), rounds);
        QCOMPARE(run.log().sentences().size(), sentences);
    }

    void thePlanTellsStagesAndTheRoundsTellSpeed() {
        RunModel run;
        replay(run);
        QVERIFY(run.plan());
        QCOMPARE(run.plan()->stages.size(), std::size_t{2});
        const QString second = run.plan()->stages[1].shares[0].device;
        QCOMPARE(run.devices().stageOf(second), std::optional<int>(1));
        QCOMPARE(run.devices().name(second), QStringLiteral("local-3"));
        QVERIFY(run.devices().measuredSpeed(second) > 1e8);
        QCOMPARE(run.devices().stageOf(QStringLiteral("nobody")), std::optional<int>());
        QCOMPARE(run.devices().measuredSpeed(QStringLiteral("nobody")), 0.0);
        QVERIFY(!run.devices().traffic().isEmpty());
    }

    void aRunThatIsTakenUpAgainIsLiveAgain_data() {
        QTest::addColumn<QString>("ended");
        for (const char *state : {"interrupted", "stopped", "failed"})
            QTest::newRow(state) << QString::fromLatin1(state);
    }
    void aRunThatIsTakenUpAgainIsLiveAgain() {
        QFETCH(QString, ended);
        RunModel run;
        run.add(make(1, event::Run{QStringLiteral("r"), {}, {}, {}}));
        run.add(make(2, event::State{QStringLiteral("training")}));
        run.add(make(3, event::Failure{{QStringLiteral("x"), QStringLiteral("It broke."), {}, {}}}));
        run.add(make(4, event::State{ended}));
        run.end();
        QVERIFY(!run.isLive());
        QVERIFY(run.error());
        run.add(make(5, event::State{QStringLiteral("recovering")}));
        QVERIFY(run.isLive());
        QVERIFY(!run.error());
        QCOMPARE(run.state(), QStringLiteral("recovering"));
        run.add(make(6, event::State{QStringLiteral("finished")}));
        QVERIFY(!run.isLive());
    }

    void aStreamThatEndsWithoutAFinalStateIsInterrupted() {
        RunModel run;
        run.add(m_events[0]);
        run.add(m_events[1]);
        QVERIFY(run.isLive());
        run.end();
        QVERIFY(!run.isLive());
        QCOMPARE(run.state(), QStringLiteral("interrupted"));
    }

    void clearingForgetsEverything() {
        RunModel run;
        replay(run);
        run.clear();
        QVERIFY(run.isEmpty());
        QVERIFY(run.rounds().empty());
        QVERIFY(!run.plan());
        QVERIFY(run.log().sentences().empty());
        QVERIFY(run.devices().traffic().isEmpty());
    }

    void aRepeatedRoundTakesThePlaceOfWhatItUndoes() {
        RunModel run;
        replay(run);
        QSignalSpy undone(&run, &RunModel::roundsUndone);
        event::Round again;
        again.round = 58;
        again.term = 2;
        again.loss = 0.25;
        again.samplesPerS = 500;
        run.add(make(1000, again));
        QCOMPARE(undone.size(), 1);
        QCOMPARE(run.rounds().size(), std::size_t{58});
        QCOMPARE(run.completedRounds(), qint64{58});
        QCOMPARE(run.rounds().back().loss, 0.25);
        QCOMPARE(run.evaluations().size(), std::size_t{2});
        QVERIFY(run.evaluations().back().round < 58);
        // The average begins anew with the term.
        QCOMPARE(run.rounds().back().smoothed, 500.0);
        again.round = 59;
        run.add(make(1001, again));
        QCOMPARE(undone.size(), 1);
        QCOMPARE(run.rounds().size(), std::size_t{59});
        for (std::size_t i = 0; i < run.rounds().size(); ++i)
            QCOMPARE(run.rounds()[i].round, static_cast<qint64>(i) + 1);
    }

    void theNumbersOfRoundsAreKeptOverTime() {
        RunModel run;
        replay(run);
        const auto numbers = run.series().rounds().all();
        QCOMPARE(numbers.size(), run.rounds().size());
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            QCOMPARE(numbers[i].from, run.rounds()[i].t);
            QCOMPARE(numbers[i].mean, static_cast<double>(run.rounds()[i].round));
        }
        event::Round round;
        round.round = 70;
        round.term = 1;
        run.add({1000, 16, round, {}});
        QVERIFY2(run.series().loss().all().back().breakBefore, "the rounds between are missing");
        round.round = 71;
        run.add({1001, 16.1, round, {}});
        QVERIFY(!run.series().loss().all().back().breakBefore);
        round.round = 51;
        round.term = 2;
        run.add({1002, 17, round, {}});
        QCOMPARE(run.series().rounds().count(), qint64{51});
        QCOMPARE(run.series().rounds().lastT(), 17.0);
        run.clear();
        QVERIFY(run.series().rounds().isEmpty());
    }

    void epochsAreRoundsOfSoManySamples_data() {
        QTest::addColumn<qint64>("samples");
        QTest::addColumn<qint64>("rounds");
        QTest::addColumn<double>("perRound");
        QTest::newRow("as many as ten rounds") << qint64{1280} << qint64{30} << 0.1;
        QTest::newRow("not told") << qint64{0} << qint64{0} << 0.0;
        QTest::newRow("told wrongly") << qint64{-7} << qint64{0} << 0.0;
    }
    void epochsAreRoundsOfSoManySamples() {
        QFETCH(qint64, samples);
        QFETCH(qint64, rounds);
        QFETCH(double, perRound);
        Job job;
        job.batch = 128;
        job.rounds.reset();
        job.epochs = 3;
        RunModel run;
        run.add(make(1, event::Run{QStringLiteral("r"), {}, job.toJson(), {}, {}, samples}));
        QVERIFY(run.job());
        QCOMPARE(run.totalRounds(), rounds);
        QCOMPARE(run.epochsPerRound(), perRound);
        run.clear();
        QCOMPARE(run.epochsPerRound(), 0.0);
    }

    void aRoundThatSeemsToTakeNoTimeDoesNotLiftTheAverage() {
        RunModel run;
        event::Round round;
        for (quint64 i = 1; i <= 20; ++i) {
            round.round = static_cast<qint64>(i);
            round.samplesPerS = i == 20 ? 1e6 : 1000;
            run.add(make(i, round));
        }
        QVERIFY(run.rounds().back().smoothed > 1000);
        QVERIFY(run.rounds().back().smoothed < 1300);
    }

    void aRepeatedEvaluationCountsOnce() {
        RunModel run;
        replay(run);
        run.add(make(1000, event::Evaluation{60, 0.9, 0.2}));
        QCOMPARE(run.evaluations().size(), std::size_t{3});
        QCOMPARE(run.evaluations().back().accuracy, 0.9);
    }

    void aLossIsFollowedUntilTheDeviceWorksAgain() {
        RunModel run;
        replay(run);
        const QString device = run.plan()->stages[1].shares[0].device;
        const Plan before = *run.plan();
        run.add(make(1000, event::Suspect{device}));
        QCOMPARE(run.devices().fate(device).health, Health::Suspect);
        QCOMPARE(run.devices().fate(device).stage, std::optional<int>(1));
        event::Round round;
        round.round = 61;
        round.devices[device] = {};
        run.add(make(1001, round));
        QCOMPARE(run.devices().fate(device).health, Health::Well);
        run.add(make(1002, event::Lost{device, 62, {}}));
        QCOMPARE(run.devices().fate(device).health, Health::Lost);
        QCOMPARE(run.devices().lostNames(), QStringList{QStringLiteral("local-3")});
        QVERIFY(!run.devices().times().contains(device));
        QVERIFY(std::ranges::none_of(run.devices().traffic().keys(),
                                     [&](const QString &link) { return link.contains(device); }));

        Plan after = before;
        after.stages.pop_back();
        after.stages[0].lastLayer = before.stages[1].lastLayer;
        run.add(make(1003, event::Plan{2, 62, after.toJson(), QStringLiteral("replay"), {}}));
        QCOMPARE(run.devices().stageOf(device), std::optional<int>());
        QCOMPARE(run.devices().fate(device).stage, std::optional<int>(1));
        QCOMPARE(run.devices().heirs(), (QStringList{QStringLiteral("local-1"), QStringLiteral("local-2")}));
        run.add(make(1004, event::Recovered{2, 61, 0, 0, 0, 0, 0, 1.1, 0, 0, QStringLiteral("lightweight")}));
        QVERIFY(plain(run.log().sentences().back().text)
                    .startsWith(QStringLiteral("The layers of local-3 moved to local-1 and local-2. Resumed "
                                               "after 1.1 s; no round was repeated.")));
        QVERIFY(run.devices().heirs().isEmpty());

        run.add(make(1005, event::Joined{device}));
        QCOMPARE(run.devices().fate(device).health, Health::Returned);
        run.add(make(1006, event::Plan{3, 62, before.toJson(), QStringLiteral("join"), {}}));
        QCOMPARE(run.devices().fate(device).health, Health::Well);
        run.add(make(1007, event::Left{device}));
        QCOMPARE(run.devices().fate(device).health, Health::Left);
    }

    void aSlowDeviceStaysSlowUnderAPlanThatSparesIt() {
        RunModel run;
        replay(run);
        const QString device = run.plan()->stages[1].shares[0].device;
        quint64 seq = 1000;
        qint64 number = 60;
        const auto compute = [&](int rounds, double seconds) {
            for (int i = 0; i < rounds; ++i) {
                event::Round round;
                round.round = ++number;
                round.devices[device].computeS = seconds;
                run.add(make(++seq, round));
            }
        };
        Plan plan = *run.plan();
        const auto change = [&] { run.add(make(++seq, event::Plan{2, number + 1, plan.toJson(), {}, {}})); };
        change();
        compute(30, 0.01);
        QCOMPARE(run.devices().fate(device).health, Health::Well);
        // One long round is no change of speed.
        compute(1, 0.04);
        compute(20, 0.01);
        QCOMPARE(run.devices().fate(device).health, Health::Well);
        compute(30, 0.04);
        QCOMPARE(run.devices().fate(device).health, Health::Slow);
        // Fewer layers take it less time, and it is as slow as before.
        plan.stages[0].lastLayer = plan.stages[1].firstLayer = plan.stages[1].lastLayer - 1;
        change();
        compute(30, 0.01);
        QCOMPARE(run.devices().fate(device).health, Health::Slow);
        compute(30, 0.0025);
        QCOMPARE(run.devices().fate(device).health, Health::Well);
    }

    void theErrorOfARunIsKept() {
        RunModel run;
        run.add(m_events[0]);
        run.add(make(2, event::Failure{{QStringLiteral("c"), QStringLiteral("What."), {}, {}}}));
        QVERIFY(run.error());
        QCOMPARE(run.error()->what, QStringLiteral("What."));
    }

    void aRunWithoutEndTakesBoundedMemory() {
        RunModel run;
        quint64 seq = 0;
        double t = 0;
        const auto send = [&](RunEventBody body) { run.add({++seq, t += 1, std::move(body), {}}); };
        send(event::Run{QStringLiteral("r"), {}, {}, {}});
        std::size_t sentences = 0, marks = 0, evaluations = 0;
        constexpr int faults = 30'000;
        for (int i = 0; i < faults; ++i) {
            send(event::Suspect{QStringLiteral("nx%1").arg(i)});
            send(event::Evaluation{i, i / static_cast<double>(faults), 1});
            sentences = std::max(sentences, run.log().sentences().size());
            marks = std::max(marks, run.log().marks().size());
            evaluations = std::max(evaluations, run.evaluations().size());
        }
        QVERIFY(sentences <= 2 * EventLog::keptSentences);
        QVERIFY(marks <= 2 * EventLog::keptMarks);
        QVERIFY(evaluations <= 2 * RunModel::keptEvaluations);

        // The newest are all there, and the first sentence says how many are not.
        const auto &told = run.log().sentences();
        QVERIFY(told.size() > EventLog::keptSentences);
        for (std::size_t i = 1; i < told.size(); ++i)
            QCOMPARE(told[i].seq, seq - (told.size() - 1 - i));
        const auto forgotten = static_cast<qint64>(seq - (told.size() - 1));
        QVERIFY2(told.front().text.startsWith(QString::number(forgotten) + QStringLiteral(" earlier events")),
                 qPrintable(told.front().text));
        // Marks and evaluations reach back to the beginning.
        QCOMPARE(run.log().marks().front().t, 2.0);
        for (std::size_t i = 0; i < EventLog::keptMarks; ++i)
            QCOMPARE(run.log().marks()[run.log().marks().size() - 1 - i].t, t - 1 - 2 * static_cast<double>(i));
        for (std::size_t i = 1; i < run.log().marks().size(); ++i)
            QVERIFY(run.log().marks()[i].t - run.log().marks()[i - 1].t < t / 200);
        QCOMPARE(run.evaluations().front().round, qint64{0});
        QCOMPARE(run.evaluations().back().round, qint64{faults - 1});
        for (std::size_t i = 1; i < run.evaluations().size(); ++i)
            QVERIFY(run.evaluations()[i].round > run.evaluations()[i - 1].round);
    }

    void theTickOfKeptStatesIsRewrittenWhereverItIsInTheList() {
        RunModel run;
        replay(run);
        quint64 seq = 10'000;
        run.add(make(++seq, event::Plan{9, 60, run.plan()->toJson(), QStringLiteral("user"), {}}));
        const auto keptRow = [&run] {
            return std::ranges::find_if(run.log().sentences(),
                                        [](const EventSentence &one) { return one.folds && one.seq > 10'000; });
        };
        run.add(make(++seq, event::Checkpoint{60, 1 << 20}));
        QVERIFY(keptRow() != run.log().sentences().end());
        const auto fill = [&](std::size_t count) {
            for (std::size_t i = 0; i < count; ++i)
                run.add(make(++seq, event::Suspect{QStringLiteral("nx1")}));
        };
        // Other sentences behind it push the older ones out, and it moves up.
        fill(2 * EventLog::keptSentences - run.log().sentences().size() - 5);
        const QString before = keptRow()->text;
        const std::size_t rows = run.log().sentences().size();
        run.add(make(++seq, event::Checkpoint{61, 2 << 20}));
        QCOMPARE(run.log().sentences().size(), rows);
        QVERIFY(keptRow()->text != before);
        // Once it is gone itself, a new one begins.
        fill(10);
        QVERIFY(run.log().sentences().size() < rows);
        QVERIFY(keptRow() == run.log().sentences().end());
        run.add(make(++seq, event::Checkpoint{62, 3 << 20}));
        QVERIFY(keptRow() == std::prev(run.log().sentences().end()));
    }
};

QTEST_MAIN(RunModelTest)
#include "run_model_test.moc"
