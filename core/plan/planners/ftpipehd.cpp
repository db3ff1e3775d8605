// `ftpipehd`: a chain of all devices in their order, cut by measured capacities and link rates.
#include "core/base/at.h"
#include "core/plan/planners/chain.h"
#include "core/plan/planners/tools.h"

namespace hearth {
namespace {

/// The first neighbors of the chain that cannot reach each other end all chains.
tl::unexpected<Error> brokenChain(const CostModel &model, int stages) {
    for (int p = 1; p < stages; ++p) {
        for (const auto &[from, to] : {std::pair(p - 1, p), std::pair(p, p - 1)}) {
            if (model.links().bytesPerSecond(from, to) > 0)
                continue;
            const auto &devices = model.problem().devices;
            return fail(QStringLiteral("plan.unreachable"),
                        sentence("No chain of the devices in their order can run over these links."),
                        sentence("%1 cannot reach %2.").arg(devices[at(from)].id, devices[at(to)].id),
                        sentence("List the devices in another order, or choose another planner."));
        }
    }
    return noShares(model);
}

/// D(j, n) = min over i of max(D(i, n-1), 2a_i / bw(n-1, n), C_n T_0(i+1..j)), C_n being the time of the whole model on
/// device n over that on device 0. The batch is given: the common simulator chooses it as the micro-batch.
class FtpipehdPlanner final : public Planner {
  public:
    QString name() const override { return QStringLiteral("ftpipehd"); }
    PlannerSource source() const override { return {QStringLiteral("FTPipeHD"), QStringLiteral("IEEE TMC"), 2024}; }

    Result<Plan> plan(const CostModel &model, const PlannerOptions &options) const override {
        const PlanningProblem &problem = model.problem();
        const std::vector<int> devices = devicesInOrder(model);
        const std::vector<int> cuts = chainCuts(model);
        const int stages = std::min(model.deviceCount(), static_cast<int>(cuts.size()) - 1);
        auto plan = bestMicroBatch(model, options, [&](int microBatch, BestPlan &best) {
            if (const auto ends = partition(model, cuts, stages, microBatch, options))
                best.offer(planOf(problem, name(), microBatch, chainStages(problem, *ends, devices, microBatch)));
        });
        if (!plan)
            return brokenChain(model, stages);
        return plan;
    }

  private:
    static std::optional<std::vector<int>> partition(const CostModel &model, const std::vector<int> &cuts, int stages,
                                                     int microBatch, const PlannerOptions &options) {
        const int layers = model.layerCount();
        const auto seconds = [&](int device, int first, int last) {
            const LayerSeconds own = model.stageSeconds(device, first, last, microBatch);
            return own.forward + own.backward;
        };
        const double central = seconds(0, 0, layers);
        std::vector<double> capacity;  // C_n; larger is slower
        for (int device = 0; device < stages; ++device)
            capacity.push_back(central > 0 ? seconds(device, 0, layers) / central : 1);
        const auto cost = [&](int stage, int first, int last) {
            const double own = capacity[at(stage)] * seconds(0, cuts[at(first)], cuts[at(last)]);
            return stage == 0 ? own : std::max(own, crossing(model, stage, cuts[at(first)], microBatch));
        };
        auto ends = minimaxChain(static_cast<int>(cuts.size()) - 1, stages, cost, options);
        for (std::size_t p = 0; ends && p < ends->size(); ++p)
            (*ends)[p] = cuts[at((*ends)[p])];
        return ends;
    }

    /// 2a / bw: activations to the stage and their gradients back.
    static double crossing(const CostModel &model, int stage, int layer, int microBatch) {
        const CutTraffic &cut = model.traffic(layer);
        return sampleSeconds(model, stage - 1, stage, model.sent(cut.forward, stage - 1, stage), microBatch) +
               sampleSeconds(model, stage, stage - 1, model.sent(cut.backward, stage, stage - 1), microBatch);
    }
};

}  // namespace

std::unique_ptr<Planner> makeFtpipehdPlanner() {
    return std::make_unique<FtpipehdPlanner>();
}

}  // namespace hearth
