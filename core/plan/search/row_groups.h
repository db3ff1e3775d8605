// Of what rows are made: groups of devices, and places to cut the layers.
#pragma once

#include <vector>

#include "core/plan/search/device_mask.h"
#include "core/plan/search/group_costs.h"

namespace hearth {

/// A group that may form a stage.
struct RowGroup {
    int number = 0;  // as GroupNumbers has it
    DeviceMask devices = 0;
};

struct RowGroups {
    static constexpr int mostMembers = 4;
    /// With more devices, groups are fewer and tables larger.
    static constexpr int fewDevices = 10;

    std::vector<int> cuts;           // layers at which stages may begin, from 0 to L
    std::vector<RowGroup> groups;    // single devices first, in their order
    std::vector<int> types;          // by device
    std::vector<DeviceMask> equals;  // by device: those before it that are the same

    bool inOrder(DeviceMask used) const { return usedInOrder(used, equals); }
    /// Of a group: else no row in that order ever has it.
    bool neighbours(DeviceMask group) const;
    std::vector<int> typesOf(DeviceMask group) const;  // sorted
};
/// Every device alone, and groups of at most `mostMembers` (and RowGroups::mostMembers) that are faster than all of
/// them but one, built up device by device, as far as each step makes them faster: of each size those that gain most.
RowGroups rowGroups(const CostModel &model, GroupCosts &costs, GroupNumbers &numbers, const std::vector<int> &types,
                    int mostMembers);

/// About what devices take that share micro-batches as suits them: shares near those that suit all layers, memory
/// aside. Keeps pointers into the model. Seconds of one micro-batch.
class SharedSeconds {
  public:
    SharedSeconds(const CostModel &model, const Group &members);
    StepTimes step(int firstLayer, int lastLayer) const;
    /// Forward, and backward until the gradient leaves: summed over parts of a range it is no more than that of the
    /// range.
    double leastOnce(int firstLayer, int lastLayer) const;

  private:
    std::size_t m_size;
    std::vector<CostModel::Prefix> m_seconds;  // by shares and member
};

}  // namespace hearth
