// Lower bounds for every suffix of the pipeline: dynamic programming over layers, sets of devices and stages.
#pragma once

#include "core/plan/search/bounds.h"
#include "core/plan/search/search_clock.h"
#include "core/plan/search/stage_options.h"
#include "core/plan/search/work_bound.h"

namespace hearth {

/// A bound that some suffix reaches, with what the cut in front of it depends on.
struct SuffixLabel {
    SuffixBound bound;
    CutSide side;
    const StageOption *head = nullptr;  // its first stage, where pairs have rates of their own; null: any
};

/// For every position, set of devices and number of stages the Pareto front of the bounds of all suffixes there, but
/// for those that cannot belong to a plan faster than `limit`. Fronts that grow too long are thinned by merging labels
/// into their common lower bound, so the table never overstates.
class SuffixTable {
  public:
    /// Returns with complete() false when the clock stops it; the table is then of no use.
    SuffixTable(StageOptions &options, const WorkBound &work, double limitSeconds, int mostStages, SearchClock &clock);

    using Front = std::vector<SuffixLabel>;
    const Front &front(int stages, int position, int set) const { return m_fronts[index(stages, position, set)]; }
    /// The least of every part of the front's bounds. A front without labels holds infinities.
    const SuffixBound &least(int stages, int position, int set) const { return m_least[index(stages, position, set)]; }
    int mostStages() const { return m_mostStages; }
    /// Outside [first, last] there are no labels, whatever the position.
    struct Positions {
        int first = std::numeric_limits<int>::max();
        int last = -1;
    };
    const Positions &positions(int stages, int set) const { return m_positions[row(stages, set)]; }
    bool complete() const { return m_complete; }

    /// Entries of the table, which memory must hold.
    static double entries(int parts, int sets, int mostStages) {
        return static_cast<double>(parts + 1) * sets * mostStages;
    }
    /// The cut and the suffix behind it, as the stage `from` in front of the cut sees them.
    static SuffixBound behindCut(const StageOptions &options, int position, const StageOption &from,
                                 const SuffixLabel &label);

  private:
    std::size_t index(int stages, int position, int set) const {
        return row(stages, set) * static_cast<std::size_t>(m_options.parts() + 1) + static_cast<std::size_t>(position);
    }
    std::size_t row(int stages, int set) const {
        return static_cast<std::size_t>(stages - 1) * m_options.sets().moves.size() + static_cast<std::size_t>(set);
    }
    void fill(int stages, int position, int set);
    void extend(Front &front, int stages, int position, int set, int last, const DeviceSets::Move &move,
                const StageOption &option);
    bool hopeless(int position, int set, const SuffixLabel &label) const;
    void add(Front &front, SuffixLabel label);

    StageOptions &m_options;
    double m_limit;
    int m_mostStages;
    SearchClock &m_clock;
    bool m_complete = true;
    std::size_t m_labels = 0;
    std::vector<Front> m_fronts;
    std::vector<SuffixBound> m_least;
    std::vector<Positions> m_positions;
    std::vector<std::vector<WorkBound::Seconds>> m_outside;  // [set][position]: of the prefix on all devices left
};

}  // namespace hearth
