// What makes a planning problem one that planners can take. Internal to core/plan.
#pragma once

#include "core/plan/problem.h"

namespace hearth {

/// Of its own and of others' states, that a device keeps.
inline constexpr int mostKeptStates = 16;

/// Error "problem.invalid"; `where` is a JSON pointer.
tl::unexpected<Error> invalidProblem(const QString &source, const QString &where, const Sentence &cause,
                                     const Sentence &advice = {});

/// All but times and links: what must hold before these can be read.
Result<void> checkOutline(const PlanningProblem &problem, const QString &source);
/// Fills in what devices did not measure. Error where no device measured a layer.
Result<void> fillTimes(PlanningProblem &problem, const QString &source);

}  // namespace hearth
