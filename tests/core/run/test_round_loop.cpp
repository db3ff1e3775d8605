#include <QScopeGuard>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <cmath>

#include "core/protocol/transfer_progress.h"
#include "run_parts.h"
#include "tests/core/base/standstill.h"

using namespace hearth;
using namespace hearth::fake;
using namespace std::chrono_literals;

namespace {

/// Rounds under home.plan(); fake workers report as soon as everything of a round was served.
struct Loop : RunParts {
    explicit Loop(RunDeadlines limits = quick(), std::shared_ptr<const Dataset> data = {},
                  RunDirectory::Clock clock = {})
        : RunParts(3, limits, std::move(data), std::move(clock)) {}
    bool begins(qint64 completed = 0) {
        if (!plan())
            return false;
        Deployment wanted = deployment();
        wanted.firstRound = static_cast<quint32>(completed) + 1;
        current->setDeployment(wanted);
        Deploy deploy(wanted, deadlines);
        QSignalSpy finished(&deploy, &Deploy::finished);
        deploy.start(membership->workers(), {});
        if (!comes([&] { return !finished.isEmpty(); }))
            return false;
        rounds->begin(wanted, FeedLayout::of(wanted, members()), completed, {});
        return true;
    }
    bool does(qint64 round) {
        rounds->setLimit(round);
        return comes([&] { return rounds->completed() >= round; });
    }
    /// In its third round, which nobody ever reports. False: it took too long.
    bool standsStill() {
        home.holdsAfter = 2;
        if (!begins())
            return false;
        rounds->setLimit(3);
        return comes([&] { return rounds->completed() == 2; });
    }
};

/// Each round is read when the test lets it.
class GatedDataset : public TinyDataset {
  public:
    /// The first that is read of a round.
    Result<void> readLabels(Split split, std::span<const qint64> indices, std::span<std::byte> out) const override {
        readable.acquire();
        ++begun;
        return TinyDataset::readLabels(split, indices, out);
    }

    mutable QSemaphore readable;
    mutable std::atomic<qint64> begun = 0;  // rounds; the ones before are ready to be sent
};

}  // namespace

