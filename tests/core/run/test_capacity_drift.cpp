#include <QTest>
#include <cmath>
#include <limits>
#include <random>

#include "core/plan/evaluate.h"
#include "core/run/capacity_drift.h"
#include "tests/core/plan/replay_home.h"

using namespace hearth;
using test::id;
using test::planOfStages;
using test::smallHome;

namespace {

using Round = QMap<QString, event::RoundDevice>;

/// In [1 - amount, 1 + amount).
double noise(std::mt19937 &random, double amount) {
    return 1 - amount + 2 * amount * static_cast<double>(random()) / 4294967296.0;
}

/// A pipeline of three devices, four layers each, of which one round takes 1.92 s on each.
struct Pipeline {
    PlanningProblem problem = smallHome(12, 3);
    Plan plan = planOfStages(problem, {{4, 1}, {4, 1}, {4, 1}});
    CapacityDrift drift;

    Pipeline() { drift.planned(problem, plan); }
    /// 16 samples through four layers of 0.03 s each.
    static constexpr double expected = 16 * 4 * 0.03;
    Round round(const std::vector<double> &factors) const {
        Round measured;
        for (std::size_t d = 0; d < factors.size(); ++d)
            measured[id(static_cast<int>(d))].computeS = factors[d] * expected;
        return measured;
    }
    void play(int rounds, const std::vector<double> &factors) {
        for (int i = 0; i < rounds; ++i)
            drift.take(round(factors));
    }
};

}  // namespace

/// Devices that become slower or faster than they were measured.
class TestCapacityDrift : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void roundsAsMeasuredAreNoDrift();
    void aStepIsKnownAfterFewRounds_data();
    void aStepIsKnownAfterFewRounds();
    void burstsAreNoSpeed_data();
    void burstsAreNoSpeed();
    void noiseIsNoDrift();
    void oneOddRoundIsNoDrift();
    void shortRoundsCountTogether();
    void aProfileMayBeWrongByAConstant();
    void profilesMayBeWrongByDifferentFactors_data();
    void profilesMayBeWrongByDifferentFactors();
    void profilesOfDevicesAtRestMayBeWrong();
    void whoIsSlowFromTheFirstRoundHasDrifted();
    void aNewPlanKeepsTheCalibration();
    void whatWasAcknowledgedIsTheNewNormal();
    void whoComesBackToNormalHasNotDrifted();
    void whoWasSlowAndRestsIsForgiven_data();
    void whoWasSlowAndRestsIsForgiven();
    void sharesLayersAndRecomputingAreExpected();
    void roundsWithoutMeasurementsChangeNothing();
    void devicesComeAndGo();
    void theProblemIsCorrected();
};

void TestCapacityDrift::roundsAsMeasuredAreNoDrift() {
    Pipeline home;
    home.drift.take(home.round({30, 30, 30}));  // the first round warms up
    home.play(20, {1, 1, 1});
    QVERIFY(!home.drift.drifted());
    QCOMPARE(home.drift.factor(id(1)), 1.0);
    QCOMPARE(home.drift.factor(QStringLiteral("stranger")), 1.0);
    QCOMPARE(home.drift.corrected(home.problem).toJson(), home.problem.toJson());
}

void TestCapacityDrift::aStepIsKnownAfterFewRounds_data() {
    QTest::addColumn<double>("step");
    QTest::addColumn<int>("rounds");
    QTest::addColumn<double>("tolerance");  // of the factor by then
    QTest::newRow("ten times slower") << 10.0 << 2 << 0.01;
    QTest::newRow("four times slower") << 4.0 << 2 << 0.01;
    QTest::newRow("twice as slow") << 2.0 << 4 << 0.01;
    QTest::newRow("half as slow again") << 1.5 << 5 << 0.1;
    QTest::newRow("four times faster") << 0.25 << 2 << 0.01;
    QTest::newRow("a third faster") << 0.66 << 6 << 0.15;
}

void TestCapacityDrift::aStepIsKnownAfterFewRounds() {
    QFETCH(double, step);
    QFETCH(int, rounds);
    QFETCH(double, tolerance);
    Pipeline home;
    home.play(8, {1, 1, 1});
    int needed = 0;
    while (!home.drift.drifted() && needed < 100) {
        home.play(1, {1, step, 1});
        ++needed;
    }
    QVERIFY2(needed <= rounds, qPrintable(QString::number(needed)));
    QVERIFY(needed >= 2);
    QCOMPARE(home.drift.driftedDevices(), QStringList{id(1)});
    const double factor = home.drift.factor(id(1));
    QVERIFY2(std::abs(factor / step - 1) <= tolerance, qPrintable(QString::number(factor)));
    QCOMPARE(home.drift.factor(id(0)), 1.0);
}

