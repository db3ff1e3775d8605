// "Plan the rest": the best plan around what a person has locked.
#pragma once

#include "core/plan/edit/edit.h"
#include "core/plan/planner.h"

namespace hearth {

/// Searches from the plan as it is, and from plans built anew around the locks, and keeps to the locks throughout. The
/// result is never slower, simulated, than the plan where that fits with room for all that the problem counts; else it
/// has that room where there is such a plan (planWithRoom()). Without locks it is a plan of the whole home. The
/// micro-batch may change unless it, or a share, is locked. `options` limit each search; by default one takes a
/// fraction of a second for homes of ordinary size. Same answer every time unless seconds limit it. A fill-drain plan
/// may become 1F1B. Where the job trains asynchronously rounds without an end are compared, under the limits that suit
/// them; with local steps the plan stays one stage. Errors: "finish.no-plan" where the plan does not fit and nothing
/// that keeps the locks does; "edit.pipelines"; "edit.interleaved"; "plan.invalid".
Result<Edited> finishTheRest(const CostModel &model, const Plan &plan, const PlanLocks &locks,
                             const PlannerOptions &options = {});

}  // namespace hearth
