// What a run planned by, as its folder keeps it.
#pragma once

#include <QString>

#include "core/base/error.h"
#include "core/plan/problem.h"

namespace hearth {

/// Of "problem-<term>.json" in the folder of a run the one with the highest term. Errors: "run.no-problem" where none
/// can be opened, and those of PlanningProblem::fromJson(). Blocks while it reads; any thread.
Result<PlanningProblem> newestProblem(const QString &folder);

}  // namespace hearth