void TestCapacityDrift::burstsAreNoSpeed_data() {
    QTest::addColumn<double>("first");  // of the profile's seconds in the first rounds, which last all of a round
    QTest::addColumn<double>("step");   // and of these from then on
    QTest::addColumn<double>("waits");  // for each second of computing
    QTest::addColumn<double>("believed");
    QTest::newRow("fast for all of the round") << 1.0 << 0.25 << 0.0 << 0.25;
    QTest::newRow("fast for most of the round") << 1.0 << 0.25 << 0.9 << 0.25;
    QTest::newRow("fast for a moment of the round") << 1.0 << 0.25 << 4.0 << 1.0;
    QTest::newRow("slow, and others are slower") << 1.0 << 3.0 << 4.0 << 3.0;
    QTest::newRow("as fast for a moment as it was for all of the round") << 0.6 << 1.0 << 4.0 << 1.0;
    QTest::newRow("faster for a moment than it was for all of the round") << 0.6 << 0.25 << 4.0 << 1.0;
    QTest::newRow("slower than it was for all of the round, and still below its profile") << 0.5 << 1.9 << 4.0 << 1.9;
}

void TestCapacityDrift::burstsAreNoSpeed() {
    QFETCH(double, first);
    QFETCH(double, step);
    QFETCH(double, waits);
    QFETCH(double, believed);
    Pipeline home;
    home.play(8, {1, first, 1});
    Round round = home.round({1, first * step, 1});
    round[id(1)].waitForwardS = round[id(1)].waitBackwardS = waits / 2 * round[id(1)].computeS;
    for (int i = 0; i < 8; ++i)
        home.drift.take(round);
    QCOMPARE(home.drift.drifted(), believed != 1);
    QVERIFY(std::abs(home.drift.factor(id(1)) / believed - 1) < 0.01);
}

void TestCapacityDrift::noiseIsNoDrift() {
    for (unsigned seed = 1; seed <= 50; ++seed) {
        std::mt19937 random(seed);
        Pipeline home;
        for (int round = 0; round < 500; ++round) {
            home.play(1, {noise(random, 0.2), noise(random, 0.2), noise(random, 0.2)});
            QVERIFY2(!home.drift.drifted(), qPrintable(QStringLiteral("seed %1, round %2").arg(seed).arg(round)));
        }
        // And drift shows through it.
        for (int round = 0; round < 15; ++round)
            home.play(1, {noise(random, 0.2), 2 * noise(random, 0.2), noise(random, 0.2)});
        QCOMPARE(home.drift.driftedDevices(), QStringList{id(1)});
        QVERIFY(std::abs(home.drift.factor(id(1)) - 2) < 0.5);
    }
}

void TestCapacityDrift::shortRoundsCountTogether() {
    Pipeline home;
    const double seconds = 0.05;  // of a round
    for (int layer = 0; layer < 12; ++layer) {
        for (std::size_t d = 0; d < 3; ++d) {
            for (auto *rows : {&home.problem.times[d].forward, &home.problem.times[d].backward}) {
                for (double &each : (*rows)[static_cast<std::size_t>(layer)])
                    each *= seconds / Pipeline::expected;
            }
        }
    }
    home.drift.planned(home.problem, home.plan);
    const auto play = [&](int rounds, double factor) {
        Round round = home.round({1, factor, 1});
        for (event::RoundDevice &device : round)
            device.computeS *= seconds / Pipeline::expected;
        for (int i = 0; i < rounds; ++i)
            home.drift.take(round);
    };
    play(210, 1);
    // Somebody opens a page on that device now and then: twice as slow for a fifth of a second.
    for (int i = 0; i < 50; ++i) {
        play(4, 2);
        QVERIFY2(!home.drift.drifted(), qPrintable(QString::number(i)));
        play(26, 1);
        QVERIFY2(!home.drift.drifted(), qPrintable(QString::number(i)));
    }
    // And for good: known after two seconds.
    play(20, 2);
    QCOMPARE(home.drift.driftedDevices(), QStringList{id(1)});
}

