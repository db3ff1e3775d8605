// `asteroid`: Algorithm 2 of Asteroid over Algorithm 1, its stages in memory order.
#include <cmath>
#include <deque>

#include "core/base/at.h"
#include "core/plan/allocation.h"
#include "core/plan/planners/tools.h"

namespace hearth {
namespace {

/// Groups of consecutive layers × ranges of devices that one micro-batch size may ask Algorithm 1 about. Beyond it
/// layers are only cut at the cheapest places, so that planning stays within seconds for any home.
constexpr double mostAllocations = 60'000;
constexpr int mostAsteroidStages = 16;
constexpr int mostPrefixes = 16;

/// Devices by memory, the largest first: the first stage holds most micro-batches. Equals: the faster first.
std::vector<int> memoryOrder(const CostModel &model) {
    std::vector<int> order = devicesInOrder(model);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        const double left = model.memory().availableBytes(a), right = model.memory().availableBytes(b);
        return left != right ? left > right : model.wholeSeconds(a) < model.wholeSeconds(b);
    });
    return order;
}

/// The search for one micro-batch size. Positions are indexes of cut points, device ranges indexes of the order.
class AsteroidSearch {
  public:
    AsteroidSearch(const CostModel &model, const std::vector<int> &order, const std::vector<int> &cuts, int microBatch)
        : m_model(model),
          m_order(order),
          m_cuts(cuts),
          m_microBatch(microBatch),
          m_microBatches(model.problem().batch / microBatch),
          m_parts(static_cast<int>(cuts.size()) - 1),
          m_devices(static_cast<int>(order.size())),
          m_stages(std::min({m_parts, m_devices, mostAsteroidStages})),
          m_uniform(model.links().uniform()) {
        m_table.resize(at(m_parts * (m_parts + 1) / 2) * at(m_devices * (m_devices + 1) / 2) * at(m_stages));
        m_best.resize(at(m_parts + 1) * at(m_devices + 1) * at(m_stages + 1));
    }

    /// Offers the best plan of every number of stages on the first `devices` of the order; of those numbers that were
    /// reached, when it is stopped.
    void run(int devices, const QString &planner, const PlannerOptions &options, BestPlan &best) {
        m_prefix = devices;
        const int deepest = std::min(m_stages, devices);
        std::fill(m_best.begin(), m_best.end(), Suffix{});
        bool stopped = false;
        for (int p = 1; p <= deepest && !stopped; ++p) {
            for (int l = p; l <= m_parts && !stopped; ++l) {
                for (int n = p; n <= devices; ++n)
                    solve(l, n, p);
                stopped = options.isOver(best.any());
            }
        }
        for (int p = 1; p <= deepest; ++p) {
            if (suffix(m_parts, devices, p).cell)
                best.offer(build(p, planner));
        }
    }

  private:
    struct Cell {  // Algorithm 1's answer for layers × devices × stages to the end
        bool feasible = false;
        int largestShare = 0;
        StepTimes execution;
        Group group;
    };
    struct Suffix {  // Q(l,n,p)
        SuffixLatency latency{std::numeric_limits<double>::infinity(), 0};
        const Cell *cell = nullptr;  // of its first stage
        int parts = 0, devices = 0;  // of the suffix behind the first stage
    };

    Suffix &suffix(int l, int n, int p) {
        return m_best[(at(p) * at(m_parts + 1) + at(l)) * at(m_devices + 1) + at(n)];
    }
    int inFlight(int p) const { return std::min(2 * p - 1, m_microBatches); }

    const Cell &cell(int firstPart, int lastPart, int firstDevice, int lastDevice, int p) {
        const auto triangle = [](int first, int last) { return at(last * (last - 1) / 2 + first); };
        const std::size_t index =
            (triangle(firstPart, lastPart) * at(m_devices * (m_devices + 1) / 2) + triangle(firstDevice, lastDevice)) *
                at(m_stages) +
            at(p - 1);
        const Cell *&known = m_table[index];
        if (known)
            return *known;
        const int first = m_cuts[at(firstPart)], last = m_cuts[at(lastPart)];
        const std::span<const int> devices(m_order.data() + firstDevice, at(lastDevice - firstDevice));
        // The in-flight limit only matters to Algorithm 1 where memory binds.
        const auto holdsAll = [&](int device) {
            return m_model.memory().fits(device, {first, last, m_microBatch, inFlight(p), false});
        };
        if (p > 1 && std::all_of(devices.begin(), devices.end(), holdsAll)) {
            known = &cell(firstPart, lastPart, firstDevice, lastDevice, 1);
            return *known;
        }
        Cell &own = m_cells.emplace_back();
        known = &own;
        auto group = allocate(m_model, {first, last, devices, m_microBatch, inFlight(p), AllocationRule::Paper});
        if (group) {
            own.execution = m_model.execution(first, last, *group);
            own.group = std::move(*group);
            for (const MemberShare &member : own.group)
                own.largestShare = std::max(own.largestShare, member.samples);
            own.feasible = std::isfinite(own.execution.allReduce);
        }
        return own;
    }

