// Where to cut the layers for a given row of groups.
#pragma once

#include "core/plan/search/bounds.h"
#include "core/plan/search/group_costs.h"
#include "core/plan/search/search_clock.h"

namespace hearth {

/// Stage s has the layers [borders[s], borders[s + 1]) and the group groups[s].
struct StageRow {
    std::vector<int> groups;
    std::vector<int> borders;

    int stages() const { return static_cast<int>(groups.size()); }
};

/// The row's plan. Without stages where one of them does not fit.
Placement placementOf(GroupCosts &costs, const StageRow &row);

/// Works on borders by the strict bound, not by simulation. Keeps its arrays: one per thread.
class BorderFit {
  public:
    /// References must outlive it.
    BorderFit(const CostModel &model, SearchClock &clock);

    /// Borders such that every stage gets about the work that suits its place, by estimates. Returns about the least
    /// round; infinite where that is not below `limit`, or there are more stages than layers.
    double spread(GroupCosts &costs, StageRow &row, double limit);
    /// The strict bound of the row; infinite where a stage does not fit.
    double bound(GroupCosts &costs, const StageRow &row);
    /// Moves each border by at most `band` layers to where the bound is about least: dynamic programming from the last
    /// stage to the first that keeps one suffix for every place of a border. Returns the bound; infinite, and the
    /// borders as they were, where none is below `limit`.
    double fit(GroupCosts &costs, StageRow &row, int band, double limit);

  private:
    bool reaches(int microBatches, double seconds, std::vector<int> *borders) const;
    double longest(int microBatches) const;
    bool fitStage(GroupCosts &costs, const StageRow &row, int stage, int band, double limit);

    struct Label {
        SuffixBound bound;
        CardLoad cards;
        const StageOption *head = nullptr;  // null: nothing fits here
        double seconds = 0;
        int end = 0;
    };

    const CostModel &m_model;
    SearchClock &m_clock;
    std::vector<std::vector<Label>> m_labels;  // by stage and place
    std::vector<double> m_leastBytes;  // both ways, per sample, of the cut before a layer or shortly before that
    int m_busiestCut = 0;              // before that layer
    double m_busiestBytes = 1;
    struct Stage {
        const double *before;  // as GroupCosts has it
        double perByte;        // seconds per byte of m_leastBytes at its end
    };
    std::vector<Stage> m_row;
};

}  // namespace hearth
