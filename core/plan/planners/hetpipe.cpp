// `hetpipe`: HetPipe's virtual workers, pipelines side by side that bring their gradients together once a round.
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "core/base/at.h"
#include "core/plan/planners/chain.h"
#include "core/plan/planners/tools.h"
#include "core/plan/side_by_side.h"

namespace hearth {
namespace {

/// Stage costs that one plan may ask for in all; with more layers only the cheapest cuts are considered.
constexpr double mostHetPipeCosts = 2e8;
/// Up to here every assignment of devices to virtual workers is tried.
constexpr int mostEnumerated = 8;

using Devices = std::vector<int>;

/// A virtual worker planned: one device for each stage.
struct Worker {
    double slowest = std::numeric_limits<double>::infinity();  // stage, for one micro-batch
    double once = 0;                                           // one micro-batch through all stages and back
    std::vector<PlanStage> stages;
};

/// Plans virtual workers for one micro-batch size.
class Workers {
  public:
    Workers(const CostModel &model, const std::vector<int> &cuts, int microBatch, const PlannerOptions &options)
        : m_model(model), m_cuts(cuts), m_microBatch(microBatch), m_options(options) {}

    /// The cuts that make the slowest stage fastest where K_p = P - p micro-batches fit; infinite when none do. As in
    /// the search of Asteroid, devices follow each other by memory, the largest first.
    const Worker &of(Devices devices) {
        std::sort(devices.begin(), devices.end());
        const auto known = m_known.find(devices);
        return known != m_known.end() ? known->second : m_known[devices] = plan(devices);
    }

  private:
    Worker plan(Devices devices) const {
        std::stable_sort(devices.begin(), devices.end(), [&](int a, int b) {
            return m_model.memory().availableBytes(a) > m_model.memory().availableBytes(b);
        });
        const int parts = static_cast<int>(m_cuts.size()) - 1;
        devices.resize(std::min(devices.size(), at(parts)));
        const auto cost = [&](int stage, int first, int last) { return seconds(devices, stage, first, last); };
        auto ends = minimaxChain(parts, static_cast<int>(devices.size()), cost, m_options);
        Worker worker;
        if (!ends)
            return worker;
        worker.slowest = 0;
        int first = 0;
        for (std::size_t p = 0; p < ends->size(); ++p) {
            const double own = seconds(devices, static_cast<int>(p), first, (*ends)[p]);
            worker.slowest = std::max(worker.slowest, own);
            worker.once += own;
            first = (*ends)[p];
            (*ends)[p] = m_cuts[at(first)];
        }
        worker.stages = chainStages(m_model.problem(), *ends, devices, m_microBatch);
        return worker;
    }

    /// Computing, and taking in the activations of the stage before and the gradients of the one behind.
    double seconds(const Devices &devices, int stage, int firstPart, int lastPart) const {
        const int first = m_cuts[at(firstPart)], last = m_cuts[at(lastPart)];
        const int stages = static_cast<int>(devices.size());
        const int device = devices[at(stage)];
        const int inFlight = std::min(stages - stage, m_model.problem().batch / m_microBatch);
        if (!m_model.memory().fits(device, {first, last, m_microBatch, inFlight, false}))
            return std::numeric_limits<double>::infinity();
        const LayerSeconds own = m_model.stageSeconds(device, first, last, m_microBatch);
        double all = own.forward + own.backward;
        const auto arrives = [&](int from, const CutTraffic::Way &way) {
            return sampleSeconds(m_model, from, device, m_model.sent(way, from, device), m_microBatch);
        };
        if (stage > 0)
            all += arrives(devices[at(stage - 1)], m_model.traffic(first).forward);
        if (stage + 1 < stages)
            all += arrives(devices[at(stage + 1)], m_model.traffic(last).backward);
        return all;
    }

    const CostModel &m_model;
    const std::vector<int> &m_cuts;
    int m_microBatch;
    const PlannerOptions &m_options;
    std::map<Devices, Worker> m_known;
};

/// All ways to put eight devices or fewer into equal groups, as bit sets; the lowest device left leads each group.
void enumerate(unsigned left, int size, std::vector<unsigned> &groups, std::vector<std::vector<unsigned>> &all) {
    if (left == 0) {
        all.push_back(groups);
        return;
    }
    const unsigned lowest = left & (~left + 1);
    for (unsigned group = left; group != 0; group = (group - 1) & left) {
        if ((group & lowest) == 0 || std::popcount(group) != size)
            continue;
        groups.push_back(group);
        enumerate(left & ~group, size, groups, all);
        groups.pop_back();
    }
}

/// Assignments of all devices to `count` virtual workers of equal size.
std::vector<std::vector<Devices>> assignments(const CostModel &model, int count) {
    const int devices = model.deviceCount();
    const int size = devices / count;
    std::vector<std::vector<Devices>> all;
    if (devices <= mostEnumerated) {
        std::vector<unsigned> groups;
        std::vector<std::vector<unsigned>> sets;
        enumerate((1u << devices) - 1, size, groups, sets);
        for (const auto &each : sets) {
            all.emplace_back();
            for (const unsigned group : each) {
                all.back().emplace_back();
                for (int device = 0; device < devices; ++device) {
                    if (group >> device & 1)
                        all.back().back().push_back(device);
                }
            }
        }
        return all;
    }
    // Too many to try: the paper's equal distribution, where each worker gets devices of every speed, and its node
    // partition, where each gets devices alike.
    Devices order = devicesInOrder(model);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return model.wholeSeconds(a) < model.wholeSeconds(b); });
    all.assign(count > 1 && size > 1 ? 2 : 1, std::vector<Devices>(at(count)));
    for (int i = 0; i < devices; ++i) {
        const int lap = i / count, place = i % count;
        all.front()[at(lap % 2 == 0 ? place : count - 1 - place)].push_back(order[at(i)]);
        if (all.size() > 1)
            all.back()[at(i / size)].push_back(order[at(i)]);
    }
    return all;
}

