// How an edit becomes a plan: its intention, settled, checked and estimated. Internal to core/plan/edit.
#pragma once

#include "core/plan/edit/balance.h"
#include "core/plan/edit/edit.h"
#include "core/plan/edit/settle.h"

namespace hearth {

/// Errors: "edit.pipelines", "edit.interleaved", and "plan.invalid" where the plan is not valid for the problem.
Result<void> checkEditable(const CostModel &model, const Plan &plan);

/// A plan in hand and what an edit wants of it.
class PlanChange {
  public:
    /// What happens to the shares of a stage.
    enum class Shares { Keep, Share };
    struct Stage {
        StagePlacement placement;  // devices; samples where the shares are kept
        int origin = -1;           // stage of the plan that it was; -1: new, so its in-flight limit is the rule's
        Shares shares = Shares::Keep;
        bool exactInFlight = false;  // the limit of the placement, not lowered
    };

    /// Error: the plan is not valid for the problem.
    static Result<PlanChange> of(const CostModel &model, const Plan &plan, const PlanLocks &locks);

    std::vector<Stage> stages;
    int microBatch = 1;

    const CostModel &model() const { return *m_model; }
    const Placement &before() const { return m_before; }
    int stageCount() const { return static_cast<int>(m_before.stages.size()); }
    Result<void> checkStage(int stage) const;
    /// Its index; the error says what there is.
    Result<int> device(const QString &id) const;
    /// Stage of the device in the plan; -1: at rest.
    int stageOf(int device) const;
    /// Takes a device out of its stage, if it has one. Error: it is the only one there.
    Result<void> takeOut(int device);
    void putIn(int device, int stage);
    /// Every stage gets new shares.
    void shareAll();

    const QString &id(int device) const;

    Result<Edited> finish() const;

  private:
    PlanChange() = default;
    Result<StagePlacement> settle(int stage, int target, const LockCheck &locks) const;
    bool noWorse(const Stage &stage) const;
    tl::unexpected<Error> refusal(int stage, const StageLack &lack) const;

    const CostModel *m_model = nullptr;
    const Plan *m_plan = nullptr;
    const PlanLocks *m_locks = nullptr;
    Placement m_before;
};

}  // namespace hearth
