// `alpa`: Alpa's inter-operator pass over uniform devices, each stage data parallel inside.
#include <cmath>

#include "core/base/at.h"
#include "core/plan/planners/tools.h"
#include "core/plan/planners/uniform_home.h"

namespace hearth {
namespace {

/// Steps of the search over all micro-batch sizes together, if each asks for a few dozen limits of the slowest stage;
/// with more layers only the cheapest cuts are considered.
constexpr double mostAlpaSteps = 6e8;
constexpr int mostAlpaStages = 32;  // where memory makes depths differ

/// Minimizes sum of t_i + (M-1) max t_i for one micro-batch size. As in the paper, a limit t_max is fixed and the sum
/// is minimized by F(s, k, d; t_max) over stages to the end, first part and devices. The limits need not be tried one
/// by one: no limit at all gives the least sum, then each next limit lies just under the slowest stage of the last
/// answer, until the sum alone reaches the best objective seen.
class AlpaSearch {
  public:
    AlpaSearch(const CostModel &model, UniformHome &home, const std::vector<int> &cuts, int microBatch)
        : m_model(model),
          m_home(home),
          m_cuts(cuts),
          m_sizes(groupSizes(model.deviceCount())),
          m_microBatch(microBatch),
          m_microBatches(model.problem().batch / microBatch),
          m_parts(static_cast<int>(cuts.size()) - 1),
          m_devices(model.deviceCount()),
          m_deepest(std::min(m_parts, m_devices)) {
        tabulate();
    }

    UniformAnswer solve(const PlannerOptions &options) {
        UniformAnswer best;
        double limit = std::numeric_limits<double>::infinity();
        int devices = 0;  // all, or as many as the micro-batch can be shared by
        for (;;) {
            minimizeSum(limit);
            if (devices == 0)
                devices = mostDevices();
            const auto [sum, depth] = least(devices);
            // max t_i is at least the mean.
            if (!std::isfinite(sum) || sum * (1 + (m_microBatches - 1.0) / m_deepest) >= best.seconds)
                return best;
            double slowest = 0;
            std::vector<UniformStage> stages = collect(devices, depth, &slowest);
            const double objective = sum + (m_microBatches - 1) * slowest;
            if (objective < best.seconds)
                best = {objective, std::move(stages)};
            if (options.stopped())
                return best;
            limit = slowest;
        }
    }

  private:
    struct Stage {
        double seconds = std::numeric_limits<double>::infinity();
        int deepest = 0;  // the most stages to the end, this one included, with which its memory suffices
    };
    struct Best {
        double sum = std::numeric_limits<double>::infinity();
        int next = 0;
        std::size_t size = 0;
    };

    Stage &stage(int first, int last, std::size_t size) {
        return m_stages[(at(first) * at(m_parts + 1) + at(last)) * m_sizes.size() + size];
    }
    /// F of `depth` stages; a single table where memory never tells depths apart.
    Best *row(int depth, int first) {
        const int table = m_layered ? depth : 0;
        return m_best.data() + (at(table) * at(m_parts + 1) + at(first)) * at(m_devices + 1);
    }

    /// t(k..i, m) and how deep in the pipeline its memory lets it be: mem_stage + s · mem_act, s micro-batches in
    /// flight. The gradients of a group are brought together once a round, so each micro-batch bears an M-th of that.
    void tabulate() {
        m_stages.assign(at(m_parts) * at(m_parts + 1) * m_sizes.size(), {});
        for (int first = 0; first < m_parts; ++first) {
            for (int last = first + 1; last <= m_parts; ++last) {
                const int firstLayer = m_cuts[at(first)], lastLayer = m_cuts[at(last)];
                const int most = m_home.mostMembers(firstLayer, lastLayer, m_microBatch);
                for (std::size_t size = 0; size < m_sizes.size() && m_sizes[size] <= most; ++size) {
                    const int share = evenShare(m_sizes[size], m_microBatch);
                    Stage &own = stage(first, last, size);
                    own.seconds = m_home.sums(share).seconds(firstLayer, lastLayer) +
                                  m_home.allReduceSeconds(firstLayer, lastLayer, m_sizes[size]) / m_microBatches;
                    own.deepest = m_deepest;
                    while (own.deepest > 0 && m_model.memory().stageBytes({firstLayer, lastLayer, share,
                                                                           std::min(own.deepest, m_microBatches),
                                                                           false}) > m_home.memoryBytes())
                        --own.deepest;
                    m_layered = m_layered || own.deepest < m_deepest;
                }
            }
        }
        if (m_layered)
            m_deepest = std::min(m_deepest, mostAlpaStages);
        m_best.resize((m_layered ? at(m_deepest + 1) : 1) * at(m_parts + 1) * at(m_devices + 1));
    }

