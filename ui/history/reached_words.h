// What a run reached, in the words of the window.
#pragma once

#include <QString>
#include <optional>

#include "core/history/run_results.h"
#include "core/history/run_summary.h"

namespace hearth {

/// A few sentences for somebody who was not there. GUI thread.
QString reachedWords(const RunSummary &run, const std::optional<RunResults> &results);

}  // namespace hearth