/// Micro-batches of a round for each worker, in proportion to its speed, one or more.
std::vector<int> dealOut(const std::vector<const Worker *> &workers, int microBatches) {
    double speed = 0;
    for (const Worker *worker : workers)
        speed += 1 / std::max(worker->slowest, 1e-12);
    std::vector<int> dealt(workers.size(), 1);
    // One by one to whom most is still due.
    for (int left = microBatches - static_cast<int>(workers.size()); left > 0; --left) {
        std::size_t neediest = 0;
        double most = -std::numeric_limits<double>::infinity();
        for (std::size_t v = 0; v < workers.size(); ++v) {
            const double due = microBatches / (speed * std::max(workers[v]->slowest, 1e-12)) - dealt[v];
            if (due > most) {
                most = due;
                neediest = v;
            }
        }
        ++dealt[neediest];
    }
    return dealt;
}

/// The plan of one assignment and what the planner expects of it: the slowest pipeline at its slowest stage's pace,
/// then the exchange of the whole model. Nothing when a worker cannot hold the model or the batch is too small for them
/// all.
std::optional<std::pair<Plan, double>> planned(const CostModel &model, Workers &plans, Plan plan,
                                               const std::vector<Devices> &assignment) {
    std::vector<const Worker *> workers;
    for (const Devices &devices : assignment) {
        workers.push_back(&plans.of(devices));
        if (!std::isfinite(workers.back()->slowest))
            return std::nullopt;
    }
    if (plan.microBatches() < static_cast<int>(workers.size()))
        return std::nullopt;
    const std::vector<int> dealt = dealOut(workers, plan.microBatches());
    double seconds = 0;
    for (std::size_t v = 0; v < workers.size(); ++v) {
        seconds = std::max(seconds, workers[v]->once + (dealt[v] - 1) * workers[v]->slowest);
        Plan::Pipeline pipeline{dealt[v] * plan.microBatch, workers[v]->stages};
        for (PlanStage &stage : pipeline.stages)
            stage.inFlight = std::min(stage.inFlight, dealt[v]);
        plan.pipelines.push_back(std::move(pipeline));
    }
    seconds += synchronizationOf(model, plan.sideBySide()).seconds;
    return std::pair(std::move(plan), seconds);
}

/// Numbers of virtual workers and micro-batch sizes are given in the paper: the common simulator chooses between them.
/// Which devices make a worker is chosen by the planner's own expectation; as in the paper all workers have equally
/// many, so a prime number of devices makes one worker or as many. Waves are rounds, staleness is none (D = 0).
class HetpipePlanner final : public Planner {
  public:
    QString name() const override { return QStringLiteral("hetpipe"); }
    PlannerSource source() const override { return {QStringLiteral("HetPipe"), QStringLiteral("USENIX ATC"), 2020}; }

    Result<Plan> plan(const CostModel &model, const PlannerOptions &options) const override {
        const PlanningProblem &problem = model.problem();
        const std::vector<int> sizes = microBatchChoices(problem);
        std::vector<std::vector<Devices>> tries;
        std::vector<std::pair<std::size_t, std::size_t>> ofCount;  // ranges of tries with the same number of workers
        double chains = 0;                                         // devices in distinct workers, roughly
        for (int count = 1; count <= model.deviceCount(); ++count) {
            if (model.deviceCount() % count != 0)
                continue;
            const auto each = assignments(model, count);
            ofCount.push_back({tries.size(), tries.size() + each.size()});
            chains += std::min<double>(static_cast<double>(each.size()), 70) * model.deviceCount();
            tries.insert(tries.end(), each.begin(), each.end());
        }
        const std::vector<int> cuts =
            affordableCuts(model, mostHetPipeCosts / (chains * static_cast<double>(sizes.size())));
        BestPlan best(model);
        for (const int microBatch : sizes) {
            if (microBatch < model.memory().minimumSamples(0, model.layerCount()))
                continue;
            if (options.isOver(best.any()))
                break;
            Workers workers(model, cuts, microBatch, options);
            for (const auto &[from, to] : ofCount) {
                if (options.isOver(best.any()))
                    break;
                std::optional<std::pair<Plan, double>> chosen;
                for (std::size_t i = from; i < to; ++i) {
                    auto own = planned(model, workers, planFor(problem, name(), microBatch), tries[i]);
                    if (own && (!chosen || own->second < chosen->second))
                        chosen = std::move(own);
                }
                if (chosen)
                    best.offer(std::move(chosen->first));
            }
        }
        if (best.any())
            return best.take();
        if (best.unreachable())
            return *best.unreachable();
        return noPlan(model);
    }
};

}  // namespace

std::unique_ptr<Planner> makeHetpipePlanner() {
    return std::make_unique<HetpipePlanner>();
}

}  // namespace hearth
