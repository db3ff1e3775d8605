// A run of the window that was stopped and goes on, with everything real behind it: agent, coordinator, worker.
#include <QSignalSpy>

#include "tests/app/window_parts.h"
#include "ui/run/run_model.h"

using namespace hearth;

namespace {

constexpr int slow = 180'000;  // a loaded machine, sanitizers: only a hang is caught

}  // namespace

class WindowGoOnTest : public QObject {
    Q_OBJECT

    /// A demo of one device, and the run that its window shows.
    struct Window : WindowParts {
        RunModel run;
        QSignalSpy opened{&controller, &RunController::runOpened};
        QSignalSpy starting{&controller, &RunController::startingChanged};
        QStringList troubles;
        QList<qint64> rounds;  // of the run that is shown, in the order in which they were told
        QList<qint64> newRounds;
        std::vector<RunInfo> known;

        explicit Window(const QTemporaryDir &folder) : WindowParts(folder) {
            connect(&controller, &RunController::failed, &run,
                    [this](const Error &error) { troubles << error.toString(); });
            connect(&controller, &RunController::runOpened, &run, [this] {
                rounds.clear();
                run.clear();
            });
            connect(&controller, &RunController::event, &run, [this](const RunEvent &event) {
                run.add(event);
                if (const auto *round = std::get_if<event::Round>(&event.body)) {
                    rounds << round->round;
                    if (!controller.isReplaying())
                        newRounds << round->round;
                }
            });
            connect(&controller, &RunController::runEnded, &run, &RunModel::end);
            connect(&controller, &RunController::runsChanged, &run,
                    [this](const std::vector<RunInfo> &runs) { known = runs; });
        }

        /// What the home knows of the only run, when it was asked.
        RunInfo only() const { return known.size() == 1 ? known.front() : RunInfo(); }
        /// Begins a run that ends only when it is stopped, and waits for its first rounds.
        bool trains() {
            Job job;
            job.batch = 32;
            job.rounds = 100000;
            job.evaluateEvery = 0;
            controller.start(job, std::nullopt, {});
            return QTest::qWaitFor([this] { return rounds.size() >= 3 || !troubles.isEmpty(); }, slow) &&
                   troubles.isEmpty();
        }
        bool stop() {
            controller.stop();
            const auto isOver = [this] { return !run.isLive() || !troubles.isEmpty(); };
            return QTest::qWaitFor(isOver, slow) && run.state() == QLatin1String("stopped");
        }
    };

  private Q_SLOTS:
    void aPlanIsMadeAndTheRunAfterItTakesIt() {
        const QTemporaryDir own;
        Window window(own);
        QVERIFY(window.enterDemo());
        Job job;
        job.batch = 32;
        job.rounds = 2;
        job.evaluateEvery = 0;
        std::optional<PlanningProblem> problem;
        connect(&window.controller, &RunController::problemFound, &window.run,
                [&problem](const QString &, const PlanningProblem &found) { problem = found; });
        window.controller.planOnly(job);
        const auto isOver = [&window] {
            return (window.run.plan() && !window.run.isLive()) || !window.troubles.isEmpty();
        };
        QVERIFY(QTest::qWaitFor(isOver, slow));
        QVERIFY2(window.troubles.isEmpty(), qPrintable(window.troubles.join(QLatin1Char('\n'))));
        QCOMPARE(window.run.state(), QStringLiteral("finished"));
        QCOMPARE(window.run.only(), QStringLiteral("plan"));
        QVERIFY(window.rounds.isEmpty());
        window.controller.findProblem(window.run.runId());
        QTRY_VERIFY_WITH_TIMEOUT(problem, slow);
        Plan mine = *window.run.plan();
        mine.microBatch = 8;
        mine.stages.front().shares.front().samples = 8;
        mine.prediction.reset();
        window.controller.start(job, mine, {});
        QTRY_VERIFY_WITH_TIMEOUT(window.rounds.size() == 2 || !window.troubles.isEmpty(), slow);
        QVERIFY2(window.troubles.isEmpty(), qPrintable(window.troubles.join(QLatin1Char('\n'))));
        QCOMPARE(window.run.plan()->microBatch, 8);
        QTRY_COMPARE_WITH_TIMEOUT(window.run.state(), QStringLiteral("finished"), slow);
    }

