#include <QTest>
#include <limits>

#include "core/run/best_evaluation.h"

using namespace hearth;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

Job jobOf(qint64 patience, BestBy by = BestBy::Loss) {
    Job job;
    job.evaluateEvery = 10;
    job.patience = patience;
    job.bestBy = by;
    return job;
}

struct Case {
    Job job;
    std::vector<event::Evaluation> evaluations;
    qint64 best = 0;                 // round; 0: none
    std::optional<qint64> end = {};  // round
};

}  // namespace

class TestBestEvaluation : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void whichIsTheBestAndWhereTheRunEnds_data();
    void whichIsTheBestAndWhereTheRunEnds();
    void goingOnGivesAsManyEvaluationsAgain();
    void goingBackForgetsWhatFollowed_data();
    void goingBackForgetsWhatFollowed();
};

void TestBestEvaluation::whichIsTheBestAndWhereTheRunEnds_data() {
    QTest::addColumn<Case>("it");
    const auto row = [](const char *name, const Case &it) { QTest::newRow(name) << it; };
    row("nothing was evaluated", {jobOf(1), {}});
    row("the lowest loss, whatever the accuracy", {jobOf(0), {{10, 0.5, 2}, {20, 0.4, 1}, {30, 0.6, 3}}, 20});
    row("the highest accuracy, whatever the loss",
        {jobOf(0, BestBy::Accuracy), {{10, 0.5, 2}, {20, 0.4, 1}, {30, 0.6, 3}}, 30});
    row("the first of two alike", {jobOf(0), {{10, 0.5, 1}, {20, 0.9, 1}}, 10});
    row("without patience it never ends", {jobOf(0), {{10, 0, 1}, {20, 0, 2}, {30, 0, 2}, {40, 0, 2}}, 10});
    row("the second in a row that is not better uses up two",
        {jobOf(2), {{10, 0, 1}, {20, 0, 2}, {30, 0, 1.5}}, 10, 30});
    row("a better one in between begins anew", {jobOf(2), {{10, 0, 1}, {20, 0, 2}, {30, 0, 0.5}, {40, 0, 2}}, 30});
    row("a loss that is no number is never better", {jobOf(2), {{10, 0, none}, {20, 0, 3}, {30, 0, none}}, 20});
    row("nor is the accuracy beside it", {jobOf(2, BestBy::Accuracy), {{10, 0.3, 1}, {20, 0.9, none}}, 10});
    row("only such losses use the patience up", {jobOf(2), {{10, 0, none}, {20, 0, none}}, 0, 20});
    row("what a person asked for in between may be better", {jobOf(2), {{10, 0, 2}, {13, 0, 1}, {20, 0, 3}}, 13});
    row("and uses up nothing", {jobOf(1), {{10, 0, 1}, {13, 0, 2}, {14, 0, 2}}, 10});
    row("the last round counts as any other", {jobOf(1), {{90, 0, 1}, {95, 0, 2}}, 90, 95});
    row("rounds that are repeated count once", {jobOf(2), {{10, 0, 1}, {20, 0, 2}, {20, 0, 2}}, 10});
    row("and nothing of before the best does", {jobOf(1), {{10, 0, 3}, {20, 0, 1}, {10, 0, 3}}, 20});
    row("rounds that are repeated may become better", {jobOf(1), {{10, 0, 1}, {20, 0, 2}, {20, 0, 0.5}}, 20});
}

void TestBestEvaluation::whichIsTheBestAndWhereTheRunEnds() {
    QFETCH(Case, it);
    BestEvaluation best(it.job, 95);
    for (const event::Evaluation &each : it.evaluations)
        best.take(each);
    QCOMPARE(best.scores() ? best.scores()->round : 0, it.best);
    QCOMPARE(best.endRound(), it.end);
    if (!it.end)
        return;
    QVERIFY(!best.isEnd(*it.end - 1));
    QVERIFY(best.isEnd(*it.end));
}

void TestBestEvaluation::goingOnGivesAsManyEvaluationsAgain() {
    BestEvaluation best(jobOf(2), 95);
    for (const auto &[round, loss] : {std::pair{10, 1.0}, {20, 2.0}, {30, 2.0}})
        best.take({round, 0, loss});
    QVERIFY(best.endRound());
    QCOMPARE(best.why(), QStringLiteral("The loss has not fallen for 2 evaluations."));
    best.beginAnew();
    best.take({40, 0, 1.5});
    QVERIFY(!best.endRound());
    best.take({50, 0, 1.5});
    QCOMPARE(best.endRound(), std::optional<qint64>(50));
    QCOMPARE(best.scores()->round, 10);
}

void TestBestEvaluation::goingBackForgetsWhatFollowed_data() {
    QTest::addColumn<qint64>("round");
    QTest::addColumn<bool>("isInFile");
    QTest::addColumn<qint64>("best");
    QTest::newRow("nothing followed") << qint64{40} << false << qint64{40};
    QTest::newRow("the best did") << qint64{39} << false << qint64{10};
    QTest::newRow("the best did, whose weights are there all the same") << qint64{39} << true << qint64{40};
    QTest::newRow("all did") << qint64{9} << false << qint64{0};
}

void TestBestEvaluation::goingBackForgetsWhatFollowed() {
    QFETCH(qint64, round);
    QFETCH(bool, isInFile);
    QFETCH(qint64, best);
    BestEvaluation all(jobOf(3), 95);
    for (const auto &[at, loss] : {std::pair{10, 1.0}, {20, 2.0}, {30, 2.0}, {40, 0.5}, {50, 2.0}})
        all.take({at, 0, loss});
    all.goBackTo(round, isInFile ? all.scores() : std::nullopt);
    QCOMPARE(all.scores() ? all.scores()->round : 0, best);
    if (best != 10)
        return;
    // Those of before it count as if there had been no other best.
    all.take({40, 0, 1.5});
    QCOMPARE(all.endRound(), std::optional<qint64>(40));
}

QTEST_GUILESS_MAIN(TestBestEvaluation)
#include "test_best_evaluation.moc"
