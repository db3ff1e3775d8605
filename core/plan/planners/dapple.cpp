// `dapple`: DAPPLE's synchronous hybrid planner, which takes all devices for alike and memory for granted.
#include <cmath>

#include "core/base/at.h"
#include "core/plan/planners/tools.h"
#include "core/plan/planners/uniform_home.h"

namespace hearth {
namespace {

/// Steps of the search over all micro-batch sizes together; with more layers only the cheapest cuts are considered.
constexpr double mostDappleSteps = 2e8;
/// Beyond so many only one suffix of a kind is kept, the one that is fastest by itself, as Algorithm 2 of Asteroid
/// does.
constexpr double mostExactSteps = 1.5e7;

/// L = sum of F up to the pivot Q + (M-1)(F_Q + B_Q) + max of (AllReduce ± the backwards between), transfers being
/// stages of their own: that is the closed form of SuffixLatency with a transfer charged forward + backward. The search
/// goes from the last stage to the first and keeps all suffixes that may still win, so it finds the optimum of L
/// (`exact`). DAPPLE's placements (fresh, append and scatter first) differ in which machines' links a group uses; on
/// the flat network of a home they are one, so groups follow the order of the devices.
class DappleSearch {
  public:
    DappleSearch(const CostModel &model, UniformHome &home, const std::vector<int> &cuts, int microBatch, bool exact)
        : m_model(model),
          m_home(home),
          m_cuts(cuts),
          m_sizes(groupSizes(model.deviceCount())),
          m_exact(exact),
          m_microBatch(microBatch),
          m_microBatches(model.problem().batch / microBatch),
          m_parts(static_cast<int>(cuts.size()) - 1),
          m_devices(model.deviceCount()),
          m_table(at(m_parts) * at(m_devices + 1) * m_sizes.size()) {}

    /// On all devices, or on as many as the micro-batch can be shared by; nothing where nobody waits for it.
    UniformAnswer solve(const PlannerOptions &options) {
        for (int first = m_parts - 1; first >= 0; --first) {
            for (std::size_t size = 0; size < m_sizes.size(); ++size) {
                if (options.isAbandoned())
                    return {};
                lead(first, size);
            }
        }
        for (int devices = m_devices; devices > 0; --devices) {
            const UniformAnswer answer = best(devices);
            if (!answer.stages.empty())
                return answer;
        }
        return {};
    }

  private:
    struct Suffix {
        SuffixLatency latency;
        int next = 0;  // part at which the rest begins; m_parts: there is none
        std::size_t nextSize = 0, nextIndex = 0;
    };
    using Front = std::vector<Suffix>;  // none is worse than another in both A and G

    /// Suffixes from part `first` on `devices`, the first stage on m_sizes[size] of them.
    Front &front(int first, int devices, std::size_t size) {
        return m_table[(at(first) * at(m_devices + 1) + at(devices)) * m_sizes.size() + size];
    }

    void insert(Front &front, const Suffix &own) const {
        if (!m_exact && !front.empty()) {
            if (own.latency.latency() < front[0].latency.latency())
                front[0] = own;
            return;
        }
        for (const Suffix &other : front) {
            if (other.latency.a <= own.latency.a && other.latency.g <= own.latency.g)
                return;
        }
        std::erase_if(front, [&](const Suffix &other) {
            return own.latency.a <= other.latency.a && own.latency.g <= other.latency.g;
        });
        front.push_back(own);
    }

    StepTimes execution(int first, int last, int members) {
        const int firstLayer = m_cuts[at(first)], lastLayer = m_cuts[at(last)];
        const UniformHome::Sums &sums = m_home.sums(evenShare(members, m_microBatch));
        return StepTimes::execution(sums.forward[at(lastLayer)] - sums.forward[at(firstLayer)],
                                    sums.backward[at(lastLayer)] - sums.backward[at(firstLayer)],
                                    m_home.allReduceSeconds(firstLayer, lastLayer, members));
    }

