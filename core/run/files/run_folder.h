// What a run's folder must hold for the run to go on, where its weights are, and how large it is.
#pragma once

#include <QString>

#include "core/base/error.h"
#include "core/run/files/run_info.h"

namespace hearth {

/// As they were saved last, or of the best evaluation.
enum class RunWeights { Last, Best };
QString weightsPath(const QString &folder, RunWeights which);
/// The same where they are there. Errors "run.no-weights", "run.no-best-weights". Any thread.
Result<QString> savedWeights(const QString &folder, RunWeights which);
/// Last or best ones. Any thread.
bool hasWeights(const QString &folder);
/// Writes a copy of them, whole or not at all. Errors: those of savedWeights(), openPlainFile() and saveFile(). Any
/// thread; blocks while it copies.
Result<void> copyWeights(const QString &folder, RunWeights which, const QString &to);

/// The sizes of all files in a run's folder and below it, in bytes; links are not followed. Any thread; blocks while it
/// looks at every file.
qint64 bytesOfRun(const QString &folder);

/// A run of its own that trains nothing and does this `only` ("evaluate", "answer") with the network of a run's folder
/// and the weights of this file. Errors: those of readJsonFile(). Any thread.
Result<RunOrder> orderOfRun(const QString &folder, const QString &weights, const QString &only);

/// `checkpoints`: a folder for each version, until the run has done all its rounds.
QString checkpointsPath(const QString &folder);
/// The same while they are being removed: whatever becomes of that, the run cannot go on from half of one.
QString spentCheckpointsPath(const QString &folder);
/// It has ended with all its rounds done: it never goes on.
bool isDone(const RunInfo &run);

/// A run that has ended before its last round goes on from its newest checkpoint (`checkpoints/<version>/`), with the
/// job and the model of its folder. Errors say what is missing and what to do instead: "run.finished",
/// "run.no-checkpoint", "run.no-job". Whether a checkpoint is whole is seen when it is read. Any thread.
Result<void> mustBeResumable(const QString &folder, const RunInfo &run);

}  // namespace hearth
