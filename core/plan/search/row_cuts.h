// What micro-batches take between the groups of rows.
#pragma once

#include <limits>
#include <vector>

#include "core/plan/search/row_groups.h"
#include "core/plan/search/search_clock.h"

namespace hearth {

/// Of no cut and no row of groups.
inline constexpr float unreached = std::numeric_limits<float>::infinity();
/// Entries of a table that are written or looked at in the time of one step.
inline constexpr int entriesPerStep = 64;

/// Cuts between two groups that have no device in common, before a layer, by its place in RowGroups::cuts. Where pairs
/// of devices have their own rates, shares decide what a group takes to be reached, and a stage to send: these are the
/// least. Immutable once built, any thread.
class RowCuts {
  public:
    /// References must outlive it.
    RowCuts(const CostModel &model, GroupCosts &costs, const RowGroups &groups, SearchClock &clock);

    /// Seconds of a micro-batch both ways; of all others in the direction that takes longer; of all.
    struct Cut {
        float once = 0;
        float others = 0;
        float occupied = 0;
    };
    Cut cut(int from, int to, int layer) const;
    /// By layer, behind a device.
    const float *once(int device, int to) const { return &m_once[cutAt(device, to, 0)]; }
    const float *occupied(int device, int to) const { return &m_occupied[cutAt(device, to, 0)]; }
    /// By layer, behind a group, of all that may follow: Cut::once, and by how much less that is because each of its
    /// devices sends a part.
    const float *least(int from) const { return &m_least[rowAt(from)]; }
    const float *parted(int from) const { return &m_parted[rowAt(from)]; }

  private:
    double bytesOver(int place, int way, double rate) const;
    void layBetween(int device, int group);
    void layFromGroups();
    template <class CutOf>
    static Cut together(DeviceMask members, CutOf cutOf);
    Cut fromDevice(int device, int group, int layer) const {
        const std::size_t own = cutAt(device, group, layer);
        return {m_once[own], m_others[own], m_occupied[own]};
    }
    void set(std::size_t place, const Cut &cut) {
        m_once[place] = cut.once;
        m_others[place] = cut.others;
        m_occupied[place] = cut.occupied;
    }
    std::size_t rowAt(int group) const { return static_cast<std::size_t>(group * m_width); }
    std::size_t cutAt(int device, int group, int layer) const {
        return static_cast<std::size_t>((device * m_count + group) * m_width + layer);
    }

    const CostModel &m_model;
    GroupCosts &m_costs;
    const RowGroups &m_groups;
    const int m_count;  // of groups
    const int m_layers, m_width;
    std::vector<float> m_once, m_others, m_occupied;  // by device, group behind the cut, layer
    std::vector<float> m_least, m_parted;             // by group before the cut, layer
};

}  // namespace hearth
