// What a run's folder must hold for the run to go on.
#pragma once

#include <QString>

#include "core/base/error.h"
#include "core/run/files/run_info.h"

namespace hearth {

/// A run that has ended, but not finished, goes on from its newest checkpoint (`checkpoints/<version>/`), with the job
/// and the model of its folder. Errors say what is missing and what to do instead: "run.finished",
/// "run.no-checkpoint", "run.no-job". Whether a checkpoint is whole is seen when it is read. Any thread.
Result<void> mustBeResumable(const QString &folder, const RunInfo &run);

}  // namespace hearth
