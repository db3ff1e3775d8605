// The event simulator against a plain one that shares no code with it.
#include <QtTest>
#include <cmath>
#include <random>

#include "core/plan/simulator.h"
#include "tests/core/plan/reference_simulator.h"

using namespace hearth;

namespace {

enum class Links { Wires, HalfDuplex, OneMedium, Mixed };

struct Round {
    std::vector<SimulatedStep> steps;
    int microBatches = 1;
    Schedule schedule = Schedule::OneForwardOneBackward;
};

std::vector<test::ReferenceStep> plain(const Round &round) {
    std::vector<test::ReferenceStep> result;
    for (const SimulatedStep &step : round.steps) {
        result.push_back({step.forward, step.backward, step.allReduce, step.inFlight, step.channel, step.weights,
                          round.schedule.putsOffWeights() && !step.recompute});
        if (round.schedule == Schedule::ZeroBubble)  // as far as 1F1B, from the end
            result.back().ahead = static_cast<int>(round.steps.size() - result.size()) + 1;
    }
    return result;
}

/// Channels count without gaps, in any order of the cuts.
void setChannels(std::mt19937 &random, Links links, std::vector<SimulatedStep> &steps) {
    std::vector<int> numbers;
    int next = 0;
    for (std::size_t s = 1; s < steps.size(); s += 2) {
        switch (links) {
            case Links::Wires:
                break;
            case Links::HalfDuplex:
                steps[s].channel = next++;
                break;
            case Links::OneMedium:
                steps[s].channel = 0;
                break;
            case Links::Mixed:
                if (const unsigned kind = random() % 3; kind == 1 || (kind == 2 && next == 0))
                    steps[s].channel = next++;
                else if (kind == 2)
                    steps[s].channel = static_cast<int>(random() % static_cast<unsigned>(next));
        }
    }
}

/// `unit` > 0: times are small multiples of it, so that many tasks begin at the same moment.
Round randomRound(std::mt19937 &random, Links links, double unit) {
    const auto seconds = [&](double most) {
        if (random() % 8 == 0)
            return 0.0;
        const double part = std::uniform_real_distribution<double>(0, most)(random);
        return unit > 0 ? std::floor(4 * part) * unit : part;
    };
    Round round;
    const int stages = 1 + static_cast<int>(random() % 8);
    round.microBatches = 1 + static_cast<int>(random() % 32);
    round.schedule = *Schedule::byName(Schedule::names()[random() % 4]);
    const bool transfersMatter = random() % 2, halves = random() % 2;
    for (int s = 0; s < 2 * stages - 1; ++s) {
        const double scale = s % 2 == 0 || transfersMatter ? 1 : 0.2;
        SimulatedStep step{seconds(scale), seconds(2 * scale), 0, 1, -1};
        if (s % 2 == 0) {
            step.weights = halves ? seconds(1) : 0;
            step.recompute = random() % 4 == 0;
            step.allReduce = random() % 2 ? seconds(4) : 0;
            step.inFlight = 1 + static_cast<int>(random() % static_cast<unsigned>(round.microBatches));
            if (round.schedule == Schedule::FillDrain)
                step.inFlight = round.microBatches;
            else if (random() % 2)
                step.inFlight = std::min(2 * (stages - s / 2) - 1, round.microBatches);
        }
        round.steps.push_back(step);
    }
    setChannels(random, links, round.steps);
    return round;
}

double worstDifference(const std::vector<double> &a, const std::vector<double> &b) {
    if (a.size() != b.size())
        return never;
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        worst = std::max(worst, std::abs(a[i] - b[i]));
    return worst;
}

}  // namespace

