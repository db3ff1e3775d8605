#include "core/plan/planners/interleaved.h"

#include <algorithm>
#include <cmath>

#include "core/base/at.h"
#include "core/plan/plan_memory.h"
#include "core/plan/planners/chain.h"
#include "core/plan/planners/tools.h"
#include "core/plan/play/round_player.h"
#include "core/plan/seconds.h"

namespace hearth {
namespace {

constexpr int mostInterleavedDevices = 8;
constexpr int mostRuns = 3;           // stages of each device
constexpr int mostMicroBatches = 32;  // with more there is little left to fill and drain
constexpr double mostCutPairs = 20'000;
constexpr qint64 mostTasks = 4'000'000;  // played in all: a second or two

class Interleaver {
  public:
    Interleaver(const CostModel &model, std::vector<int> devices, int leastMicroBatch, const PlannerOptions &options)
        : m_model(model),
          m_devices(std::move(devices)),
          m_leastMicroBatch(leastMicroBatch),
          m_options(options),
          m_cuts(affordableCuts(model, mostCutPairs)) {}

    /// Nothing where none fits.
    std::optional<Placement> best() {
        for (int runs = 2; runs <= mostRuns; ++runs) {
            for (const int microBatch : microBatchChoices(m_model.problem())) {
                if (microBatch >= m_leastMicroBatch && m_model.problem().batch / microBatch <= mostMicroBatches)
                    offer(balanced(runs, microBatch));
            }
        }
        if (m_best)
            climb();
        return m_best;
    }

  private:
    int deviceOf(int stage) const { return m_devices[at(stage) % m_devices.size()]; }
    bool isOver() const { return m_tasks > mostTasks || m_options.stopped(); }

    /// Stages that take alike.
    std::optional<Placement> balanced(int runs, int microBatch) const {
        const int parts = static_cast<int>(m_cuts.size()) - 1, stages = runs * static_cast<int>(m_devices.size());
        if (parts < stages)
            return std::nullopt;
        const auto cost = [&](int stage, int first, int last) {
            const int from = m_cuts[at(first)], to = m_cuts[at(last)];
            if (m_model.memory().minimumSamples(from, to) > microBatch)
                return never;
            const LayerSeconds own = m_model.stageSeconds(deviceOf(stage), from, to, microBatch);
            return own.forward + own.backward;
        };
        const auto ends = minimaxChain(parts, stages, cost, m_options);
        if (!ends)
            return std::nullopt;
        Placement placement{microBatch, Schedule::ZeroBubble, {}};
        int first = 0;
        for (int s = 0; s < stages; ++s) {
            const int last = m_cuts[at((*ends)[at(s)])];
            placement.stages.push_back({first, last, {{deviceOf(s), microBatch}}, 1, false, {}});
            first = last;
        }
        return placement;
    }

    bool fits(const Placement &placement) const {
        const int microBatches = m_model.problem().batch / placement.microBatch;
        for (const int device : m_devices) {
            double bytes = 0;
            for (const StagePlacement &stage : placement.stages) {
                if (stage.group.front().device != device)
                    continue;
                const StagePlace place{stage.firstLayer, stage.lastLayer, placement.microBatch,
                                       placement.schedule.mostInFlight(stage.inFlight, microBatches), false};
                bytes += bytes > 0 ? m_model.memory().stageBytes(place) : m_model.memory().deviceBytes(device, place);
            }
            if (bytes > m_model.memory().availableBytes(device))
                return false;
        }
        return true;
    }

    double secondsOf(const Placement &placement) {
        RoundPlayer player(m_model);
        const int microBatches = m_model.problem().batch / placement.microBatch;
        player.add(placement, microBatches);
        m_tasks += player.taskCount();
        return std::max(player.play(), stepsOf(m_model, placement).leastSeconds());
    }

    /// Under the schedule and the limits that suit it best.
    void offer(std::optional<Placement> placement) {
        if (!placement || isOver())
            return;
        const int count = static_cast<int>(placement->stages.size());
        const int microBatches = m_model.problem().batch / placement->microBatch;
        for (const Schedule schedule :
             {Schedule::OneForwardOneBackward, Schedule::ZeroBubble, Schedule::ZeroBubbleEager}) {
            placement->schedule = schedule;
            for (const auto rule :
                 {InFlightRule::StagesToEnd, InFlightRule::Early, InFlightRule::Deep, InFlightRule::All}) {
                for (int s = 0; s < count; ++s)
                    placement->stages[at(s)].inFlight = inFlightLimit(rule, count - s, microBatches);
                if (fits(*placement))
                    keep(*placement);
            }
        }
    }

