// The stages that a search over fixed sets of devices may use, each allocated when it is first asked for.
#pragma once

#include <deque>
#include <map>
#include <unordered_map>
#include <vector>

#include "core/plan/in_flight.h"
#include "core/plan/search/device_sets.h"
#include "core/plan/search/stage_option.h"
#include "core/plan/seconds.h"

namespace hearth {

/// Allocations where memory does not count, kept from one search to the next over the same problem. One thread.
class OptionMemory {
  public:
    /// The same number for the same devices.
    int numberOf(const std::vector<int> &devices);
    /// The place of the option, null at first.
    const StageOption *&at(int group, int firstLayer, int lastLayer, int microBatch);
    const StageOption *keep(StageOption option);
    /// Pointers are gone after this; a search calls it between two uses when much has gathered.
    void shrink();

  private:
    struct Key {
        int group, firstLayer, lastLayer, microBatch;
        bool operator==(const Key &) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key &key) const;
    };
    std::map<std::vector<int>, int> m_groups;
    std::unordered_map<Key, const StageOption *, KeyHash> m_known;
    std::deque<StageOption> m_options;
};

/// Allocates by the exact rule of Eq. 8 and remembers it. One thread.
class StageOptions {
  public:
    /// Stages begin and end at `cuts` (layers, from 0 to L). `memory` may be null.
    StageOptions(const CostModel &model, const DeviceSets &sets, std::vector<int> cuts, int microBatch,
                 InFlightRule rule, bool mayRecompute, OptionMemory *memory = nullptr);

    struct Choice {
        const StageOption *plain = nullptr;
        const StageOption *recomputed = nullptr;  // only where memory binds without it
        /// Infinite where there is no choice.
        double leastOccupied() const {
            return std::min(plain ? plain->step.occupied : never, recomputed ? recomputed->step.occupied : never);
        }
    };
    /// The group executes the parts [first, last), `stagesToEnd` ≥ 1 counts its own stage.
    Choice find(int first, int last, int group, int stagesToEnd);

    /// As CutCosts has it, at a position.
    StepTimes cut(int position, const StageOption &from, const StageOption &to) const {
        return m_costs.cut(m_cuts[static_cast<std::size_t>(position)], from, to);
    }
    StepTimes leastCut(int position, const CutSide &from, const CutSide &to) const {
        return m_costs.leastCut(m_cuts[static_cast<std::size_t>(position)], from, to);
    }
    bool linksAreCards() const { return m_costs.linksAreCards(); }
    bool onAir() const { return m_costs.onAir(); }

    const CostModel &model() const { return m_model; }
    const DeviceSets &sets() const { return m_sets; }
    const std::vector<int> &cuts() const { return m_cuts; }
    int parts() const { return static_cast<int>(m_cuts.size()) - 1; }
    int microBatch() const { return m_microBatch; }
    int microBatches() const { return m_microBatches; }
    int inFlight(int stagesToEnd) const { return inFlightLimit(m_rule, stagesToEnd, m_microBatches); }
    /// Some group had to be given other shares, or nothing, for want of memory.
    bool memoryBinds() const { return m_memoryBinds; }

  private:
    const StageOption *unbounded(int first, int last, int group);
    const StageOption *bounded(int first, int last, int group, int inFlight, bool recompute);
    StageOption allocate(int first, int last, int group, int inFlight, bool recompute);

    const CostModel &m_model;
    const DeviceSets &m_sets;
    std::vector<int> m_cuts;
    int m_microBatch, m_microBatches;
    InFlightRule m_rule;
    bool m_mayRecompute;
    CutCosts m_costs;
    bool m_memoryBinds = false;
    OptionMemory *m_memory;
    std::vector<int> m_groupNumber;  // in the memory, by group
    std::deque<StageOption> m_options;
    std::vector<const StageOption *> m_unbounded;                // by range and group; null: not asked yet
    std::unordered_map<quint64, const StageOption *> m_bounded;  // also by limit and recompute
};

}  // namespace hearth
