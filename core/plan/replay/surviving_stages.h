// Stages that are left after a loss, and the cuts between them. Internal to replay.cpp.
#pragma once

#include <QSet>
#include <functional>
#include <limits>
#include <unordered_map>

#include "core/plan/edit/settle.h"
#include "core/plan/search/placement_judge.h"

namespace hearth {

/// The groups of a plan without the lost devices; empty ones are gone. All cuts are [0, …, L], one more than stages.
class SurvivingStages {
  public:
    using Cuts = std::vector<int>;

    /// With free limits the simulated rounds are those under the in-flight limits that suit best, else under the rule
    /// that the plan obeyed.
    SurvivingStages(const CostModel &model, const Placement &before, const QSet<QString> &lost, bool freeLimits);

    int count() const { return static_cast<int>(m_groups.size()); }
    const std::vector<int> &devices(int stage) const { return m_groups[static_cast<std::size_t>(stage)]; }
    /// Cuts that leave whole stages as they were and give the layers of each run of empty ones to one neighbor.
    Cuts keptCuts();
    /// Cuts in proportion to speed.
    Cuts proportionalCuts() const;

    /// Moves single layers to the neighbor with most room until all stages fit. False: there is no room.
    bool repairMemory(Cuts &cuts);
    /// Shifts borders by single layers as long as the closed form gets shorter, then as long as the simulated round
    /// does. The cuts fit and still do.
    void climb(Cuts &cuts, const std::function<bool()> &cancelled);

    double closedForm(const Cuts &cuts);  // infinite where it does not fit
    /// Likewise, and where it is not below the limit.
    double simulated(const Cuts &cuts, double limit = std::numeric_limits<double>::infinity());
    /// With the limits of simulated(). The cuts fit.
    Placement placement(const Cuts &cuts);
    /// Who lacks how much memory first.
    std::optional<StageLack> lack(const Cuts &cuts) const;

  private:
    struct Settled {
        StagePlacement placement;  // no group: it does not fit
        StepTimes times;
    };
    tl::expected<StagePlacement, StageLack> settle(int stage, int firstLayer, int lastLayer) const;
    const Settled &settled(int stage, int firstLayer, int lastLayer);
    /// Bytes that the group of a stage has left, negative when it lacks some, were samples shared as memory lies.
    double room(int stage, int firstLayer, int lastLayer) const;
    Placement assembled(const Cuts &cuts);
    bool shift(Cuts &cuts, const std::function<double(const Cuts &)> &seconds, double &best);

    const CostModel &m_model;
    const Placement &m_before;
    std::vector<std::vector<int>> m_groups;
    std::vector<int> m_origin;    // stages of the plan
    std::vector<int> m_inFlight;  // what each should hold
    std::unordered_map<quint64, Settled> m_settled;
    PlacementJudge m_judge;
};

}  // namespace hearth