class TestRoundLoop : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void roundsAreFedUpToTheLimitAndWrittenDown() {
        Loop run;
        QVERIFY(run.begins());
        QSignalSpy done(&*run.rounds, &RoundLoop::done);
        QCOMPARE(run.rounds->completed(), 0);
        QCOMPARE(run.rounds->meanSeconds(), 0.0);
        QVERIFY(run.does(3));
        QVERIFY(!QTest::qWaitFor([&] { return done.count() > 3; }, 50));
        QCOMPARE(run.rounds->begun(), 3);
        QVERIFY(run.rounds->meanSeconds() > 0);
        const auto written = run.home.events(QStringLiteral("round"));
        QCOMPARE(written.size(), std::size_t(3));
        for (std::size_t i = 0; i < written.size(); ++i) {
            const auto &round = std::get<event::Round>(written[i].body);
            QCOMPARE(round.round, qint64(i) + 1);
            QCOMPARE(round.devices.size(), 3);
        }
    }
    void underAnotherPlanTheyGoOnWhereItBegins() {
        Loop run;
        QVERIFY(run.begins());
        QVERIFY(run.does(4));
        run.rounds->stop();
        QVERIFY(!run.rounds->isFed());
        QCOMPARE(run.rounds->completed(), 4);  // it stays known
        QVERIFY(run.current->beginTerm());
        QVERIFY(run.begins(2));
        QCOMPARE(run.rounds->completed(), 2);
        QVERIFY(run.does(3));
        QCOMPARE(lastEvent<event::Round>(run.home, "round").round, 3);
    }
    void aRoundThatStandsStillIsToldWithWhoIsToBlame_data() {
        QTest::addColumn<qint64>("waiting");
        QTest::newRow("a device that does not report") << qint64(0);
        QTest::newRow("a link on which bytes wait") << qint64(5'000'000);
    }
    void aRoundThatStandsStillIsToldWithWhoIsToBlame() {
        QFETCH(qint64, waiting);
        RunDeadlines limits = quick();
        limits.roundQuiet = 300ms;
        Loop run(limits);
        QVERIFY(run.standsStill());
        QSignalSpy stuck(&*run.rounds, &RoundLoop::stuck);
        if (waiting > 0) {
            const TransferProgress progress{0, {{key(2, 3).toHex(), waiting}}};
            run.home.worker(1)->rpc->notify(QStringLiteral("transfers"), progress.toCbor());
        }
        QVERIFY(comes([&] { return !stuck.isEmpty(); }));
        const auto error = stuck[0][0].value<Error>();
        QCOMPARE(error.code, QStringLiteral("run.round-quiet"));
        QVERIFY(error.what.contains(QLatin1String("Round 3")));
        QVERIFY(stuck[0][1].toDouble() >= 0.3);
        QCOMPARE(stuck[0][2].toString(), waiting > 0 ? Home::id(1) : QString());
        QCOMPARE(stuck[0][3].toString(), waiting > 0 ? Home::id(3) : QString());
        QVERIFY2(
            error.cause.contains(waiting > 0 ? QLatin1String("from local-1 to local-3") : QLatin1String("local-2")),
            qPrintable(error.toString()));
    }
    /// It has many steps: nothing is reported in between, and no byte moves.
    void aRoundIsSlowAndNotStuckAsLongAsSomebodyComputes_data() {
        QTest::addColumn<qint64>("steps");
        QTest::newRow("steps that are told keep it alive") << qint64(3);
        QTest::newRow("a note of no step does not") << qint64(0);
    }
    void aRoundIsSlowAndNotStuckAsLongAsSomebodyComputes() {
        QFETCH(qint64, steps);
        RunDeadlines limits = quick();
        limits.roundQuiet = 2000ms;
        for (Tries tries;;) {
            Standstill machine;
            Loop run(limits);
            QVERIFY(run.standsStill());
            QSignalSpy stuck(&*run.rounds, &RoundLoop::stuck);
            int left = 100;  // for more than twice as long as it may be quiet
            QTimer computing;
            connect(&computing, &QTimer::timeout, this, [&] {
                if (--left >= 0)
                    run.home.worker(2)->rpc->notify(QStringLiteral("computed"), {{QStringLiteral("steps"), steps}});
            });
            computing.start(50ms);
            QVERIFY(comes([&] { return left <= 0 || !stuck.isEmpty(); }));
            if (steps > 0 && !stuck.isEmpty() && machine.excuses(limits.roundQuiet, tries))
                continue;
            QCOMPARE(stuck.isEmpty(), steps > 0);
            QVERIFY(comes([&] { return !stuck.isEmpty(); }));  // once nobody computes any more
            return;
        }
    }
    void betweenRoundsNothingIsWaitedFor() {
        RunDeadlines limits = quick();
        limits.roundQuiet = 100ms;
        Loop run(limits);
        QVERIFY(run.begins());
        QVERIFY(run.does(2));
        run.rounds->rest();
        QSignalSpy stuck(&*run.rounds, &RoundLoop::stuck);
        QVERIFY(!QTest::qWaitFor([&] { return !stuck.isEmpty(); }, 500));
    }
    void aLossThatIsNoNumberIsWarnedOfOnce() {
        Loop run;
        run.home.loss = std::nan("");
        QVERIFY(run.begins());
        QVERIFY(run.does(3));
        QCOMPARE(count(run.home, "warning"), std::size_t(1));
        QVERIFY(lastEvent<event::Warning>(run.home, "warning").cause.contains(QLatin1String("round 1")));
    }
    void trainingThatWaitsForItsDataIsSaidOnce_data() {
        QTest::addColumn<bool>("slow");
        QTest::newRow("samples that take longer than the network") << true;
        QTest::newRow("samples that are there in time") << false;
    }
    void trainingThatWaitsForItsDataIsSaidOnce() {
        QFETCH(bool, slow);
        constexpr int all = 2 * int{StarvedRounds::window} + 5;
        const auto data = std::make_shared<GatedDataset>();
        double now = 0;
        Loop run(quick(), data, [&now] { return now; });
        // The thread that reads ends only where nothing holds it up.
        const auto atTheEnd = qScopeGuard([&data] { data->readable.release(1'000'000); });
        QVERIFY(run.begins());
        data->readable.release(slow ? 1 : all + 1);
        if (!slow)
            QVERIFY(comes([&] { return data->begun > all; }));
        run.home.holdsRounds = true;
        run.rounds->setLimit(all);
        for (int round = 1; round <= all; ++round) {
            const int batch = run.home.request.job.batch;
            QVERIFY(
                comes([&] { return run.home.inputSamples[round] >= batch && run.home.labelSamples[round] >= batch; }));
            now += 1;  // they compute
            run.home.reportRound();
            QVERIFY(comes([&] { return run.rounds->completed() >= round; }));
            if (slow) {
                now += 0.5;  // they wait
                data->readable.release();
            }
        }
        QCOMPARE(count(run.home, "warning"), std::size_t(slow ? 1 : 0));
        if (slow)
            QVERIFY(lastEvent<event::Warning>(run.home, "warning").what.contains(QLatin1String("waits for its data")));
    }
    void starvingIsAShareOfTheLastRounds() {
        StarvedRounds rounds;
        double now = 0;
        std::optional<double> told;
        for (int round = 0; round < 60 && !told; ++round) {
            // From the thirtieth on half of a round's two seconds.
            rounds.set(round >= 30, now);
            rounds.set(round >= 30, now + 0.5);
            rounds.set(false, now + 1);
            now += 2;
            told = rounds.done(now, 2);
            QVERIFY(round >= 40 || !told);
        }
        QVERIFY(told && *told > StarvedRounds::most && *told < 0.3);
        rounds.set(true, now);
        QVERIFY(!rounds.done(now + 2, 2));
    }
    void aReportOfARoundThatIsNotDueEndsThem() {
        Loop run;
        QVERIFY(run.begins());
        QVERIFY(run.does(1));
        QSignalSpy failed(&*run.rounds, &RoundLoop::failed);
        RoundReport report;
        report.term = run.current->term();
        report.round = 7;
        report.version = 7;
        run.rounds->take(run.session(1), report);
        QCOMPARE(failed.count(), 1);
        QVERIFY(!failed[0][0].value<Error>().what.isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestRoundLoop)
#include "test_round_loop.moc"
