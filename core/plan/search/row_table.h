// What rows of groups take at least, by the layers and the devices that are left for them.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "core/plan/search/row_cuts.h"
#include "core/plan/search/search_clock.h"

namespace hearth {

/// Dynamic programming over sets of devices, from the last stage to the first, for one size of micro-batches. Of a row
/// of single devices it knows the strict bound (bounds.h) but for four parts, which it takes for less than they are:
/// round trips, of which it knows the least of any row; those of them that a cut's own backlog waits for; AllReduce;
/// and cards. Of groups it knows less: they send as the best of their devices, with shares that suit about all layers.
/// Layers are counted by their places in RowGroups::cuts, from 0 to the last. Seconds are floats: they are to guide a
/// search, not to prove. Immutable once built, any thread that may use `costs`.
class RowTable {
  public:
    static constexpr int mostDevices = 16;
    static constexpr std::size_t mostEntries = 60'000'000;
    /// Rounds of work before `done` is asked again, here and where rows are made.
    static constexpr unsigned betweenLooks = 64;
    static bool may(const CostModel &model) { return model.deviceCount() <= mostDevices; }
    /// About what a table of single devices costs.
    static double usualSteps(const CostModel &model, const std::vector<int> &types);

    /// Rows that are not below the limit may be missing. `done` is asked now and then and ends the work. References
    /// must outlive it.
    RowTable(const CostModel &model, GroupCosts &costs, const RowGroups &groups, double limit, SearchClock &clock,
             const std::function<bool()> &done);
    /// False where it was too large or ended too soon.
    bool complete() const { return m_complete; }

    /// A stage with the layers [first, end), first < end <= reach(): seconds of a micro-batch both ways, until its
    /// gradient leaves; of all others in the direction that takes longer; of all, until the last gradient leaves.
    struct Stage {
        float once = 0;
        float others = 0;
        float alone = 0;
    };
    int reach(int group, int first) const { return m_reach[static_cast<std::size_t>(group * m_width + first)]; }
    const Stage &stage(int group, int first, int end) const {
        return m_stages[m_stageAt[static_cast<std::size_t>(group * m_width + first)] +
                        static_cast<std::size_t>(end - first - 1)];
    }
    /// Whether anything may follow a stage that ends there with these devices left.
    bool mayFollow(DeviceMask left, int layer) const { return m_from[left] <= layer && layer <= m_to[left]; }
    /// Of the least suffix from that layer on that begins with the group, which is among those left.
    float drained(DeviceMask left, int group, int first) const { return behindOf(left, group).drained(first); }
    /// The same behind a stage of the group, which is not left, with the cut between.
    float behind(DeviceMask left, int group, int layer) const;
    /// Of one micro-batch from that layer on, where mayFollow().
    float roundTrip(DeviceMask left, int layer) const { return m_trips[tripAt(left, layer)]; }
    const RowCuts &cuts() const { return m_cuts; }
    const RowGroups &groups() const { return m_groups; }
    DeviceMask all() const { return m_all; }
    int lastPlace() const { return m_layers; }

  private:
    bool layStages();
    void layStagesOf(int group, const SharedSeconds &shared, const std::vector<double> &before);
    std::optional<StepTimes> stepOf(int group, const SharedSeconds &shared, int first, int end) const;
    double leastOnce(int group, const SharedSeconds &shared, int place) const;
    int layerAt(int place) const { return m_groups.cuts[static_cast<std::size_t>(place)]; }
    bool layRanges();
    void fill(DeviceMask left);
    /// A group that comes next, and what is known of what may follow it.
    struct Behind {
        int layers = 0, from = 0, to = 0;  // where stages behind it may begin
        const int *reach = nullptr;        // by first layer, as the next
        const std::size_t *stageAt = nullptr;
        const Stage *stages = nullptr;
        const float *parted = nullptr;                              // by layer
        const float *leastCut = nullptr;                            // by layer
        const float *trip = nullptr;                                // by layer from `from` on
        std::array<const float *, RowGroups::mostMembers> after{};  // likewise, by device of the group
        int devices = 0;

        float drained(int first) const;
        float roundTrip(int first) const;
    };
    Behind behindOf(DeviceMask left, int group) const;
    std::size_t tripAt(DeviceMask left, int layer) const {
        return m_tripAt[left] + static_cast<std::size_t>(layer - m_from[left]);
    }
    /// Behind a device that is not left.
    std::size_t behindAt(DeviceMask left, int device, int layer) const;

    const CostModel &m_model;
    GroupCosts &m_costs;
    const RowGroups &m_groups;
    const RowCuts m_cuts;
    SearchClock &m_clock;
    const std::function<bool()> &m_done;
    const int m_count;  // of groups
    const int m_layers, m_width;
    const float m_microBatches;
    const double m_limit;
    DeviceMask m_all;
    bool m_complete = false;
    quint64 m_looked = 0;
    std::vector<int> m_reach;            // by group and first layer
    std::vector<std::size_t> m_stageAt;  // likewise
    std::vector<Stage> m_stages;
    std::vector<std::size_t> m_behindAt, m_tripAt;  // by set of devices left
    std::vector<int> m_from, m_to;                  // likewise: layers that a stage may begin with
    std::vector<float> m_behind;                    // by set, device that is not in it, layer
    std::vector<float> m_trips;                     // by set, layer
    std::vector<int> m_heads;                       // of one set: groups that may be next
    std::vector<float> m_drained;                   // of one set: by group, layer
};

}  // namespace hearth