void TestCapacityDrift::oneOddRoundIsNoDrift() {
    Pipeline home;
    home.play(8, {1, 1, 1});
    home.play(1, {1, 40, 1});
    QVERIFY(!home.drift.drifted());
    home.play(2, {1, 1, 1});
    QVERIFY(!home.drift.drifted());
    QCOMPARE(home.drift.factor(id(1)), 1.0);  // and soon forgotten
}

void TestCapacityDrift::aProfileMayBeWrongByAConstant() {
    Pipeline home;
    home.play(20, {1.5, 0.8, 1.2});
    QVERIFY(!home.drift.drifted());
    QCOMPARE(home.drift.factor(id(0)), 1.0);
    QCOMPARE(home.drift.factor(id(1)), 1.0);
    home.play(3, {4.5, 0.8, 1.2});
    QCOMPARE(home.drift.driftedDevices(), QStringList{id(0)});
    QCOMPARE(home.drift.factor(id(0)), 3.0);
    // Once there is a new plan, it may as well be made from what is true.
    QVERIFY(std::abs(home.drift.ratio(id(0)) - 4.5) < 1e-9);
    QVERIFY(std::abs(home.drift.ratio(id(1)) - 0.8) < 1e-9);
    // Likewise where everybody is slower than alone, for want of cores: nobody at rest looks faster for it.
    Pipeline crowded;
    QCOMPARE(crowded.drift.ratio(id(0)), 1.0);
    crowded.play(20, {5, 4, 4.5});
    QVERIFY(!crowded.drift.drifted());
    QCOMPARE(crowded.drift.factor(id(0)), 1.0);
    QCOMPARE(crowded.drift.ratio(QStringLiteral("at rest")), 4.5);
}

void TestCapacityDrift::profilesMayBeWrongByDifferentFactors_data() {
    QTest::addColumn<std::vector<double>>("factors");
    QTest::addColumn<bool>("isUneven");
    QTest::newRow("all as measured") << std::vector<double>{1, 1, 1} << false;
    QTest::newRow("no further off than a measurement") << std::vector<double>{1.05, 0.95, 1} << false;
    QTest::newRow("all slower alike") << std::vector<double>{1.5, 1.5, 1.5} << false;
    QTest::newRow("one of them slower") << std::vector<double>{1.3, 1, 1} << true;
    QTest::newRow("one slower, another one faster") << std::vector<double>{1.2, 0.85, 1} << true;
}

void TestCapacityDrift::profilesMayBeWrongByDifferentFactors() {
    QFETCH(std::vector<double>, factors);
    QFETCH(bool, isUneven);
    Pipeline home;
    QVERIFY(!home.drift.isUneven());
    home.play(8, factors);
    QVERIFY(!home.drift.drifted());
    QCOMPARE(home.drift.isUneven(), isUneven);
}

void TestCapacityDrift::profilesOfDevicesAtRestMayBeWrong() {
    Pipeline home;
    home.play(8, {1.3, 1, 1});
    QVERIFY(home.drift.isUneven());
    Plan without = planOfStages(home.problem, {{6, 1}, {6, 1}});
    without.stages[0].shares[0].device = id(1);
    without.stages[1].shares[0].device = id(2);
    home.drift.planned(home.problem, without);
    QVERIFY(!home.drift.isUneven());
}

void TestCapacityDrift::whoIsSlowFromTheFirstRoundHasDrifted() {
    Pipeline home;
    home.play(8, {1, 1, 10});
    QCOMPARE(home.drift.driftedDevices(), QStringList{id(2)});
    QVERIFY(home.drift.factor(id(2)) > 4);
    Pipeline two;
    two.play(8, {10, 1});
    QCOMPARE(two.drift.driftedDevices(), QStringList{id(0)});
}

void TestCapacityDrift::aNewPlanKeepsTheCalibration() {
    Pipeline home;
    home.play(8, {1.5, 1, 1});
    home.drift.planned(home.problem, home.plan);
    home.play(4, {6, 1, 1});
    QCOMPARE(home.drift.driftedDevices(), QStringList{id(0)});
    QCOMPARE(home.drift.factor(id(0)), 4.0);
    QCOMPARE(home.drift.calibration(id(0)), 1.5);
}

