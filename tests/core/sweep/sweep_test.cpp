// Sweeps: which jobs they try, which runs they stop, and what is refused.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/base/files.h"
#include "core/sweep/sweep_order.h"

using namespace hearth;

class SweepTest : public QObject {
    Q_OBJECT

    static SweepOrder orderOf(const QStringList &set, std::optional<int> random = {}) {
        SweepOrder order;
        order.name = QStringLiteral("one");
        order.set = set;
        order.random = random;
        return order;
    }
    static QStringList trialsOf(const Sweep &sweep) {
        QStringList texts;
        for (const SweepTrial &trial : sweep.trials)
            texts << trialText(trial.values);
        return texts;
    }
    static SweepOrder hyperbandOf(qint64 rounds, const QStringList &set = {QStringLiteral("lr=1e-4..1e-1:log")}) {
        SweepOrder order = orderOf(set);
        order.job[QStringLiteral("rounds")] = rounds;
        order.job[QStringLiteral("evaluate_every")] = 10;
        order.job[QStringLiteral("best_by")] = QStringLiteral("accuracy");
        order.stopping = Sweep::Stopping::Hyperband;
        return order;
    }
    static event::Evaluation evaluation(qint64 round, double accuracy, double loss = 1) {
        return {round, accuracy, loss};
    }

  private Q_SLOTS:
    void aGridIsAllCombinationsTheLastFastest() {
        const auto sweep = orderOf({QStringLiteral("lr=0.01,0.03"), QStringLiteral("batch=32,64")}).begin();
        QVERIFY2(sweep, sweep ? "" : qPrintable(sweep.error().toString()));
        QCOMPARE(trialsOf(*sweep),
                 (QStringList{
                     QStringLiteral("batch=32 learning_rate=0.01"), QStringLiteral("batch=64 learning_rate=0.01"),
                     QStringLiteral("batch=32 learning_rate=0.03"), QStringLiteral("batch=64 learning_rate=0.03")}));
        const auto job = jobWith(sweep->job, sweep->trials[3].values);
        QVERIFY(job);
        QCOMPARE(job->batch, 64);
        QCOMPARE(job->optimizer.learningRate, 0.03);
        QCOMPARE(job->optimizer.momentum, Job().optimizer.momentum);
    }

    void anotherOptimizerIsNotGivenTheNumbersOfTheFirst() {
        SweepOrder order = orderOf({QStringLiteral("optimizer=sgd,adam")});
        order.job[QStringLiteral("optimizer")] = Job().optimizer.toJson();
        const auto sweep = order.begin();
        QVERIFY2(sweep, sweep ? "" : qPrintable(sweep.error().toString()));
        const auto job = jobWith(sweep->job, sweep->trials[1].values);
        QVERIFY(job);
        QVERIFY(job->optimizer.kind == OptimizerSpec::Kind::Adam);
        QCOMPARE(job->optimizer.learningRate, Job().optimizer.learningRate);
    }

    void epochsTakeThePlaceOfRounds() {
        SweepOrder order = orderOf({QStringLiteral("epochs=1,2")});
        order.job[QStringLiteral("rounds")] = 100;
        const auto sweep = order.begin();
        QVERIFY2(sweep, sweep ? "" : qPrintable(sweep.error().toString()));
        QCOMPARE(jobWith(sweep->job, sweep->trials[1].values)->epochs, qint64(2));
    }

    void drawsLieInTheirRangesAndAreTheSameForASeed() {
        SweepOrder order = orderOf(
            {QStringLiteral("lr=1e-4..1e-1:log"), QStringLiteral("batch=8..64"), QStringLiteral("codec=none,auto")},
            100);
        const auto sweep = order.begin();
        QVERIFY2(sweep, sweep ? "" : qPrintable(sweep.error().toString()));
        QCOMPARE(sweep->trials.size(), std::size_t{100});
        int small = 0;
        for (const SweepTrial &trial : sweep->trials) {
            const double rate = trial.values[QStringLiteral("optimizer.learning_rate")].toDouble();
            const double batch = trial.values[QStringLiteral("batch")].toDouble();
            QVERIFY(rate >= 1e-4 && rate <= 1e-1);
            QVERIFY(batch >= 8 && batch <= 64 && batch == std::floor(batch));
            small += rate < std::sqrt(1e-4 * 1e-1) ? 1 : 0;
        }
        // Even in the logarithm: half of a hundred, give or take four deviations.
        QVERIFY2(std::abs(small - 50) <= 20, qPrintable(QString::number(small)));
        QCOMPARE(trialsOf(*order.begin()), trialsOf(*sweep));
        order.seed = 2;
        QVERIFY(trialsOf(*order.begin()) != trialsOf(*sweep));
    }

