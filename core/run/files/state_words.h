// What the words of "state" events mean for whoever asks whether a run is over.
#pragma once

#include <QString>

namespace hearth {

/// "finished", "stopped" or "failed": no state follows, unless the run is taken up again.
bool isFinalState(const QString &state);
/// Neither final nor "interrupted", which says that the coordinator ended without a final one.
bool isUnderWay(const QString &state);

}  // namespace hearth
