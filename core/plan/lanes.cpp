// The simulated round as lanes of tasks, for the schedule of the Plan page and `hearth plan --schedule`.
#include <algorithm>

#include "core/plan/evaluate.h"

namespace hearth {
namespace {

using Kind = ScheduledTask::Kind;

class Lanes {
  public:
    Lanes(const CostModel &model, const Plan &plan, const PlanSteps &steps, const SimulatedTimes &times)
        : m_model(model),
          m_plan(plan),
          m_placement(placementOf(model.problem(), plan)),
          m_steps(steps),
          m_times(times) {}

    std::vector<ScheduledTask> all() {
        for (std::size_t s = 0; s < m_steps.groups.size(); ++s) {
            // All micro-batches of a stage go the same ways in the same times.
            const std::vector<Execution> executions = executionsOf(s);
            const std::vector<Piece> pieces = s + 1 < m_steps.groups.size() ? piecesAfter(s) : std::vector<Piece>();
            for (int m = 0; m < m_plan.microBatches(); ++m) {
                addExecution(executions, s, m);
                addTransfer(pieces, s, m);
            }
            addClosing(s);
        }
        for (const TiedSum &sum : m_steps.tied)
            addTied(sum);
        std::stable_sort(m_tasks.begin(), m_tasks.end(), [](const ScheduledTask &a, const ScheduledTask &b) {
            return a.startSeconds < b.startSeconds;
        });
        return std::move(m_tasks);
    }

  private:
    struct Execution {
        QString lane;
        double forward, backward, weights;  // seconds; weights: the half that is put off
    };
    struct Piece {
        QString there, back;  // lanes
        qint64 bytesThere, bytesBack;
    };

    const QString &id(int device) const { return m_model.problem().devices[static_cast<std::size_t>(device)].id; }
    std::size_t at(std::size_t step, int microBatch) const {
        return step * static_cast<std::size_t>(m_plan.microBatches()) + static_cast<std::size_t>(microBatch);
    }

    std::vector<Execution> executionsOf(std::size_t s) const {
        const std::vector<LayerSeconds> seconds = memberSecondsOf(m_model, m_placement, s);
        const bool putsOff = m_plan.schedule.putsOffWeights() && !m_plan.stages[s].recompute;
        std::vector<Execution> found;
        for (std::size_t i = 0; i < seconds.size(); ++i) {
            const LayerSeconds &own = seconds[i];
            const double putOff = putsOff ? own.weights : 0;
            found.push_back({id(m_steps.groups[s][i].device), own.forward, own.backward - putOff, putOff});
        }
        return found;
    }

    std::vector<Piece> piecesAfter(std::size_t s) const {
        const Group &from = m_steps.groups[s];
        const Group &to = m_steps.groups[s + 1];
        const CutTraffic cut =
            m_model.traffic(m_plan.stages[s].lastLayer, m_plan.stages[s].codec, m_plan.stages[s].recompute);
        std::vector<Piece> found;
        for (const Overlap &piece : overlaps(from, to)) {
            const int sender = from[static_cast<std::size_t>(piece.from)].device;
            const int receiver = to[static_cast<std::size_t>(piece.to)].device;
            const QString &a = id(sender);
            const QString &b = id(receiver);
            found.push_back({a + QLatin1Char('>') + b, b + QLatin1Char('>') + a,
                             static_cast<qint64>(piece.samples * m_model.sent(cut.forward, sender, receiver)),
                             static_cast<qint64>(piece.samples * m_model.sent(cut.backward, receiver, sender))});
        }
        return found;
    }

    void addExecution(const std::vector<Execution> &executions, std::size_t s, int m) {
        const double forward = m_times.forwardStart[at(2 * s, m)];
        const double backward = m_times.backwardStart[at(2 * s, m)];
        const double weights = m_times.weightsStart[at(2 * s, m)];
        const int number = static_cast<int>(s);
        for (const Execution &own : executions) {
            m_tasks.push_back({own.lane, Kind::Forward, number, m, forward, forward + own.forward, 0});
            m_tasks.push_back({own.lane, Kind::Backward, number, m, backward, backward + own.backward, 0});
            if (own.weights > 0)
                m_tasks.push_back({own.lane, Kind::Weights, number, m, weights, weights + own.weights, 0});
        }
    }