    void noCombinationIsDrawnTwice() {
        const auto sweep = orderOf({QStringLiteral("batch=1,2,4,8")}, 10).begin();
        QVERIFY(sweep);
        QCOMPARE(sweep->trials.size(), std::size_t{4});
    }

    void whatCannotBeSweptIsRefused_data() {
        QTest::addColumn<QStringList>("set");
        QTest::addColumn<int>("random");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("says");
        const QString bad = QStringLiteral("sweep.bad-set");
        QTest::newRow("nothing") << QStringList() << 0 << QStringLiteral("sweep.nothing") << QString();
        QTest::newRow("an unknown key") << QStringList{QStringLiteral("bach=1,2")} << 0 << bad
                                        << QStringLiteral("batch");
        QTest::newRow("no value") << QStringList{QStringLiteral("batch=")} << 0 << bad << QStringLiteral("batch=32,64");
        QTest::newRow("an empty choice") << QStringList{QStringLiteral("batch=1,")} << 0 << bad
                                         << QStringLiteral("comma");
        QTest::newRow("a value twice") << QStringList{QStringLiteral("batch=1"), QStringLiteral("batch=2")} << 0 << bad
                                       << QStringLiteral("twice");
        QTest::newRow("a range without draws")
            << QStringList{QStringLiteral("batch=1..8")} << 0 << bad << QStringLiteral("--random N");
        QTest::newRow("an empty range") << QStringList{QStringLiteral("batch=8..1")} << 3 << bad
                                        << QStringLiteral("empty");
        QTest::newRow("a range that is none")
            << QStringList{QStringLiteral("batch=a..b")} << 3 << bad << QStringLiteral("two numbers");
        QTest::newRow("a logarithm of nothing")
            << QStringList{QStringLiteral("lr=0..1:log")} << 3 << bad << QStringLiteral("above 0");
        QTest::newRow("a value of another type")
            << QStringList{QStringLiteral("batch=many")} << 0 << QString() << QStringLiteral("batch=many");
        QTest::newRow("a value out of range")
            << QStringList{QStringLiteral("lr=-1")} << 0 << QString() << QStringLiteral("learning_rate");
        QTest::newRow("a million of combinations")
            << QStringList{QStringLiteral("seed=") + numbers(1000), QStringLiteral("batch=") + numbers(1000)} << 0
            << QStringLiteral("sweep.too-many") << QStringLiteral("1,000,000");
        QTest::newRow("how they are compared")
            << QStringList{QStringLiteral("best_by=loss,accuracy")} << 0 << bad << QStringLiteral("--by accuracy");
        QTest::newRow("losses that are compared")
            << QStringList{QStringLiteral("loss=cross-entropy,mean-squared-error")} << 0
            << QStringLiteral("sweep.losses") << QStringLiteral("--by accuracy");
        QTest::newRow("never evaluated") << QStringList{QStringLiteral("evaluate_every=0,1")} << 0
                                         << QStringLiteral("sweep.no-evaluations") << QStringLiteral("evaluate_every");
    }
    void whatCannotBeSweptIsRefused() {
        QFETCH(QStringList, set);
        QFETCH(int, random);
        QFETCH(QString, code);
        QFETCH(QString, says);
        const auto sweep = orderOf(set, random > 0 ? std::optional(random) : std::nullopt).begin();
        QVERIFY(!sweep);
        if (!code.isEmpty())
            QCOMPARE(sweep.error().code, code);
        QVERIFY2(sweep.error().toString().contains(says), qPrintable(sweep.error().toString()));
    }

