// Where the command line finds a run that a person names.
#pragma once

#include <QString>

#include "core/run/files/run_folder.h"

namespace hearth {

/// That this user may look into this part of a state folder: those of the system's service are its user's alone. Error
/// "state.unreadable"; one that is not there is none.
Result<void> mustBeOpenTo(const QString &stateDir, const QString &name);
/// The folder of the run that is called `word`: by its id, or by a name that only one run has. Errors "run.unknown",
/// "run.ambiguous", "state.unreadable".
Result<QString> folderOfRun(const QString &stateDir, const QString &word);
/// Its id.
Result<QString> idOfRun(const QString &stateDir, const QString &word);
/// What an agent is asked about: the id of the run that has this name, else the word as it is, since a system's agent
/// has folders that its users cannot read. Errors "run.ambiguous", and "state.unreadable" of what can be no id.
Result<QString> runToAsk(const QString &stateDir, const QString &word);

/// Tells after which round the weights that are taken from a run's folder were saved, where that may surprise.
void noteWeights(const QString &folder, RunWeights which);

}  // namespace hearth
