#include "core/plan/search/search.h"

#include <numeric>

#include "core/base/at.h"
#include "core/plan/search/quick_plans.h"

namespace hearth {
namespace {

constexpr quint64 stepsUnlessTold = 60'000'000;
/// A larger proof is not begun: neither memory nor patience would do.
constexpr qint64 mostExactMoves = 1'000'000;
constexpr double mostTableEntries = 6e6;
constexpr double mostOptionEntries = 6e6;

class Search {
  public:
    Search(const CostModel &model, const PlannerOptions &options, const SearchSettings &settings)
        : m_clock(options), m_incumbent(model, options, settings, m_clock) {}

    tl::expected<SearchResult, NothingFound> run() {
        QuickPlans quick(m_incumbent);
        quick.run(proofSteps());
        proveAll();
        while (!m_incumbent.proved() && quick.keepImproving()) {
        }
        if (!m_incumbent.any())
            return tl::unexpected(m_clock.over() ? NothingFound::Stopped : NothingFound::NoPlanFits);
        m_incumbent.polishBest();
        return SearchResult{m_incumbent.answer(), m_incumbent.answerSeconds(), m_incumbent.lowerBound(),
                            m_incumbent.proved(), m_clock.steps()};
    }

  private:
    int parts() const { return m_incumbent.model().layerCount(); }
    /// Not too large a table.
    bool mayProve(const DeviceSets &sets) const {
        return !sets.moves.empty() &&
               SuffixTable::entries(parts(), static_cast<int>(sets.moves.size()), m_incumbent.mostStages(parts())) <=
                   mostTableEntries &&
               0.5 * parts() * parts() * static_cast<double>(sets.groups.size()) <= mostOptionEntries;
    }
    /// About what proveAll() will cost, from the size of its table; nothing where it does not begin.
    std::optional<quint64> proofSteps() const {
        const DeviceSets sets = subsetsOf(m_incumbent.model(), mostExactMoves);
        if (!mayProve(sets))
            return std::nullopt;
        const double full = 0.5 * parts() * parts() * sets.moveCount() * m_incumbent.mostStages(parts());
        return static_cast<quint64>(full * static_cast<double>(m_incumbent.spaces().size()) / 10);
    }

    void proveAll() {
        const DeviceSets sets = subsetsOf(m_incumbent.model(), mostExactMoves);
        if (!mayProve(sets))
            return;
        std::vector<int> cuts(at(parts()) + 1);
        std::iota(cuts.begin(), cuts.end(), 0);
        for (SearchSpace &space : m_incumbent.spaces()) {
            if (m_clock.over())
                return;
            if (space.lowerBound >= m_incumbent.limit())
                continue;
            bool memoryBinds = false;
            BestFirstResult result =
                m_incumbent.exhaust(sets, cuts, space.microBatch, InFlightRule::Early, nullptr, &memoryBinds);
            // Fewer micro-batches under way leave room for other shares, of which nothing is known until they are
            // searched.
            if (!result.exhausted && memoryBinds && m_incumbent.settings().freeLimits)
                result.lowerBound = 0;
            if (result.exhausted && memoryBinds && m_incumbent.settings().freeLimits)
                result = m_incumbent.exhaust(sets, cuts, space.microBatch, InFlightRule::StagesToEnd, nullptr);
            space.done = result.exhausted;
            space.lowerBound = std::max(space.lowerBound, std::min(result.lowerBound, m_incumbent.seconds()));
            m_incumbent.report();
        }
    }

    SearchClock m_clock;
    Incumbent m_incumbent;
};

}  // namespace

tl::expected<SearchResult, NothingFound> searchPlans(const CostModel &model, const PlannerOptions &options,
                                                     const SearchSettings &settings) {
    PlannerOptions limited = options;
    if (!options.stepLimit && !options.secondsLimit)
        limited.stepLimit = stepsUnlessTold;
    return Search(model, limited, settings).run();
}

}  // namespace hearth