    /// Only stages faster than `limit`.
    void minimizeSum(double limit) {
        std::fill(m_best.begin(), m_best.end(), Best{});
        row(0, m_parts)[0].sum = 0;
        for (int depth = 1; depth <= (m_layered ? m_deepest : 1); ++depth) {
            for (int first = m_parts - 1; first >= 0; --first) {
                for (int last = first + 1; last <= m_parts; ++last)
                    extend(depth, first, last, limit);
            }
        }
    }

    void extend(int depth, int first, int last, double limit) {
        const Best *behind = row(depth - 1, last);
        Best *own = row(depth, first);
        for (std::size_t size = 0; size < m_sizes.size(); ++size) {
            const Stage &here = stage(first, last, size);
            if (here.seconds >= limit || here.deepest < depth)
                continue;
            for (int devices = m_sizes[size]; devices <= m_devices; ++devices) {
                const double sum = here.seconds + behind[devices - m_sizes[size]].sum;
                if (sum < own[devices].sum)
                    own[devices] = {sum, last, size};
            }
        }
    }

    std::pair<double, int> least(int devices) {
        std::pair<double, int> best{std::numeric_limits<double>::infinity(), 0};
        for (int depth = 1; depth <= (m_layered ? m_deepest : 1); ++depth) {
            if (row(depth, 0)[devices].sum < best.first)
                best = {row(depth, 0)[devices].sum, depth};
        }
        return best;
    }

    int mostDevices() {
        int devices = m_devices;
        while (devices > 0 && !std::isfinite(least(devices).first))
            --devices;
        return devices;
    }

    std::vector<UniformStage> collect(int devices, int depth, double *slowest) {
        std::vector<UniformStage> stages;
        for (int first = 0; first < m_parts; --depth) {
            const Best &own = row(depth, first)[devices];
            *slowest = std::max(*slowest, stage(first, own.next, own.size).seconds);
            stages.push_back({m_cuts[at(first)], m_cuts[at(own.next)], m_sizes[own.size]});
            devices -= m_sizes[own.size];
            first = own.next;
        }
        return stages;
    }

    const CostModel &m_model;
    UniformHome &m_home;
    const std::vector<int> &m_cuts;
    std::vector<int> m_sizes;
    int m_microBatch, m_microBatches, m_parts, m_devices, m_deepest;
    bool m_layered = false;
    std::vector<Stage> m_stages;
    std::vector<Best> m_best;
};

/// Its objective is the round, so it chooses the micro-batch by it. Meshes are alike, so all devices have the mean
/// memory; tensor parallelism inside a stage is left out, the links of a home being far too slow for it.
class AlpaPlanner final : public Planner {
  public:
    QString name() const override { return QStringLiteral("alpa"); }
    PlannerSource source() const override {
        return {sentence("Alpa's inter-operator pass"), QStringLiteral("OSDI"), 2022};
    }

    Result<Plan> plan(const CostModel &model, const PlannerOptions &options) const override {
        const PlanningProblem &problem = model.problem();
        const double choices = static_cast<double>(microBatchChoices(problem).size());
        const double sizes = static_cast<double>(groupSizes(model.deviceCount()).size());
        const double depth = std::min(model.deviceCount(), mostAlpaStages);
        const std::vector<int> cuts =
            affordableCuts(model, 2 * mostAlpaSteps / (choices * depth * sizes * model.deviceCount()));
        UniformHome home(model);
        const auto plan = bestUniformPlan(problem, name(), InFlightRule::StagesToEnd, options, [&](int microBatch) {
            return AlpaSearch(model, home, cuts, microBatch).solve(options);
        });
        if (!plan)
            return noPlan(model);
        return *plan;
    }
};

}  // namespace

std::unique_ptr<Planner> makeAlpaPlanner() {
    return std::make_unique<AlpaPlanner>();
}

}  // namespace hearth
