// Where the command line finds a run that a person names.
#pragma once

#include <QString>

#include "core/base/error.h"

namespace hearth {

/// The folder of the run that is called `word`: by its id, or by a name that only one run has. Error "run.unknown".
Result<QString> folderOfRun(const QString &stateDir, const QString &word);

}  // namespace hearth