    void namesOfSweepsNameFolders_data() {
        QTest::addColumn<QString>("name");
        for (const char *name : {"", "a/b", "..", ".hidden", "two words", "a\nb", "a\u202eb"})
            QTest::newRow(name) << QString::fromUtf8(name);
    }
    void namesOfSweepsNameFolders() {
        QFETCH(QString, name);
        QVERIFY(!checkSweepName(name));
    }

    void theWorseAreStoppedAtRungs() {
        Sweep sweep;
        sweep.stopping = Sweep::Stopping::Halving;
        sweep.trials.resize(6);
        // The first has nobody to be compared with.
        QVERIFY(!sweep.take(0, evaluation(10, 0.5)));
        QVERIFY(sweep.take(1, evaluation(10, 0.4)));
        QVERIFY(!sweep.take(2, evaluation(10, 0.6)));
        // Of four two go on.
        QVERIFY(!sweep.take(3, evaluation(10, 0.55)));
        // The second evaluation is no rung; the third is.
        QVERIFY(!sweep.take(0, evaluation(20, 0.1)));
        QVERIFY(!sweep.take(0, evaluation(30, 0.8)));
        QVERIFY(!sweep.take(2, evaluation(20, 0.1)));
        QVERIFY(sweep.take(2, evaluation(30, 0.7)));
        QCOMPARE(sweep.ranking().front(), std::size_t{0});
        QCOMPARE(sweep.best()->bestRound, 30);
        // What a recovery tells again is no other evaluation.
        const qint64 seen = sweep.trials[0].evaluations;
        QVERIFY(!sweep.take(0, evaluation(30, 0.9)));
        QCOMPARE(sweep.trials[0].evaluations, seen);
    }

    void lossesAreBetterWhereTheyAreSmall() {
        Sweep sweep;
        sweep.stopping = Sweep::Stopping::Halving;
        sweep.trials.resize(3);
        QVERIFY(!sweep.take(0, evaluation(1, std::nan(""), 0.5)));
        QVERIFY(sweep.take(1, evaluation(1, std::nan(""), 0.7)));
        QVERIFY(sweep.take(2, evaluation(1, std::nan(""), std::nan(""))));
        QCOMPARE(sweepMetricName(sweep.metric), QStringLiteral("loss"));
        QCOMPARE(sweep.best(), &sweep.trials.front());
    }

    void runsAreJudgedAsTheirJobJudgesEvaluations_data() {
        QTest::addColumn<QString>("by");
        QTest::addColumn<QString>("metric");
        QTest::addColumn<qint64>("bestRound");
        QTest::newRow("a job that says nothing") << QString() << QStringLiteral("loss") << qint64(20);
        QTest::newRow("by its loss") << QStringLiteral("loss") << QStringLiteral("loss") << qint64(20);
        QTest::newRow("by its accuracy") << QStringLiteral("accuracy") << QStringLiteral("accuracy") << qint64(30);
    }
    void runsAreJudgedAsTheirJobJudgesEvaluations() {
        QFETCH(QString, by);
        QFETCH(QString, metric);
        QFETCH(qint64, bestRound);
        SweepOrder order = orderOf({QStringLiteral("lr=0.01,0.03")});
        if (!by.isEmpty())
            order.job[QStringLiteral("best_by")] = by;
        auto sweep = order.begin();
        QVERIFY2(sweep, sweep ? "" : qPrintable(sweep.error().toString()));
        QCOMPARE(sweepMetricName(sweep->metric), metric);
        sweep->take(0, evaluation(10, 0.4, 0.7));
        sweep->take(0, evaluation(20, 0.5, 0.5));
        sweep->take(0, evaluation(30, 0.6, 0.6));
        sweep->take(0, evaluation(40, 0.9, std::nan("")));  // it has diverged
        QCOMPARE(sweep->trials[0].bestRound, bestRound);
    }

    void accuracyComparesRunsOfDifferentLosses() {
        SweepOrder order = orderOf({QStringLiteral("loss=cross-entropy,binary-cross-entropy")});
        order.job[QStringLiteral("best_by")] = QStringLiteral("accuracy");
        const auto sweep = order.begin();
        QVERIFY2(sweep, sweep ? "" : qPrintable(sweep.error().toString()));
    }

