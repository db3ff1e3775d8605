// From a person's words (job file, names, paths) to the order that the agent takes.
#pragma once

#include <QJsonObject>
#include <QStringList>

#include "core/base/error.h"
#include "core/run/files/run_info.h"
#include "core/run/job.h"

namespace hearth {

/// Paths and words as the person gave them; empty where not given.
struct OrderFiles {
    QString plan;
    QString weights;
    QString save;
    QString trace;
    QString trustedFabric;     // "machine" or "network"
    QJsonObject safety{};      // as SafetyOptions reads it
    bool partial = false;      // the weights need not be all of the model's
    bool needsWeights = true;  // those that a network came with are written where the run finds them
};

/// Reads the job file, or takes the built-in default for an empty path.
Result<Job> readJob(const QString &path);

/// Resolves what has to travel by value: the model's description, the plan's JSON, absolute paths for this user's
/// files. Errors name the file or word that is wrong and what there is. Reads files; any thread.
Result<RunOrder> makeOrder(const Job &job, const OrderFiles &files = {});

/// The order that a run which has ended goes on, with the job, the model and the weights of its folder: `files.weights`
/// is not looked at.
Result<RunOrder> makeResumeOrder(const QString &run, const OrderFiles &files = {});

}  // namespace hearth