    /// A transfer is bound by the device that has the largest share on either side.
    StepTimes transfer(int part, int members, int nextMembers) {
        const int layer = m_cuts[at(part)];
        const int share = evenShare(std::min(members, nextMembers), m_microBatch);
        return StepTimes::transfer(m_home.secondsOf(m_home.outputBytes(layer, share)),
                                   m_home.secondsOf(m_home.gradientBytes(layer, share)), Duplex::Half);
    }

    /// All suffixes whose first stage begins at `first` on m_sizes[size] devices.
    void lead(int first, std::size_t size) {
        const int members = m_sizes[size];
        for (int last = first + 1; last <= m_parts; ++last) {
            const int most = m_home.mostMembers(m_cuts[at(first)], m_cuts[at(last)], m_microBatch);
            if (members > most)
                break;  // more layers need no fewer samples
            const StepTimes own = execution(first, last, members);
            if (!std::isfinite(own.allReduce))
                break;
            if (last == m_parts) {
                insert(front(first, members, size), {SuffixLatency::last(own, m_microBatches), m_parts, 0, 0});
                break;
            }
            for (std::size_t next = 0; next < m_sizes.size() && members + m_sizes[next] <= m_devices; ++next) {
                const StepTimes cut = transfer(last, members, m_sizes[next]);
                for (int rest = m_sizes[next]; std::isfinite(cut.occupied) && rest + members <= m_devices; ++rest) {
                    const Front &behind = front(last, rest, next);
                    for (std::size_t i = 0; i < behind.size(); ++i) {
                        const SuffixLatency latency =
                            behind[i].latency.prepended(cut, m_microBatches).prepended(own, m_microBatches);
                        insert(front(first, rest + members, size), {latency, last, next, i});
                    }
                }
            }
        }
    }

    UniformAnswer best(int devices) {
        UniformAnswer answer;
        const Suffix *chosen = nullptr;
        std::size_t size = 0;
        for (std::size_t each = 0; each < m_sizes.size(); ++each) {
            for (const Suffix &own : front(0, devices, each)) {
                if (own.latency.latency() < answer.seconds) {
                    answer.seconds = own.latency.latency();
                    chosen = &own;
                    size = each;
                }
            }
        }
        for (int first = 0; chosen;) {
            answer.stages.push_back({m_cuts[at(first)], m_cuts[at(chosen->next)], m_sizes[size]});
            devices -= m_sizes[size];
            first = chosen->next;
            size = chosen->nextSize;
            chosen = first < m_parts ? &front(first, devices, size)[chosen->nextIndex] : nullptr;
        }
        return answer;
    }

    const CostModel &m_model;
    UniformHome &m_home;
    const std::vector<int> &m_cuts;
    std::vector<int> m_sizes;
    bool m_exact;
    int m_microBatch, m_microBatches, m_parts, m_devices;
    std::vector<Front> m_table;
};

/// Its objective is the round, so it chooses the micro-batch by it; it has no memory test.
class DapplePlanner final : public Planner {
  public:
    QString name() const override { return QStringLiteral("dapple"); }
    PlannerSource source() const override { return {QStringLiteral("DAPPLE"), QStringLiteral("PPoPP"), 2021}; }

    Result<Plan> plan(const CostModel &model, const PlannerOptions &options) const override {
        const PlanningProblem &problem = model.problem();
        // pairs of cuts × pairs of sizes × devices, each about a third of the whole
        const double sizes = static_cast<double>(groupSizes(model.deviceCount()).size());
        const double perPair =
            static_cast<double>(microBatchChoices(problem).size()) * sizes * sizes * model.deviceCount() / 3;
        const std::vector<int> cuts = affordableCuts(model, mostDappleSteps / perPair);
        const double pairs = static_cast<double>(cuts.size() * cuts.size()) / 2;
        const bool exact = pairs * perPair <= mostExactSteps;
        UniformHome home(model);
        const auto plan = bestUniformPlan(problem, name(), InFlightRule::Early, options, [&](int microBatch) {
            return DappleSearch(model, home, cuts, microBatch, exact).solve(options);
        });
        if (!plan)
            return noShares(model);
        return *plan;
    }
};

}  // namespace

std::unique_ptr<Planner> makeDapplePlanner() {
    return std::make_unique<DapplePlanner>();
}

}  // namespace hearth