    void hyperbandsBracketsAreThoseOfItsPaper() {
        // Li et al., JMLR 18 (185), table 1: R = 81, eta = 3.
        const std::vector<SweepBracket> table{{{81, 1}, {27, 3}, {9, 9}, {3, 27}, {1, 81}},
                                              {{27, 3}, {9, 9}, {3, 27}, {1, 81}},
                                              {{9, 9}, {3, 27}, {1, 81}},
                                              {{6, 27}, {2, 81}},
                                              {{5, 81}}};
        QVERIFY(hyperbandBrackets(81) == table);
        QCOMPARE(hyperbandTrials(81), 128);
        QVERIFY(hyperbandBrackets(10) ==
                (std::vector<SweepBracket>{{{9, 1}, {3, 3}, {1, 10}}, {{3, 3}, {1, 10}}, {{3, 10}}}));
        QVERIFY(hyperbandBrackets(2) == (std::vector<SweepBracket>{{{1, 2}}}));
    }

    void hyperbandTrainsAsItsTableSays() {
        auto sweep = hyperbandOf(805).begin();  // the 81st evaluation comes at the end
        QVERIFY2(sweep, sweep ? "" : qPrintable(sweep.error().toString()));
        QCOMPARE(sweep->trials.size(), std::size_t{128});
        // All get better, and the later the trial the worse it is.
        const auto accuracy = [](std::size_t trial, qint64 times) {
            return 0.5 - 0.001 * static_cast<double>(trial) + 0.001 * static_cast<double>(times);
        };
        std::vector<std::pair<std::size_t, qint64>> trained;  // trial, evaluations after which it was let go
        while (const auto next = sweep->next()) {
            QVERIFY(trained.size() < 1000);
            SweepTrial &trial = sweep->trials[*next];
            trial.state = SweepTrial::State::Running;
            // Whoever goes on after a kill takes up the one that was under way.
            QVERIFY(sweep->next() == next);
            bool isStopped = false;
            while (!isStopped && trial.evaluations < 81) {
                const qint64 times = trial.evaluations + 1;
                isStopped = sweep->take(*next, evaluation(std::min<qint64>(10 * times, 805), accuracy(*next, times)));
            }
            trial.state = isStopped ? SweepTrial::State::Paused : SweepTrial::State::Finished;
            trained.emplace_back(*next, trial.evaluations);
        }
        std::vector<std::pair<std::size_t, qint64>> expected;
        std::size_t first = 0;
        for (const SweepBracket &bracket : hyperbandBrackets(81)) {
            for (const SweepRung &rung : bracket) {
                for (qint64 i = 0; i < rung.trials; ++i)
                    expected.emplace_back(first + static_cast<std::size_t>(i), rung.evaluations);
            }
            first += static_cast<std::size_t>(bracket.front().trials);
        }
        QVERIFY(trained == expected);
        const auto finished = std::ranges::count(sweep->trials, SweepTrial::State::Finished, &SweepTrial::state);
        QCOMPARE(finished, 1 + 1 + 1 + 2 + 5);
        QCOMPARE(std::ranges::count(sweep->trials, SweepTrial::State::Stopped, &SweepTrial::state), 128 - finished);
        QCOMPARE(std::ranges::count(sweep->trials, true, &SweepTrial::isOutdone), 128 - finished);
        QCOMPARE(sweep->best(), &sweep->trials.front());
    }