    void addTransfer(const std::vector<Piece> &pieces, std::size_t s, int m) {
        const int number = static_cast<int>(s);
        for (const Piece &piece : pieces) {
            const StepTimes &step = m_steps.times[2 * s + 1];
            const double forward = m_times.forwardStart[at(2 * s + 1, m)];
            const double backward = m_times.backwardStart[at(2 * s + 1, m)];
            const std::size_t place = at(2 * s + 1, m);
            const double there = m_times.forwardEnd.empty() ? forward + step.forward : m_times.forwardEnd[place];
            const double back = m_times.backwardEnd.empty() ? backward + step.backward : m_times.backwardEnd[place];
            m_tasks.push_back({piece.there, Kind::Transfer, number, m, forward, there, piece.bytesThere});
            m_tasks.push_back({piece.back, Kind::Transfer, number, m, backward, back, piece.bytesBack});
        }
    }

    /// AllReduce and the optimizer step: both belong to the round's end, so they carry its last micro-batch.
    void addClosing(std::size_t s) {
        const Group &group = m_steps.groups[s];
        const int last = m_plan.microBatches() - 1;
        const int number = static_cast<int>(s);
        const double begin = m_times.lastBackwardEnd[s];
        const double end = begin + ownSeconds(s);
        const double updated = std::max(end, tiedEnd(s));
        const double summed = m_model.allReduceBytes(m_plan.stages[s].firstLayer, m_plan.stages[s].lastLayer,
                                                     group.size(), m_steps.updates);
        for (std::size_t i = 0; i < group.size(); ++i) {
            if (group.size() > 1) {
                m_tasks.push_back({id(group[i].device) + QLatin1Char('>') + id(group[(i + 1) % group.size()].device),
                                   Kind::AllReduce, number, last, begin, end, static_cast<qint64>(summed)});
            }
            m_tasks.push_back({id(group[i].device), Kind::Update, number, last, updated, updated, 0});
        }
    }

    /// Of the stage's own AllReduce.
    double ownSeconds(std::size_t s) const {
        double seconds = m_steps.times[2 * s].allReduce;
        for (const TiedSum &sum : m_steps.tied)
            seconds -= std::ranges::count(sum.stages, static_cast<int>(s)) > 0 ? sum.seconds : 0;
        return seconds;
    }

    /// When the stages of a sum over several of them have what is theirs, tied tensors after the rest.
    double endOf(const TiedSum &sum) const {
        double end = 0;
        for (const int s : sum.stages) {
            const auto stage = static_cast<std::size_t>(s);
            end = std::max(end, m_times.lastBackwardEnd[stage] + m_steps.times[2 * stage].allReduce);
        }
        return end;
    }

    double tiedEnd(std::size_t s) const {
        double end = 0;
        for (const TiedSum &sum : m_steps.tied) {
            if (std::ranges::count(sum.stages, static_cast<int>(s)) > 0)
                end = std::max(end, endOf(sum));
        }
        return end;
    }

    void addTied(const TiedSum &sum) {
        const double end = endOf(sum);
        for (std::size_t i = 0; i < sum.group.size(); ++i) {
            m_tasks.push_back(
                {id(sum.group[i].device) + QLatin1Char('>') + id(sum.group[(i + 1) % sum.group.size()].device),
                 Kind::AllReduce, sum.stages.front(), m_plan.microBatches() - 1, end - sum.seconds, end,
                 static_cast<qint64>(sum.edgeBytes())});
        }
    }

    const CostModel &m_model;
    const Plan &m_plan;
    const Placement m_placement;
    const PlanSteps &m_steps;
    const SimulatedTimes &m_times;
    std::vector<ScheduledTask> m_tasks;
};

}  // namespace

std::vector<ScheduledTask> scheduleOf(const CostModel &model, const Plan &plan, const PlanSteps &steps,
                                      const SimulatedTimes &times) {
    return Lanes(model, plan, steps, times).all();
}

}  // namespace hearth
