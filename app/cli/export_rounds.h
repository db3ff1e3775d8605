// The rounds of a run, for other programs and for people.
#pragma once

#include "app/cli/command.h"
#include "core/base/error.h"

namespace hearth {

class RunIndex;

/// An option of `hearth export`, and what it writes.
struct RoundsOption {
    const char *name;
    const char *place;  // "FILE" or "FOLDER"
    const char *help;
    /// What is written of a run of the index.
    Result<void> (*write)(RunIndex &index, const QString &run, const QString &path);
};

/// All of them.
const std::vector<RoundsOption> &roundsOptions();

/// What the run's events tell; it need not have ended. `path` is a file, or a folder for TensorBoard. Blocks.
Result<void> exportRounds(const RoundsOption &option, const QString &stateDir, const QString &run, const QString &path);

}  // namespace hearth
