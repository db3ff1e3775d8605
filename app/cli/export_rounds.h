// The rounds of a run, for other programs.
#pragma once

#include "app/cli/command.h"
#include "core/history/run_summary.h"

namespace hearth {

/// An option of `hearth export`, and what it writes.
struct RoundsOption {
    const char *name;
    const char *place;  // "FILE" or "FOLDER"
    const char *help;
    RunExport form;
};

/// All of them.
const std::vector<RoundsOption> &roundsOptions();

/// What the run's events tell; it need not have ended. `path` is a file, or a folder for TensorBoard. Blocks.
Result<void> exportRounds(RunExport form, const QString &stateDir, const QString &run, const QString &path);

}  // namespace hearth
