// What a group of devices makes of a range of layers: shares, seconds, and what its cuts depend on.
#pragma once

#include "core/plan/cost_model.h"

namespace hearth {

/// The side of a stage that a cut sees: the largest share over the rate of the card that carries it.
struct CutSide {
    double up = 0;    // samples per (byte per second), outgoing
    double down = 0;  // incoming
    bool half = false;

    void add(const LinkTable &links, const MemberShare &member);
};

struct StageOption {
    StepTimes step;
    CutSide side;
    int mostInFlight = 0;  // micro-batches under way that fit the memory of all members
    bool recompute = false;
    Group members;
};

struct OptionRequest {
    int firstLayer = 0;
    int lastLayer = 0;
    int microBatch = 0;
    int inFlight = 0;  // 0: memory does not count
    bool recompute = false;
};

/// Shares by the exact rule of Eq. 8 among devices in the order of their ids. Without members it cannot be.
StageOption allocateOption(const CostModel &model, const std::vector<int> &devices, const OptionRequest &request);

/// What cuts take, by what is known of the stages on both sides. Keeps a reference to the model. Immutable, any thread
/// that may use the model.
class CutCosts {
  public:
    CutCosts(const CostModel &model, int microBatch);

    /// Between two known groups, before that layer: exact.
    StepTimes cut(int layer, const StageOption &from, const StageOption &to) const {
        return m_cards ? leastCut(layer, from.side, to.side, from.recompute)
                       : m_model.transfer(layer, from.members, to.members, {}, from.recompute);
    }
    /// No cut there between groups with such sides is faster. Exact where linksAreCards(), of a stage in front that
    /// recomputes or does not.
    StepTimes leastCut(int layer, const CutSide &from, const CutSide &to, bool recomputes = false) const;
    bool linksAreCards() const { return m_cards; }
    /// All transfers share one medium.
    bool onAir() const { return m_airRate > 0; }

  private:
    const CostModel &m_model;
    int m_microBatch;
    bool m_cards = false;
    double m_airRate = 0;
    double m_leastLatency = 0;
    bool m_allHalf = false;
};

}  // namespace hearth
