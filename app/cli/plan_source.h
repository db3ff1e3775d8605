// Where `hearth plan` takes its problem from: a file, or a home of the papers.
#pragma once

#include "app/cli/command.h"
#include "core/plan/problem.h"

namespace hearth {

/// An option or a value, as constants name them.
inline QString word(const char *text) {
    return QString::fromLatin1(text);
}

void declarePlanSource(CommandArguments &words);
/// Whether exactly one source is named and the options fit it; else what is wrong with the usage.
Result<void> checkPlanSource(const CommandArguments &words);
/// The problem, valid. Not for --job. With --problem-out it is written there, too.
Result<PlanningProblem> readPlanSource(const CommandArguments &words);

}  // namespace hearth
