// How long looks at data are followed, and given up.
#pragma once

#include <functional>

#include "core/base/error.h"

namespace hearth {

/// Told while files are found and rows and texts read (`total` is 0), and while pictures are checked, from any thread;
/// gives up where it returns false, and says so to whoever asks after that. `done` is 0 where nobody counts.
using CheckProgress = std::function<bool(qint64 done, qint64 total)>;

/// The error then, "data.given-up".
inline tl::unexpected<Error> lookGivenUp() {
    return fail(QStringLiteral("data.given-up"), sentence("The data were not all looked at."));
}

/// The same; nothing while the look goes on.
inline Result<void> mayGoOn(const CheckProgress &progress, qint64 done) {
    if (!progress || progress(done, 0))
        return {};
    return lookGivenUp();
}

}  // namespace hearth
