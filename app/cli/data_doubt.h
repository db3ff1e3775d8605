// What a command says of a job before anything starts.
#pragma once

#include "core/run/job.h"

namespace hearth {

/// The error where the job's data cannot go into its model; where a run would start and nobody is likely to mean it,
/// says so on standard error. Data that this program cannot read are left to the run. Reads them all: blocks.
Result<void> tellMisfit(const Job &job);

}  // namespace hearth
