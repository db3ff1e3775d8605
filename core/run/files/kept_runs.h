// The runs of a demo home, kept when it ends.
#pragma once

#include <QString>

#include "core/base/error.h"

namespace hearth {

/// Copies what tells the story of every run of one state folder (job, model, plans, events, weights, tokenizer) to the
/// runs of another, whose folders are made. Runs may still be under way: the copy then ends with the state "stopped".
/// Checkpoints stay behind: the devices that could go on with them are gone. A run that is there already is left alone.
/// The first error is returned; the other runs are kept nevertheless. Any thread; blocks while it copies.
Result<void> keepRuns(const QString &fromStateDir, const QString &toStateDir);

}  // namespace hearth
