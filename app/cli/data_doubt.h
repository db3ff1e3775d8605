// What a command says of a job before anything starts.
#pragma once

#include <map>
#include <optional>

#include "core/run/data_fit.h"
#include "core/run/job.h"

namespace hearth {

/// By the names of data that were read; nothing: this program cannot read them.
using DataShapes = std::map<QString, std::optional<DataShape>>;

/// The error where the job's data cannot go into its model; where a run would start and nobody is likely to mean it,
/// says so on standard error. Data that this program cannot read are left to the run. Reads all of those that are not
/// in `shapes`, and adds them: blocks.
Result<void> tellMisfit(const Job &job, DataShapes &shapes);
/// The same of one job.
Result<void> tellMisfit(const Job &job);

}  // namespace hearth