    void aStoppedRunGoesOn_data() {
        QTest::addColumn<bool>("shown");
        QTest::newRow("that is shown") << true;
        QTest::newRow("that is not shown any more") << false;
    }
    void aStoppedRunGoesOn() {
        QFETCH(bool, shown);
        const QTemporaryDir own;
        Window window(own);
        QVERIFY(window.enterDemo());
        QVERIFY2(window.trains(), qPrintable(window.troubles.join(QLatin1Char('\n'))));
        QVERIFY2(window.stop(), qPrintable(window.troubles.join(QLatin1Char('\n'))));
        const QString id = window.run.runId();
        const qint64 done = window.run.completedRounds();
        QTRY_VERIFY_WITH_TIMEOUT(window.only().resumable, slow);
        QCOMPARE(window.only().id, id);

        if (!shown) {
            window.controller.begin(window.home.stateDir());
            window.run.clear();
        }
        window.newRounds.clear();
        window.starting.clear();
        window.opened.clear();
        window.controller.goOn(id);
        // A second click, while the first is on its way.
        window.controller.goOn(id);
        QTRY_VERIFY_WITH_TIMEOUT(window.run.completedRounds() >= done + 3 || !window.troubles.isEmpty(), slow);
        QVERIFY2(window.troubles.isEmpty(), qPrintable(window.troubles.join(QLatin1Char('\n'))));
        QCOMPARE(window.starting, QList<QVariantList>({{true}, {false}}));
        QCOMPARE(window.opened, QList<QVariantList>({{id}}));
        QCOMPARE(window.run.runId(), id);
        QVERIFY(window.run.isLive());
        // The rounds that were done are told as old, and not done again.
        QCOMPARE(window.newRounds.front(), done + 1);
        for (qsizetype i = 0; i < window.rounds.size(); ++i)
            QCOMPARE(window.rounds[i], i + 1);
        QVERIFY2(window.stop(), qPrintable(window.troubles.join(QLatin1Char('\n'))));
        window.known.clear();
        window.controller.refreshRuns();
        QTRY_COMPARE_WITH_TIMEOUT(window.only().id, id, slow);
    }

    void aNewRunBeginsWithTheWeightsOfOneThatWasStopped() {
        const QTemporaryDir own;
        Window window(own);
        QVERIFY(window.enterDemo());
        QVERIFY2(window.trains(), qPrintable(window.troubles.join(QLatin1Char('\n'))));
        QVERIFY2(window.stop(), qPrintable(window.troubles.join(QLatin1Char('\n'))));
        const QString before = window.run.runId();
        StartWeights weights{before, before, window.home.stateDir() + QStringLiteral("/runs/") + before};
        // Of a part the run tells what it took.
        weights.partial = true;
        QStringList warnings;
        connect(&window.controller, &RunController::event, &window.run, [&warnings](const RunEvent &event) {
            if (const auto *warning = std::get_if<event::Warning>(&event.body))
                warnings << warning->what.english();
        });
        Job job;
        job.batch = 32;
        job.rounds = 2;
        job.evaluateEvery = 0;
        window.controller.start(job, std::nullopt, weights);
        const auto isOver = [&window, before] {
            return (window.run.runId() != before && !window.run.isEmpty() && !window.run.isLive()) ||
                   !window.troubles.isEmpty();
        };
        QVERIFY(QTest::qWaitFor(isOver, slow));
        QVERIFY2(window.troubles.isEmpty(), qPrintable(window.troubles.join(QLatin1Char('\n'))));
        QCOMPARE(window.run.state(), QStringLiteral("finished"));
        QCOMPARE(window.run.begunWith(), weights.path());
        QVERIFY2(warnings.contains(QStringLiteral("The run begins with a part of its weights from "
                                                  "weights.safetensors.")),
                 qPrintable(warnings.join(QLatin1Char('\n'))));
    }

    void aWindowThatIsOpenedAgainHasTheWholeStoryOfTheRunUnderWay() {
        const QTemporaryDir own;
        // The home outlives its first window, as the own home of a computer does.
        Window first(own);
        QVERIFY(first.enterDemo());
        QVERIFY2(first.trains(), qPrintable(first.troubles.join(QLatin1Char('\n'))));
        // Without a word, as a window that is killed.
        first.client.leave();
        const qint64 seen = first.rounds.back();
        const QTemporaryDir another;
        Window second(another);
        second.controller.begin(first.home.stateDir());
        connect(&second.client, &AgentClient::ready, &second.controller, &AgentRunController::comeBack);
        second.client.open(first.home.stateDir());
        QTRY_VERIFY_WITH_TIMEOUT(second.run.completedRounds() >= seen + 3 || !second.troubles.isEmpty(), slow);
        QVERIFY2(second.troubles.isEmpty(), qPrintable(second.troubles.join(QLatin1Char('\n'))));
        QCOMPARE(second.run.runId(), first.run.runId());
        QVERIFY(second.run.isLive());
        for (qsizetype i = 0; i < second.rounds.size(); ++i)
            QCOMPARE(second.rounds[i], i + 1);
        QVERIFY(second.newRounds.back() > seen);
        QVERIFY2(second.stop(), qPrintable(second.troubles.join(QLatin1Char('\n'))));
    }

    void aRunThatCannotGoOnIsSaid() {
        const QTemporaryDir own;
        Window window(own);
        QVERIFY(window.enterDemo());
        window.controller.goOn(QStringLiteral("20260101-120000-none"));
        QTRY_COMPARE_WITH_TIMEOUT(window.troubles.size(), 1, slow);
        QVERIFY2(window.troubles.front().contains(QLatin1String("20260101-120000-none")),
                 qPrintable(window.troubles.front()));
        QCOMPARE(window.starting, QList<QVariantList>({{true}, {false}}));
        QVERIFY(window.opened.isEmpty());
    }
};

QTEST_MAIN(WindowGoOnTest)
#include "window_go_on_test.moc"