    bool keep(const Placement &placement) {
        const double seconds = secondsOf(placement);
        if (!(seconds < m_seconds * worthwhile))
            return false;
        m_seconds = seconds;
        m_best = placement;
        return true;
    }

    /// Moves borders of the best one, ever less far, while that helps.
    void climb() {
        for (int width = 4; width >= 1; width /= 2) {
            for (bool moved = true; moved && !isOver();) {
                moved = false;
                for (std::size_t border = 1; border < m_best->stages.size(); ++border)
                    moved = shift(border, width) || shift(border, -width) || moved;
            }
        }
        offer(m_best);
    }

    bool shift(std::size_t border, int by) {
        Placement placement = *m_best;
        StagePlacement &before = placement.stages[border - 1], &after = placement.stages[border];
        const auto place = std::ranges::lower_bound(m_cuts, after.firstLayer) - m_cuts.begin() + by;
        if (place < 0 || place >= static_cast<std::ptrdiff_t>(m_cuts.size()))
            return false;
        const int layer = m_cuts[static_cast<std::size_t>(place)];
        if (layer <= before.firstLayer || layer >= after.lastLayer)
            return false;
        before.lastLayer = after.firstLayer = layer;
        const MemoryModel &memory = m_model.memory();
        const int least =
            std::max(memory.minimumSamples(before.firstLayer, layer), memory.minimumSamples(layer, after.lastLayer));
        return least <= placement.microBatch && !isOver() && fits(placement) && keep(placement);
    }

    const CostModel &m_model;
    const std::vector<int> m_devices;
    const int m_leastMicroBatch;
    const PlannerOptions &m_options;
    const std::vector<int> m_cuts;
    std::optional<Placement> m_best;
    double m_seconds = never;
    qint64 m_tasks = 0;
};

/// In the order of their stages.
std::vector<int> devicesOf(const CostModel &model, const Plan &plan) {
    std::vector<int> devices;
    for (const PlanStage &stage : plan.stages) {
        for (const Share &share : stage.shares) {
            const int device = model.indexOf(share.device);
            if (std::ranges::find(devices, device) == devices.end())
                devices.push_back(device);
        }
    }
    return devices;
}

bool canReachEachOther(const CostModel &model, const std::vector<int> &devices) {
    for (const int from : devices) {
        for (const int to : devices) {
            if (from != to && model.links().bytesPerSecond(from, to) <= 0)
                return false;
        }
    }
    return true;
}

}  // namespace

std::optional<Plan> interleavedPlan(const CostModel &model, const Plan &plan, const PlannerOptions &options) {
    const PlanningProblem &problem = model.problem();
    std::vector<int> devices = devicesOf(model, plan);
    if (problem.asynchronous || problem.localSteps.any() || !problem.levels.empty() || devices.size() < 2 ||
        devices.size() > mostInterleavedDevices || !canReachEachOther(model, devices))
        return std::nullopt;
    const auto best = Interleaver(model, std::move(devices), plan.microBatch, options).best();
    if (!best)
        return std::nullopt;
    Plan found = planOf(problem, plan.planner, *best);
    return found.validateFor(problem) ? std::optional(std::move(found)) : std::nullopt;
}

Plan withInterleaving(const CostModel &model, Plan plan, const PlannerOptions &options) {
    if (!plan.pipelines.empty() || plan.stages.size() < 2)
        return plan;
    auto other = interleavedPlan(model, plan, options);
    if (!other)
        return plan;
    const auto plain = evaluate(model, plan), interleaved = evaluate(model, *other);
    const bool pays = plain && interleaved && fitsWholly(model, plan) && fitsWholly(model, *other) &&
                      interleaved->roundSeconds < (1 - interleavingGain) * plain->roundSeconds;
    return pays ? *std::move(other) : plan;
}

}  // namespace hearth
