// Rows of groups in the order of what they take at least, judged until none is left or time is up.
#pragma once

#include <memory>

#include "core/plan/search/border_fit.h"
#include "core/plan/search/placement_judge.h"
#include "core/plan/search/row_table.h"
#include "core/plan/search/search.h"

namespace hearth {

/// For homes of up to sixteen devices: rows of single devices and small groups, any devices at rest, all borders (where
/// layers are many, some), best first by what the table says of them (row_table.h), a little sooner the nearer they are
/// to being whole. One thread.
class RowSearch {
  public:
    /// `types`: as deviceTypes() has them. References must outlive it.
    RowSearch(const CostModel &model, const std::vector<int> &types, SearchClock &clock,
              const SearchSettings &settings);

    /// Whether devices are few enough.
    bool may() const { return RowTable::may(m_model); }
    /// About what the least of it costs.
    double usualSteps() const { return RowTable::usualSteps(m_model, m_types); }
    struct Task {
        int microBatch = 1;
        int mostMembers = 1;   // of a group
        int knownMembers = 0;  // rows of no larger groups were judged before
        double limit = 0;      // seconds that rounds must stay below
    };
    /// `done` is asked now and then; true ends the search. `good` is told of every plan that is better than all before,
    /// and of others that come near. Returns whether it came to the end of all rows.
    using Done = std::function<bool()>;
    using Good = std::function<void(const Placement &, double seconds)>;
    bool run(const Task &task, const Done &done, const Good &good);
    /// Whether the last run came to look at rows.
    bool began() const { return m_began; }

  private:
    static constexpr std::size_t mostOpen = 2'000'000;
    /// A row up to a group that is next: from which layer on, with which devices left.
    struct Open {
        float key = 0;
        float least = 0;    // seconds of the whole row
        float once = 0;     // of a micro-batch so far, both ways
        float longest = 0;  // what is known of the round so far
        float others = 0;   // of all other micro-batches in the slowest direction so far
        float air = 0;
        DeviceMask left = 0;  // with those of the group
        int parent = -1;
        short group = -1;  // none: the row is whole
        short first = 0;
    };
    struct Step {
        int parent;
        short group, first;
    };
    static bool later(const Open &a, const Open &b) { return a.key > b.key; }
    void push(Open open);
    void pushFirst();
    void expand(const Open &open);
    void extend(const Open &open, int end, int parent);
    void judge(const Open &open, const Good &good);
    void forget();

    const CostModel &m_model;
    SearchClock &m_clock;
    SearchSettings m_settings;
    const std::vector<int> &m_types;
    GroupNumbers m_numbers;
    BorderFit m_fit;
    PlacementJudge m_judge;
    std::unique_ptr<GroupCosts> m_costs;
    std::unique_ptr<RowTable> m_table;
    int m_knownMembers = 0;
    double m_limit = 0;
    bool m_began = false;
    bool m_all = true;          // nothing was left out
    std::vector<Open> m_open;   // a heap
    std::vector<Step> m_steps;  // that some open row has behind it
    StageRow m_row;
};

}  // namespace hearth
