// After which round the weights of a run were saved.
#pragma once

#include <optional>

#include "core/run/files/run_folder.h"

namespace hearth {

/// Nothing where the file is not there or does not say it. Reads its head. Any thread.
std::optional<qint64> roundOfWeights(const QString &weights);

/// The last ones, else the best. The best, too, where they are of a later round: the run went on after it had saved the
/// last ones, and broke off. Nothing where it has saved none. Any thread.
std::optional<RunWeights> weightsToTake(const QString &folder);

}  // namespace hearth
