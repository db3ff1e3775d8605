// The best plan of a search so far, and the spaces that may still hold a better one.
#pragma once

#include <map>

#include "core/plan/search/best_first.h"
#include "core/plan/search/search.h"
#include "core/plan/search/search_clock.h"

namespace hearth {

/// All plans of one micro-batch size.
struct SearchSpace {
    int microBatch = 0;
    double lowerBound = 0;  // seconds: none of its plans is shorter
    bool done = false;      // none is shorter than the best plan
};

/// Judges what is offered and keeps the shortest. One thread.
class Incumbent {
  public:
    Incumbent(const CostModel &model, const PlannerOptions &options, const SearchSettings &settings,
              SearchClock &clock);

    const CostModel &model() const { return m_model; }
    const SearchSettings &settings() const { return m_settings; }
    SearchClock &clock() { return m_clock; }
    std::vector<SearchSpace> &spaces() { return m_spaces; }
    const std::vector<SearchSpace> &spaces() const { return m_spaces; }

    bool any() const { return !m_best.stages.empty(); }
    const Placement &best() const { return m_best; }
    double seconds() const { return m_seconds; }
    /// Plans must be shorter than that to count.
    double limit() const;
    double lowerBound() const;
    bool proved() const;

    /// Returns the limit from then on.
    double offer(Placement placement);
    /// A plan that was judged elsewhere.
    void take(const Placement &placement, double seconds);
    void report() const;

    /// The best plan, its shares, limits and schedule improved beyond what spaces hold, where that is wanted and has
    /// not been done.
    void polishBest();
    /// The best plan of all, polished or not.
    const Placement &answer() const { return m_polishedSeconds <= m_seconds ? m_polished : m_best; }
    double answerSeconds() const { return std::min(m_polishedSeconds, m_seconds); }

    /// Enumerates the plans over these sets and cuts; `memoryBinds`, where given, says whether memory ruled any out.
    BestFirstResult exhaust(const DeviceSets &sets, const std::vector<int> &cuts, int microBatch, InFlightRule rule,
                            OptionMemory *memory, bool *memoryBinds = nullptr);
    int mostStages(int parts) const { return std::min(parts, m_model.deviceCount()); }

  private:
    bool mayHold(const Placement &placement) const;

    const CostModel &m_model;
    const PlannerOptions &m_options;
    const SearchSettings &m_settings;
    SearchClock &m_clock;
    PlacementJudge m_judge;
    std::vector<SearchSpace> m_spaces;
    std::map<int, WorkBound> m_work;  // by micro-batch
    Placement m_best;
    double m_seconds = std::numeric_limits<double>::infinity();
    Placement m_polished;
    double m_polishedSeconds = std::numeric_limits<double>::infinity();
    double m_polishedFrom = std::numeric_limits<double>::infinity();  // m_seconds then
    quint64 m_polishSteps = 0;
};

}  // namespace hearth