    void nobodyGoesOnWithWhatIsOutdone() {
        Sweep sweep;
        sweep.stopping = Sweep::Stopping::Halving;
        sweep.trials.resize(5);
        const char *names[] = {"20261120-090000-aaaa", "20261120-090000-bbbb", "20261120-090000-cccc",
                               "20261120-090000-dddd", "20261120-090000-eeee"};
        for (std::size_t i = 0; i < sweep.trials.size(); ++i)
            sweep.trials[i].run = QString::fromLatin1(names[i]);
        const auto end = [&sweep](std::size_t trial, SweepTrial::State state) { sweep.trials[trial].state = state; };
        QVERIFY(!sweep.take(0, evaluation(10, 0.5)));
        end(0, SweepTrial::State::Finished);
        QVERIFY(sweep.spentRuns().isEmpty());  // it is the best
        QVERIFY(sweep.take(1, evaluation(10, 0.4)));
        QVERIFY(sweep.spentRuns().isEmpty());  // it is not over
        end(1, SweepTrial::State::Stopped);
        QCOMPARE(sweep.spentRuns(), QStringList{sweep.trials[1].run});
        QVERIFY(!sweep.take(2, evaluation(10, 0.6)));
        end(2, SweepTrial::State::Stopped);  // by a person
        QCOMPARE(sweep.spentRuns(), (QStringList{sweep.trials[0].run, sweep.trials[1].run}));
        QVERIFY(!sweep.take(3, evaluation(10, 0.7)));
        end(3, SweepTrial::State::Finished);
        end(4, SweepTrial::State::Failed);
        QCOMPARE(sweep.spentRuns(), (QStringList{sweep.trials[0].run, sweep.trials[1].run}));
        // A sweep that goes on knows it, too.
        const auto again = Sweep::fromJson(sweep.toJson(), QStringLiteral("sweep.json"));
        QVERIFY2(again, again ? "" : qPrintable(again.error().toString()));
        QCOMPARE(again->spentRuns(), sweep.spentRuns());
    }

    void hyperbandGoesOnWithWhatIsLeft() {
        auto sweep = hyperbandOf(30).begin();
        QVERIFY(sweep);
        QCOMPARE(sweep->trials.size(), std::size_t{5});
        // One fails, one was stopped by somebody, one is too quick to be stopped at its rung.
        sweep->trials[0].state = SweepTrial::State::Failed;
        sweep->trials[1].state = SweepTrial::State::Stopped;
        QCOMPARE(sweep->next(), std::optional<std::size_t>(2));
        QVERIFY(sweep->take(2, evaluation(10, 0.1)));
        QVERIFY(sweep->take(2, evaluation(20, 0.2)));
        sweep->trials[2].state = SweepTrial::State::Paused;
        QCOMPARE(sweep->next(), std::optional<std::size_t>(2));
        QCOMPARE(sweep->trials[2].until, 0);
        // Its run is told from its beginning again, and is not stopped at the rung behind it.
        sweep->trials[2].forgetResults();
        for (const qint64 round : {10, 20, 30})
            QVERIFY(!sweep->take(2, evaluation(round, 0.1)));
        sweep->trials[2].state = SweepTrial::State::Finished;
        QCOMPARE(sweep->next(), std::optional<std::size_t>(3));
    }