    void solve(int l, int n, int p) {
        Suffix best;
        const int firstPart = m_parts - l, firstDevice = m_prefix - n;
        if (p == 1) {
            const Cell &only = cell(firstPart, m_parts, firstDevice, m_prefix, 1);
            if (only.feasible)
                best = {SuffixLatency::last(only.execution, m_microBatches), &only, 0, 0};
        }
        for (int rest = p - 1; p > 1 && rest < l; ++rest) {
            for (int devices = p - 1; devices < n; ++devices) {
                const Suffix &behind = suffix(rest, devices, p - 1);
                // A step in front never shortens what is behind it.
                if (!behind.cell || behind.latency.latency() >= best.latency.latency())
                    continue;
                const Cell &head = cell(firstPart, m_parts - rest, firstDevice, m_prefix - devices, p);
                if (!head.feasible)
                    continue;
                const double once = head.execution.forward + head.execution.backward;
                if (std::max(m_microBatches * head.execution.occupied, once + behind.latency.a) >=
                    best.latency.latency())
                    continue;
                const int layer = m_cuts[at(m_parts - rest)];
                const StepTimes cut =
                    m_uniform ? m_model.uniformTransfer(layer, std::max(head.largestShare, behind.cell->largestShare))
                              : m_model.transfer(layer, head.group, behind.cell->group);
                if (!std::isfinite(cut.occupied))
                    continue;
                const SuffixLatency latency =
                    behind.latency.prepended(cut, m_microBatches).prepended(head.execution, m_microBatches);
                if (latency.latency() < best.latency.latency())
                    best = {latency, &head, rest, devices};
            }
        }
        suffix(l, n, p) = best;
    }

    Plan build(int stages, const QString &planner) {
        const PlanningProblem &problem = m_model.problem();
        std::vector<PlanStage> result;
        int l = m_parts, n = m_prefix;
        for (int p = stages; p >= 1; --p) {
            const Suffix &own = suffix(l, n, p);
            const int rest = p > 1 ? own.parts : 0;
            result.push_back(
                stageOf(problem, m_cuts[at(m_parts - l)], m_cuts[at(m_parts - rest)], own.cell->group, inFlight(p)));
            l = own.parts;
            n = own.devices;
        }
        return planOf(problem, planner, m_microBatch, std::move(result));
    }

    const CostModel &m_model;
    const std::vector<int> &m_order;
    const std::vector<int> &m_cuts;
    int m_microBatch, m_microBatches, m_parts, m_devices, m_stages;
    bool m_uniform;
    int m_prefix = 0;
    std::deque<Cell> m_cells;           // stays in place as it grows
    std::vector<const Cell *> m_table;  // by layers, devices and stages to the end; null: not asked yet
    std::vector<Suffix> m_best;
};

class AsteroidPlanner final : public Planner {
  public:
    QString name() const override { return QStringLiteral("asteroid"); }
    PlannerSource source() const override { return {QStringLiteral("Asteroid"), QStringLiteral("MobiCom"), 2024}; }

    Result<Plan> plan(const CostModel &model, const PlannerOptions &options) const override {
        const std::vector<int> order = memoryOrder(model);
        const int devices = model.deviceCount();
        const double ranges = 0.5 * devices * (devices + 1);
        const std::vector<int> cuts = affordableCuts(model, mostAllocations / ranges);
        BestPlan best(model);
        for (const int microBatch : microBatchChoices(model.problem())) {
            AsteroidSearch search(model, order, cuts, microBatch);
            int last = 0;
            for (int step = 1; step <= std::min(devices, mostPrefixes); ++step) {
                const int prefix = devices <= mostPrefixes ? step : devices * step / mostPrefixes;
                if (prefix == last)
                    continue;
                last = prefix;
                search.run(prefix, name(), options, best);
                if (options.isOver(best.any()))
                    break;
            }
            if (options.isOver(best.any()))
                break;
        }
        if (!best.any() || !best.fits())
            return noPlan(model);
        return best.take();
    }
};

}  // namespace

std::unique_ptr<Planner> makeAsteroidPlanner() {
    return std::make_unique<AsteroidPlanner>();
}

}  // namespace hearth
