// What a person changes in a plan by hand: each edit gives a plan that could run, or the reason why not.
#pragma once

#include <QString>
#include <optional>

#include "core/plan/edit/locks.h"
#include "core/plan/evaluate.h"

namespace hearth {

/// A stage (from 0) that memory lets hold fewer micro-batches in flight than its rule wants.
struct LoweredLimit {
    int stage = 0;
    int inFlight = 1;
    int wanted = 1;
};

/// A plan after an edit.
struct Edited {
    Plan plan;                          // valid for the problem; has no prediction
    Prediction estimate;                // closed form alone: evaluate(model, plan, {.simulated = false})
    std::vector<LoweredLimit> lowered;  // by the edit
};

/// Pure functions on plans of one valid problem, quick enough to be called at every move of the mouse: pass the plan as
/// it was when the drag began. Keeps references to the model, which caches: one thread at a time.
///
/// What follows from an edit is adapted, nothing else: groups whose layers, devices or micro-batch changed get new
/// shares by the exact rule of Eq. 8, in which every device keeps at least the samples that its layers need; in-flight
/// limits follow the rule that the plan obeys, lowered as far as memory asks (and told). A stage that did not fit
/// before may stay that way as long as none of its devices needs more. Copies of others' states refuse no edit: a run
/// does without them (judgeMemoryAsRun()).
///
/// Errors (the plan is as it was): "edit.locked", "edit.no-layers", "edit.no-devices", "edit.memory",
/// "edit.minimum-samples", "edit.shares", "edit.device", "edit.stage", "edit.limit", "edit.micro-batch",
/// "edit.pipelines", "edit.interleaved", "plan.unreachable", and "plan.invalid" where the plan was not valid to begin
/// with.
class PlanEditor {
  public:
    explicit PlanEditor(const CostModel &model, PlanLocks locks = {}) : m_model(model), m_locks(std::move(locks)) {}

    const PlanLocks &locks() const { return m_locks; }

    /// The border behind stage `stage` to before layer `layer`.
    Result<Edited> moveBorder(const Plan &plan, int stage, int layer) const;
    /// A device from its stage or from rest to a stage, or to rest (no stage).
    Result<Edited> moveDevice(const Plan &plan, const QString &device, std::optional<int> toStage) const;
    /// A device from its stage or from rest to a stage of its own that becomes number `place` (0..stages): it takes
    /// layers of its neighbors by its speed.
    Result<Edited> insertStage(const Plan &plan, const QString &device, int place) const;
    /// A stage and the one behind it.
    Result<Edited> mergeStages(const Plan &plan, int stage) const;

    /// Shares of all devices of a stage, in any order.
    Result<Edited> setShares(const Plan &plan, int stage, const std::vector<Share> &shares) const;
    /// Of every stage, as if its group had changed.
    Result<Edited> shareAnew(const Plan &plan) const;

    /// Exactly this limit, or an error.
    Result<Edited> setInFlight(const Plan &plan, int stage, int inFlight) const;
    Result<Edited> setMicroBatch(const Plan &plan, int microBatch) const;
    /// Of the cut behind a stage.
    Result<Edited> setCodec(const Plan &plan, int stage, const CutCodec &codec) const;

  private:
    const CostModel &m_model;
    PlanLocks m_locks;
};

}  // namespace hearth
