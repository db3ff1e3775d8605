// Takes stages out of a row of groups and puts their devices back where they serve best: what no single change finds.
#pragma once

#include <vector>

#include "core/plan/search/border_fit.h"
#include "core/plan/search/bounds.h"
#include "core/plan/search/device_mask.h"
#include "core/plan/search/group_costs.h"
#include "core/plan/search/search_clock.h"

namespace hearth {

/// Dynamic programming from the last stage to the first: a state is how many of the stages that stay, and which of the
/// free devices, are used so far, and keeps a few suffixes, by the strict bound and by an estimate of what will come in
/// front. Free devices may form stages of one or two, anywhere, in any order, or stand idle. By bounds, not by
/// simulation; not exact. Keeps its arrays: one per thread.
class Reinsertion {
  public:
    /// More free devices have too many subsets.
    static constexpr int mostFree = 10;

    /// References must outlive it.
    Reinsertion(const CostModel &model, SearchClock &clock, const std::vector<int> &type);

    struct Task {
        const StageRow &row;             // fits
        const std::vector<char> &taken;  // by stage: its devices are free
        std::vector<int> idle;           // free besides
    };
    /// At most `count` rows whose bounds are below `limit`, the least first. Valid until the next call.
    const std::vector<StageRow> &run(GroupCosts &costs, GroupNumbers &numbers, const Task &task, double limit,
                                     int count);

  private:
    struct Label {
        SuffixBound bound;
        CardLoad cards;
        const StageOption *head = nullptr;
        double estimate = 0;
        int first = 0;
        int group = 0;
        int parent = -1;
        int stages = 0;
    };
    struct Choice {
        int group;
        DeviceMask mask;  // of places in the pool
    };
    bool takeOut(GroupNumbers &numbers, const Task &task);
    void learn(GroupCosts &costs, const StageRow &row);
    void choose(GroupCosts &costs, GroupNumbers &numbers);
    double estimate(const SuffixBound &bound, int first, int kept, DeviceMask mask) const;
    void expand(GroupCosts &costs, int kept, DeviceMask mask);
    void extend(GroupCosts &costs, int from, int group, int kept, DeviceMask mask);
    void push(int state, const Label &label);
    void collect(int count);
    int keptCount() const { return static_cast<int>(m_kept.size()); }
    int stateOf(int kept, DeviceMask mask) const { return kept << m_pool.size() | static_cast<int>(mask); }

    const CostModel &m_model;
    SearchClock &m_clock;
    const std::vector<int> &m_type;
    std::vector<int> m_pool;                      // free devices, fast ones first
    std::vector<DeviceMask> m_equals;             // by place in the pool: those before it that are the same
    std::vector<const double *> m_poolSeconds;    // by place in the pool: before a layer
    std::vector<int> m_kept;                      // groups that stay, the last stage first
    std::vector<std::vector<double>> m_keptRate;  // by number of those used and layer: what the others make of it
    std::vector<Choice> m_choices;
    std::vector<double> m_gain;  // by layer: what the layers before it take, as a part of what is usual
    double m_cut = 0;            // seconds of a micro-batch both ways, on average
    double m_limit = 0, m_most = 0;
    int m_microBatches = 1;
    std::vector<int> m_counts;    // by state
    std::vector<Label> m_labels;  // by state, `perState` each
    std::vector<Label> m_complete;
    std::vector<StageRow> m_rows;
};

}  // namespace hearth
