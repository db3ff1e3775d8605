// What planners are told of a job.
#pragma once

#include "core/plan/problem.h"
#include "core/run/job.h"

namespace hearth {

/// As far as its data do not matter: bytes of an input, and of a label that is not mixed, are theirs.
JobFacts jobFactsOf(const Job &job);
/// A plan that was made for the one is one for the other, as far as their data do not matter.
bool haveSamePlans(const Job &one, const Job &other);

}  // namespace hearth
