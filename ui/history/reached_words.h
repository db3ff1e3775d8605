// What a run reached, in the words of the window.
#pragma once

#include <QString>
#include <optional>

#include "core/history/run_results.h"
#include "ui/run/run_facts.h"

namespace hearth {

/// A few sentences for somebody who was not there. GUI thread.
QString reachedWords(const ShownRun &run, const std::optional<RunResults> &results);

}  // namespace hearth