void TestCapacityDrift::whatWasAcknowledgedIsTheNewNormal() {
    Pipeline home;
    home.play(8, {1, 1, 1});
    home.play(3, {1, 10, 1});
    QVERIFY(home.drift.drifted());
    home.drift.acknowledge(home.drift.factors());
    QVERIFY(!home.drift.drifted());
    home.play(10, {1, 10, 1});
    QVERIFY(!home.drift.drifted());
    QCOMPARE(home.drift.factor(id(1)), 10.0);  // against the profile, still
    // Its return to full speed is drift again, and so is more of the same.
    home.play(2, {1, 1, 1});
    QCOMPARE(home.drift.driftedDevices(), QStringList{id(1)});
    QCOMPARE(home.drift.factor(id(1)), 1.0);
    home.drift.acknowledge({{id(1), 2}, {id(0), -1}, {id(2), std::nan("")}});
    home.play(4, {1, 1, 1});
    QCOMPARE(home.drift.driftedDevices(), QStringList{id(1)});
}

void TestCapacityDrift::whoComesBackToNormalHasNotDrifted() {
    Pipeline home;
    home.play(8, {1, 1, 1});
    home.play(3, {1, 10, 1});
    QVERIFY(home.drift.drifted());
    home.play(2, {1, 1, 1});
    QVERIFY(home.drift.drifted());  // not yet
    home.play(3, {1, 1, 1});
    QVERIFY(!home.drift.drifted());
}

void TestCapacityDrift::whoWasSlowAndRestsIsForgiven_data() {
    QTest::addColumn<double>("slower");
    QTest::addColumn<bool>("rests");
    QTest::addColumn<double>("roundSeconds");
    QTest::addColumn<QList<int>>("rounds");  // until it is forgiven, time after time
    QTest::newRow("after ten minutes, and each time twice as many") << 10.0 << true << 0.25 << QList<int>{2400, 4800};
    QTest::newRow("after so long that a try is a small part of it") << 9.99 << true << 100.0 << QList<int>{1199, 1199};
    QTest::newRow("not while it has layers") << 10.0 << false << 1.0 << QList<int>{};
    QTest::newRow("not where it was as fast as ever") << 1.0 << true << 1.0 << QList<int>{};
}