class TestSimulator : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aGradientThatLeavesEarlyShortensTheRound_data() {
        QTest::addColumn<int>("stages");
        QTest::addColumn<int>("microBatches");
        for (const int microBatches : {4, 8}) {
            for (const int stages : {2, 3, 4})
                QTest::addRow("%d stages, %d micro-batches", stages, microBatches) << stages << microBatches;
        }
    }

    /// Equal stages, each pass and each half of a backward pass a second, nothing to send.
    void aGradientThatLeavesEarlyShortensTheRound() {
        QFETCH(int, stages);
        QFETCH(int, microBatches);
        std::vector<SimulatedStep> late, early;
        for (int s = 0; s < 2 * stages - 1; ++s) {
            const int inFlight = std::min(stages - s / 2, microBatches);
            late.push_back(s % 2 == 0 ? SimulatedStep{1, 2, 0, inFlight, -1, 0} : SimulatedStep{});
            early.push_back(s % 2 == 0 ? SimulatedStep{1, 1, 0, inFlight, -1, 1} : SimulatedStep{});
        }
        Simulator simulator;
        QCOMPARE(simulator.run(late, microBatches, Schedule::OneForwardOneBackward), 3.0 * (microBatches + stages - 1));
        QCOMPARE(simulator.run(early, microBatches, Schedule::OneForwardOneBackward),
                 3.0 * microBatches + 2.0 * (stages - 1));
    }

    void gradientsOfWeightsFillTheWaiting_data() {
        QTest::addColumn<int>("stages");
        QTest::addColumn<int>("microBatches");
        for (const int microBatches : {4, 8}) {
            for (const int stages : {2, 3, 4})
                QTest::addRow("%d stages, %d micro-batches", stages, microBatches) << stages << microBatches;
        }
    }

    /// As above, with next to nothing to send: ZB-H1 waits (P-1) units where 1F1B waits 2(P-1).
    void gradientsOfWeightsFillTheWaiting() {
        QFETCH(int, stages);
        QFETCH(int, microBatches);
        std::vector<SimulatedStep> steps;
        for (int s = 0; s < 2 * stages - 1; ++s)
            steps.push_back(s % 2 == 0 ? SimulatedStep{1, 1, 0, microBatches, -1, 1}
                                       : SimulatedStep{1e-3, 1e-3, 0, 1, -1});
        Simulator simulator;
        const double least = 3.0 * microBatches + stages - 1;
        QVERIFY(simulator.run(steps, microBatches, Schedule::ZeroBubble) < least + 0.03);
    }

    void everyTaskBeginsWhenThePlainSimulationSays_data() {
        QTest::addColumn<int>("links");
        QTest::addColumn<double>("unit");
        const auto row = [](const char *name, Links links, double unit) {
            QTest::newRow(name) << static_cast<int>(links) << unit;
        };
        row("full duplex", Links::Wires, 0);
        row("half duplex", Links::HalfDuplex, 0);
        row("one shared medium", Links::OneMedium, 0);
        row("wires, half duplex and media", Links::Mixed, 0);
        row("full duplex, many ties", Links::Wires, 0.25);
        row("half duplex, many ties", Links::HalfDuplex, 0.25);
        row("one shared medium, many ties", Links::OneMedium, 0.25);
        row("wires, half duplex and media, many ties", Links::Mixed, 0.25);
    }

    void everyTaskBeginsWhenThePlainSimulationSays() {
        QFETCH(int, links);
        QFETCH(double, unit);
        std::mt19937 random(static_cast<unsigned>(links) + (unit > 0 ? 100 : 0));
        Simulator simulator;
        SimulatedTimes times;
        for (int i = 0; i < 600; ++i) {
            const Round round = randomRound(random, static_cast<Links>(links), unit);
            const bool fillDrain = round.schedule == Schedule::FillDrain;
            const test::ReferenceRound expected =
                test::ReferenceSimulator(plain(round), round.microBatches, fillDrain).run();
            const double timed = simulator.run(round.steps, round.microBatches, round.schedule, &times);
            const double tolerance = 1e-12 * std::max(1.0, expected.seconds);
            QVERIFY2(std::abs(timed - expected.seconds) <= tolerance,
                     qPrintable(QStringLiteral("round %1: %2, expected %3").arg(i).arg(timed).arg(expected.seconds)));
            QVERIFY(worstDifference(times.forwardStart, expected.forwardStart) <= tolerance);
            QVERIFY(worstDifference(times.backwardStart, expected.backwardStart) <= tolerance);
            for (std::size_t s = 0; s < round.steps.size(); s += 2) {
                for (int m = 0; m < round.microBatches; ++m) {
                    const std::size_t place =
                        s * static_cast<std::size_t>(round.microBatches) + static_cast<std::size_t>(m);
                    QVERIFY(std::abs(times.weightsStart[place] - expected.weightsStart[place]) <= tolerance);
                }
            }
            // However it is asked, the answer has the same bits.
            QVERIFY(simulator.run(round.steps, round.microBatches, round.schedule) == timed);
            QVERIFY(simulator.run(round.steps, round.microBatches, round.schedule, nullptr, timed) == timed);
        }
    }

    void roundsThatEndLateAreAbandonedAndNoOthers() {
        std::mt19937 random(9);
        Simulator simulator;
        int abandoned = 0, late = 0;
        for (int i = 0; i < 2000; ++i) {
            const Round round = randomRound(random, static_cast<Links>(random() % 4), 0);
            const double seconds = simulator.run(round.steps, round.microBatches, round.schedule);
            const double limit = seconds * std::uniform_real_distribution<double>(0.5, 1.5)(random);
            const double answer = simulator.run(round.steps, round.microBatches, round.schedule, nullptr, limit);
            if (seconds <= limit)
                QCOMPARE(answer, seconds);
            else
                QVERIFY(answer == seconds || answer == never);
            late += seconds > limit ? 1 : 0;
            abandoned += answer == never ? 1 : 0;
        }
        qInfo("%d of %d late rounds were abandoned", abandoned, late);
        QVERIFY(abandoned > late / 2);
    }

    void roundsThatNeverEndAreInfinite() {
        Simulator simulator;
        const std::vector<SimulatedStep> steps{{1, 1, 0, 2, -1}, {0, 0, 0, 1, -1}, {1, 1, 0, 4, -1}};
        QCOMPARE(simulator.run(steps, 4, Schedule::FillDrain), never);
        QCOMPARE(simulator.run(steps, 4, Schedule::OneForwardOneBackward), 10.0);
    }

    void aLargeRoundBeforeASmallOneChangesNothing() {
        std::mt19937 random(10);
        Simulator used;
        for (int i = 0; i < 200; ++i) {
            const Round large = randomRound(random, Links::Mixed, 0);
            const Round small = randomRound(random, static_cast<Links>(random() % 4), 0);
            used.run(large.steps, large.microBatches, large.schedule);
            QCOMPARE(used.run(small.steps, small.microBatches, small.schedule),
                     Simulator().run(small.steps, small.microBatches, small.schedule));
        }
    }
};

QTEST_GUILESS_MAIN(TestSimulator)
#include "test_simulator.moc"
