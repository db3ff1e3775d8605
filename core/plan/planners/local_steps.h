// Plans of jobs whose devices average their weights now and then.
#pragma once

#include "core/plan/planner.h"

namespace hearth {

/// For problems with local steps: the whole network on every device of one group. Which devices take part, all sets of
/// them in small homes, else the one that helps most, one more at a time; and which share each takes, first by speed
/// (Eq. 8), then sample by sample as long as the simulated round gets shorter, as serving them may be what takes
/// longest. Any thread.
Result<Plan> planLocalSteps(const CostModel &model, const QString &planner, const PlannerOptions &options);

/// Names of planners that have such plans.
QStringList localStepsPlanners();

}  // namespace hearth