void TestCapacityDrift::whoWasSlowAndRestsIsForgiven() {
    QFETCH(double, slower);
    QFETCH(bool, rests);
    QFETCH(double, roundSeconds);
    QFETCH(QList<int>, rounds);
    Pipeline home;
    Plan without = planOfStages(home.problem, {{6, 1}, {6, 1}});
    without.stages[0].shares[0].device = id(0);
    without.stages[1].shares[0].device = id(2);
    home.play(8, {1, 1.2, 1});
    QList<int> forgiven;
    for (int attempt = 0; attempt < 2; ++attempt) {
        home.drift.planned(home.problem, home.plan);
        home.play(4, {1, 1.2 * slower, 1});
        home.drift.acknowledge(home.drift.factors());
        QVERIFY(std::abs(home.drift.factor(id(1)) - slower) < 1e-9);
        if (rests)
            home.drift.planned(home.problem, without);
        int round = 1;
        while (round < 10'000 && !home.drift.forgive(roundSeconds))
            ++round;
        if (round < 10'000)
            forgiven << round;
    }
    QCOMPARE(forgiven, rounds);
    if (forgiven.isEmpty())
        return;
    QVERIFY(std::abs(home.drift.ratio(id(1)) - 1.2) < 1e-9);
    // Two rounds tell that it is as slow as before.
    home.drift.acknowledge(home.drift.factors());
    home.drift.planned(home.problem, home.plan);
    home.play(3, {1, 1.2 * slower, 1});
    QCOMPARE(home.drift.driftedDevices(), QStringList{id(1)});
}

void TestCapacityDrift::sharesLayersAndRecomputingAreExpected() {
    PlanningProblem problem = smallHome(4, 3);
    Plan plan = planOfStages(problem, {{1, 2}, {3, 1}});
    plan.stages[0].shares = {{id(0), 3}, {id(1), 1}};
    plan.stages[1].recompute = true;
    CapacityDrift drift;
    drift.planned(problem, plan);
    // Four micro-batches: 0.03 s per sample and layer, 0.01 s more for each that is computed again.
    Round round;
    round[id(0)].computeS = 4 * 3 * 0.03;
    round[id(1)].computeS = 4 * 1 * 0.03;
    round[id(2)].computeS = 4 * 4 * 3 * 0.04;
    for (int i = 0; i < 8; ++i)
        drift.take(round);
    // Other layers and shares with times that follow: nobody has drifted.
    plan = planOfStages(problem, {{3, 2}, {1, 1}});
    plan.stages[0].shares = {{id(0), 1}, {id(1), 3}};
    drift.planned(problem, plan);
    round[id(0)].computeS = 4 * 1 * 3 * 0.03;
    round[id(1)].computeS = 4 * 3 * 3 * 0.03;
    round[id(2)].computeS = 4 * 4 * 0.03;
    for (int i = 0; i < 8; ++i)
        drift.take(round);
    QVERIFY(!drift.drifted());
    for (int d = 0; d < 3; ++d)
        QVERIFY(std::abs(drift.factor(id(d)) - 1) < 1e-9);
}

void TestCapacityDrift::roundsWithoutMeasurementsChangeNothing() {
    Pipeline home;
    home.play(8, {1, 1, 1});
    const double infinite = std::numeric_limits<double>::infinity();
    home.play(5, {0, -1, infinite});
    home.play(5, {std::nan(""), 0, 0});
    home.drift.take({});
    QVERIFY(!home.drift.drifted());
    QCOMPARE(home.drift.factors(), (CapacityFactors{{id(0), 1.0}, {id(1), 1.0}, {id(2), 1.0}}));
    // A stage that takes no time says nothing about its device.
    PlanningProblem idle = home.problem;
    for (int l = 0; l < 4; ++l)
        idle.times[0].forward[static_cast<std::size_t>(l)] =
            idle.times[0].backward[static_cast<std::size_t>(l)] = {0, 0};
    CapacityDrift drift;
    drift.planned(idle, home.plan);
    for (int i = 0; i < 8; ++i)
        drift.take(home.round({1, 1, 1}));
    QCOMPARE(drift.factor(id(0)), 1.0);
    QVERIFY(!drift.drifted());
}

void TestCapacityDrift::devicesComeAndGo() {
    Pipeline home;
    home.play(8, {1, 1, 1});
    home.play(3, {1, 10, 1});
    // The slow one leaves, another joins whose profile was wrong by a half.
    PlanningProblem problem = smallHome(12, 4);
    Plan plan = planOfStages(problem, {{4, 1}, {4, 1}, {4, 1}});
    plan.stages[1].shares[0].device = id(3);
    home.drift.planned(problem, plan);
    Round round = home.round({1, 0, 1, 1.5});
    round.remove(id(1));
    for (int i = 0; i < 8; ++i)
        home.drift.take(round);
    QCOMPARE(home.drift.factor(id(3)), 1.0);
    QCOMPARE(home.drift.factor(id(1)), 10.0);  // as it was last
    QCOMPARE(home.drift.driftedDevices(), QStringList{id(1)});
    CapacityDrift profiledAnew = home.drift;
    profiledAnew.forget(id(1));
    QVERIFY(!profiledAnew.drifted());
    QCOMPARE(profiledAnew.factor(id(1)), 1.0);
    // It returns as fast as ever.
    home.drift.planned(home.problem, home.plan);
    home.play(6, {1, 1, 1});
    QCOMPARE(home.drift.factor(id(1)), 1.0);
    QVERIFY(!home.drift.drifted());
}

void TestCapacityDrift::theProblemIsCorrected() {
    Pipeline home;
    home.play(8, {1, 1, 1});
    home.play(3, {1.05, 10, 1});
    const PlanningProblem corrected = home.drift.corrected(home.problem);
    QVERIFY(corrected.validate());
    QCOMPARE(corrected.times[0], home.problem.times[0]);
    QCOMPARE(corrected.times[2], home.problem.times[2]);
    for (std::size_t l = 0; l < 12; ++l) {
        for (std::size_t i = 0; i < 2; ++i) {
            QCOMPARE(corrected.times[1].forward[l][i], 10 * home.problem.times[1].forward[l][i]);
            QCOMPARE(corrected.times[1].backward[l][i], 10 * home.problem.times[1].backward[l][i]);
        }
    }
    QVERIFY(evaluate(corrected, home.plan)->roundSeconds > 5 * evaluate(home.problem, home.plan)->roundSeconds);
    // However slow: a problem that can be planned.
    home.play(8, {1, 1e12, 1});
    QCOMPARE(home.drift.factor(id(1)), 1000.0);
    QVERIFY(home.drift.corrected(home.problem).validate());
}

QTEST_APPLESS_MAIN(TestCapacityDrift)
#include "test_capacity_drift.moc"
