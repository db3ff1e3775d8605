// A job as a person keeps it: in a file, with a model and data beside it.
#pragma once

#include <QJsonObject>

#include "core/base/error.h"
#include "core/run/job.h"

namespace hearth {

/// The same JSON of a job, whose model and data are absolute where something lies in `folder` under their relative
/// paths; and where there is nothing at a path with a slash, so that errors say where it was looked for. All else
/// stays: built-in and registered names, as they come before files (a Hugging Face folder alone comes before a built-in
/// model), paths of the working folder, and what is not valid. Any thread; blocks.
QJsonObject withPathsFrom(const QString &folder, QJsonObject job);
/// That of a file, from its own folder. Errors: those of readJsonFile().
Result<QJsonObject> readJobFile(const QString &path);
/// Likewise, as a job. That of a run, whose paths are absolute and whose model has a mere name, is Job::load().
Result<Job> openJob(const QString &path);

}  // namespace hearth
