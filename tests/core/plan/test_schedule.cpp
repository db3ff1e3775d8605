#include <QTest>
#include <random>

#include "core/base/at.h"
#include "core/plan/simulator.h"

using namespace hearth;

namespace {

/// A pipeline that knows nothing of schedules: each stage asks what is next whenever it is free. Cuts are wires.
class AskingPipeline {
  public:
    AskingPipeline(const std::vector<SimulatedStep> &steps, int microBatches, Schedule schedule) : m_steps(steps) {
        for (std::size_t s = 0; s < steps.size(); s += 2)
            m_stages.push_back(
                {schedule.rules({steps[s].inFlight, static_cast<int>(steps.size() - s) / 2 + 1, steps[s].recompute},
                                microBatches),
                 {},
                 {},
                 {},
                 {},
                 {},
                 0});
        m_stages.front().inputs.assign(at(microBatches), 0.0);
    }
    void play() {
        while (beginNext()) {
        }
    }
    const std::vector<double> &forwardStarts(int stage) const { return m_stages[at(stage)].forwardStarts; }
    const std::vector<double> &backwardStarts(int stage) const { return m_stages[at(stage)].backwardStarts; }

  private:
    struct Stage {
        StageRules rules;
        StageStatus status;
        std::vector<double> inputs, gradients, forwardStarts, backwardStarts;
        double free = 0;
    };

    static double arrival(const std::vector<double> &arrivals, int index) {
        return at(index) < arrivals.size() ? arrivals[at(index)] : never;
    }
    static StageTask nextAt(Stage &stage, double now) {
        stage.status.forwardReady = arrival(stage.inputs, stage.status.forwards) <= now;
        stage.status.backwardReady = arrival(stage.gradients, stage.status.inputGradients) <= now;
        return stage.rules.next(stage.status);
    }
    static bool computes(StageTask task) {
        return task == StageTask::Forward || task == StageTask::BackwardInput || task == StageTask::BackwardWeights;
    }
    bool beginNext() {
        double start = never;
        int chosen = -1;
        for (int s = 0; s < static_cast<int>(m_stages.size()); ++s) {
            Stage &stage = m_stages[at(s)];
            const double arrivals[2] = {arrival(stage.inputs, stage.status.forwards),
                                        arrival(stage.gradients, stage.status.inputGradients)};
            for (const double when : {0.0, arrivals[0], arrivals[1]}) {
                const double now = std::max(stage.free, when);
                if (now < start && computes(nextAt(stage, now))) {
                    start = now;
                    chosen = s;
                }
            }
        }
        if (chosen >= 0)
            begin(chosen, start);
        return chosen >= 0;
    }
    void begin(int number, double now) {
        Stage &stage = m_stages[at(number)];
        const SimulatedStep &step = m_steps[at(2 * number)];
        switch (nextAt(stage, now)) {
            case StageTask::Forward:
                ++stage.status.forwards;
                stage.forwardStarts.push_back(now);
                stage.free = now + step.forward;
                if (at(number + 1) < m_stages.size())
                    send(m_stages[at(number + 1)].inputs, stage.free, m_steps[at(2 * number + 1)].forward);
                else
                    stage.gradients.push_back(stage.free);
                break;
            case StageTask::BackwardInput:
                ++stage.status.inputGradients;
                stage.backwardStarts.push_back(now);
                stage.free = now + step.backward;
                if (number > 0)
                    send(m_stages[at(number - 1)].gradients, stage.free, m_steps[at(2 * number - 1)].backward);
                break;
            default:
                ++stage.status.weightGradients;
                stage.free = now + step.weights;
                break;
        }
    }
    static void send(std::vector<double> &arrivals, double ready, double seconds) {
        const double before = arrivals.empty() ? 0 : arrivals.back();
        arrivals.push_back(std::max(ready, before) + seconds);
    }

    std::vector<SimulatedStep> m_steps;
    std::vector<Stage> m_stages;
};

}  // namespace

class TestSchedule : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aStageNeverExceedsItsLimit_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("limit");
        QTest::newRow("1f1b with one in flight") << QStringLiteral("1f1b") << 1;
        QTest::newRow("1f1b with three in flight") << QStringLiteral("1f1b") << 3;
        QTest::newRow("zero bubble with one in flight") << QStringLiteral("zero-bubble") << 1;
        QTest::newRow("zero bubble with three in flight") << QStringLiteral("zero-bubble") << 3;
        QTest::newRow("fill and drain") << QStringLiteral("fill-drain") << 8;
    }

    void aStageNeverExceedsItsLimit() {
        QFETCH(QString, name);
        QFETCH(int, limit);
        const auto schedule = Schedule::byName(name);
        QVERIFY(schedule);
        const StageRules rules = schedule->rules({limit, 2}, 8);
        std::mt19937 random(3);
        StageStatus status;
        int inputs = 0, gradients = 0;
        for (;;) {
            status.forwardReady = status.forwards < inputs;
            status.backwardReady = status.inputGradients < std::min(gradients, status.forwards);
            const StageTask task = rules.next(status);
            if (task == StageTask::Update)
                break;
            if (task == StageTask::Forward)
                ++status.forwards;
            else if (task == StageTask::BackwardInput)
                ++status.inputGradients;
            else if (task == StageTask::BackwardWeights)
                ++status.weightGradients;
            else if (task == StageTask::WaitForward)
                ++inputs;
            else
                ++gradients;
            if (inputs < 8 && random() % 2)
                ++inputs;
            QVERIFY(status.inFlight() <= limit);
            QVERIFY(status.forwards <= 8 && gradients <= status.forwards);
        }
        QCOMPARE(status.weightGradients, 8);
    }

    void everyScheduleIsFoundByItsName() {
        for (const QString &name : Schedule::names())
            QCOMPARE(Schedule::byName(name)->name(), name);
        QVERIFY(!Schedule::byName(QStringLiteral("sometimes")));
    }

    void theSimulatorBeginsEveryTaskWhenTheRuleSays() {
        std::mt19937 random(11);
        std::uniform_real_distribution<double> seconds(0.01, 1);
        Simulator simulator;
        SimulatedTimes times;
        for (int i = 0; i < 300; ++i) {
            const int stages = 1 + static_cast<int>(random() % 6), microBatches = 1 + static_cast<int>(random() % 12);
            const Schedule schedule = *Schedule::byName(Schedule::names()[i % 4]);
            std::vector<SimulatedStep> steps;
            for (int s = 0; s < 2 * stages - 1; ++s) {
                const int allowed = 1 + static_cast<int>(random() % static_cast<unsigned>(microBatches));
                steps.push_back({seconds(random), 2 * seconds(random), 0,
                                 s % 2 == 0 ? schedule.mostInFlight(allowed, microBatches) : 1, -1,
                                 s % 2 == 0 && i % 2 == 0 ? seconds(random) : 0, i % 4 == 0 && s % 4 == 0});
            }
            simulator.run(steps, microBatches, schedule, &times);
            AskingPipeline asking(steps, microBatches, schedule);
            asking.play();
            for (int s = 0; s < stages; ++s) {
                QCOMPARE(asking.backwardStarts(s).size(), at(microBatches));
                for (int m = 0; m < microBatches; ++m) {
                    const std::size_t index = at(2 * s * microBatches + m);
                    QVERIFY(std::abs(asking.forwardStarts(s)[at(m)] - times.forwardStart[index]) < 1e-12 * stages * 99);
                    QVERIFY(std::abs(asking.backwardStarts(s)[at(m)] - times.backwardStart[index]) <
                            1e-12 * stages * 99);
                }
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestSchedule)
#include "test_schedule.moc"