    void whatHyperbandCannotShareOutIsRefused_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QJsonValue>("value");
        QTest::addColumn<QStringList>("set");
        QTest::addColumn<QString>("says");
        const QStringList rates{QStringLiteral("lr=1e-4..1e-1:log")};
        const QString rounds = QStringLiteral("rounds"), every = QStringLiteral("evaluate_every");
        QTest::newRow("runs that are too short") << rounds << QJsonValue(20) << rates << QStringLiteral("three times");
        QTest::newRow("more runs than a sweep has")
            << rounds << QJsonValue(7290) << rates << QStringLiteral("1114 runs");
        QTest::newRow("a job that is never evaluated") << every << QJsonValue(0) << rates << QStringLiteral("rounds");
        QTest::newRow("few combinations")
            << rounds << QJsonValue(30) << QStringList{QStringLiteral("batch=1,2")} << QStringLiteral("only 2");
        QTest::newRow("how often runs are evaluated")
            << rounds << QJsonValue(30) << QStringList{QStringLiteral("evaluate_every=1..9")} << every;
    }
    void whatHyperbandCannotShareOutIsRefused() {
        QFETCH(QString, key);
        QFETCH(QJsonValue, value);
        QFETCH(QStringList, set);
        QFETCH(QString, says);
        SweepOrder order = hyperbandOf(810, set);
        order.job[key] = value;
        const auto sweep = order.begin();
        QVERIFY(!sweep);
        QCOMPARE(sweep.error().code, QStringLiteral("sweep.hyperband"));
        QVERIFY2(sweep.error().toString().contains(says), qPrintable(sweep.error().toString()));
    }

    void hyperbandCountsItself() {
        SweepOrder order = hyperbandOf(810);
        order.random = 10;
        const auto drawn = order.begin();
        QVERIFY(!drawn && drawn.error().toString().contains(QStringLiteral("\"random\"")));
        order = hyperbandOf(810);
        order.job.remove(QStringLiteral("rounds"));
        order.job[QStringLiteral("epochs")] = 3;
        const auto epochs = order.begin();
        QVERIFY(!epochs && epochs.error().toString().contains(QStringLiteral("in place of epochs")));
    }

    void aSweepThatLacksTrialsIsRefused() {
        const auto sweep = hyperbandOf(90).begin();
        QVERIFY(sweep);
        QJsonObject json = sweep->toJson();
        const auto again = Sweep::fromJson(json, QStringLiteral("sweep.json"));
        QVERIFY2(again, again ? "" : qPrintable(again.error().toString()));
        QCOMPARE(again->toJson(), json);
        json[QStringLiteral("evaluations")] = 10000;
        QVERIFY(!Sweep::fromJson(json, QStringLiteral("sweep.json")));
    }

    void aJobsFilesLieBesideIt_data() {
        QTest::addColumn<QByteArray>("job");
        QTest::newRow("in a file") << QByteArray(R"("jobs/job.json")");
        QTest::newRow("in the sweep") << QByteArray(R"({"format": "hearth-job/1", "data": "jobs/t.csv"} )");
    }
    void aJobsFilesLieBesideIt() {
        QFETCH(QByteArray, job);
        const QTemporaryDir folder;
        const auto in = [&folder](const char *name) { return folder.filePath(QLatin1String(name)); };
        QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("jobs")));
        QVERIFY(saveFile(in("jobs/t.csv"), "x,y\n"));
        QVERIFY(saveFile(in("jobs/job.json"), R"({"format": "hearth-job/1", "data": "t.csv"} )"));
        QVERIFY(
            saveFile(in("sweep.json"), R"({"format": "hearth-sweep/1", "set": ["batch=32,64"], "job": )" + job + '}'));
        const auto order = SweepOrder::load(in("sweep.json"));
        QVERIFY2(order, order ? "" : qPrintable(order.error().toString()));
        QCOMPARE(order->job.value(QLatin1String("data")).toString(), in("jobs/t.csv"));
    }

    void whatOlderVersionsSavedIsRead() {
        SweepOrder order = orderOf({QStringLiteral("lr=0.01,0.03")});
        order.stopping = Sweep::Stopping::Halving;
        const auto sweep = order.begin();
        QVERIFY(sweep);
        QJsonObject json = sweep->toJson();
        json.remove(QStringLiteral("stop_early"));
        for (const bool halving : {true, false}) {
            json[QStringLiteral("halving")] = halving;
            const auto again = Sweep::fromJson(json, QStringLiteral("sweep.json"));
            QVERIFY2(again, again ? "" : qPrintable(again.error().toString()));
            QCOMPARE(again->stopping, halving ? Sweep::Stopping::Halving : Sweep::Stopping::None);
        }
    }

    void whatIsSavedIsReadAgain() {
        const QTemporaryDir folder;
        auto sweep = orderOf({QStringLiteral("lr=0.01,0.03")}).begin();
        QVERIFY(sweep);
        sweep->take(1, evaluation(5, 0.25));
        sweep->trials[1].run = QStringLiteral("20261120-090000-abcd");
        sweep->trials[1].state = SweepTrial::State::Running;
        QVERIFY(sweep->save(folder.path()));
        const auto again = Sweep::load(folder.path());
        QVERIFY2(again, again ? "" : qPrintable(again.error().toString()));
        QCOMPARE(again->toJson(), sweep->toJson());
        QCOMPARE(again->trials[1].values, sweep->trials[1].values);
    }

  private:
    static QString numbers(int count) {
        QStringList texts;
        for (int i = 1; i <= count; ++i)
            texts << QString::number(i);
        return texts.join(QLatin1Char(','));
    }
};

QTEST_GUILESS_MAIN(SweepTest)
#include "sweep_test.moc"
