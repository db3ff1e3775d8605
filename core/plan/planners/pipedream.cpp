// `pipedream`: the partition of PipeDream, whose slowest stage or transfer is as fast as can be on uniform devices.
#include <cmath>

#include "core/base/at.h"
#include "core/plan/planners/tools.h"
#include "core/plan/planners/uniform_home.h"

namespace hearth {
namespace {

/// Steps of the search over all micro-batch sizes together; with more layers only the cheapest cuts are considered.
constexpr double mostPipeDreamSteps = 1.5e9;

/// A(j, m) of the paper: the first j parts on m machines, exactly.
class Partition {
  public:
    Partition(const CostModel &model, UniformHome &home, const std::vector<int> &cuts, int microBatch,
              const PlannerOptions &options)
        : m_home(home),
          m_options(options),
          m_cuts(cuts),
          m_sizes(groupSizes(model.deviceCount())),
          m_microBatch(microBatch),
          m_parts(static_cast<int>(cuts.size()) - 1),
          m_devices(model.deviceCount()),
          m_table(at(m_parts + 1) * at(m_devices + 1)) {}

    /// The stages on all machines, or on as many as the micro-batch can be shared by; none when no layer takes it, or
    /// nobody waits for them.
    std::vector<UniformStage> solve() {
        row(0)[0].slowest = 0;
        for (int last = 1; last <= m_parts; ++last) {
            if (m_options.isAbandoned())
                return {};
            for (int first = 0; first < last; ++first)
                extend(first, last);
        }
        int machines = m_devices;
        while (machines > 0 && !std::isfinite(row(m_parts)[machines].slowest))
            --machines;
        std::vector<UniformStage> stages;
        for (int last = m_parts; machines > 0 && last > 0;) {
            const Best &own = row(last)[machines];
            stages.insert(stages.begin(), {m_cuts[at(own.first)], m_cuts[at(last)], own.members});
            machines -= own.members;
            last = own.first;
        }
        return stages;
    }

  private:
    struct Best {
        double slowest = std::numeric_limits<double>::infinity();
        int first = 0;    // of the last stage
        int members = 0;  // likewise
    };
    Best *row(int part) { return m_table.data() + at(part) * at(m_devices + 1); }

    /// Considers [first, last) as the last stage of the first `last` parts.
    void extend(int first, int last) {
        const int firstLayer = m_cuts[at(first)], lastLayer = m_cuts[at(last)];
        const int most = m_home.mostMembers(firstLayer, lastLayer, m_microBatch);
        const double compute = m_home.sums(m_microBatch).seconds(firstLayer, lastLayer);
        const double crossing = first == 0 ? 0
                                           : m_home.secondsOf(m_home.outputBytes(firstLayer, m_microBatch) +
                                                              m_home.gradientBytes(firstLayer, m_microBatch));
        const Best *before = row(first);
        Best *own = row(last);
        for (const int members : m_sizes) {
            if (members > most)
                break;
            // T(i..j, m), and the transfer 2a / (bw m) into it. A lone machine has nothing to synchronize.
            const double synchronizing = 2 * m_home.allReduceSeconds(firstLayer, lastLayer, members);
            const double slower = std::max((compute + synchronizing) / members, crossing / members);
            for (int machines = members; machines <= m_devices; ++machines) {
                const double slowest = std::max(before[machines - members].slowest, slower);
                if (slowest < own[machines].slowest)
                    own[machines] = {slowest, first, members};
            }
        }
    }

    UniformHome &m_home;
    const PlannerOptions &m_options;
    const std::vector<int> &m_cuts;
    std::vector<int> m_sizes;
    int m_microBatch, m_parts, m_devices;
    std::vector<Best> m_table;
};

/// The paper profiles and partitions for one given minibatch: the common simulator chooses it as the micro-batch. Its
/// asynchronous weight versions are left out: all plans are judged with a flush for each mini-batch.
class PipedreamPlanner final : public Planner {
  public:
    QString name() const override { return QStringLiteral("pipedream"); }
    PlannerSource source() const override { return {QStringLiteral("PipeDream"), QStringLiteral("SOSP"), 2019}; }

    Result<Plan> plan(const CostModel &model, const PlannerOptions &options) const override {
        const PlanningProblem &problem = model.problem();
        const double choices = static_cast<double>(microBatchChoices(problem).size());
        const double sizes = static_cast<double>(groupSizes(model.deviceCount()).size());
        const std::vector<int> cuts =
            affordableCuts(model, 2 * mostPipeDreamSteps / (choices * sizes * model.deviceCount()));
        UniformHome home(model);
        return bestMicroBatch(model, options, [&](int microBatch, BestPlan &best) {
            const auto stages = Partition(model, home, cuts, microBatch, options).solve();
            if (!stages.empty())
                best.offer(uniformPlan(problem, name(), microBatch, stages, InFlightRule::StagesToEnd));
        });
    }
};

}  // namespace

std::unique_ptr<Planner> makePipedreamPlanner() {
    return std::make_unique<PipedreamPlanner>();
}

}  // namespace hearth
