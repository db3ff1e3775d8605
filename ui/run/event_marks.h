// Events of a run as marks in its plots.
#pragma once

#include <optional>

#include "ui/run/run_model.h"

namespace hearth {

/// Nothing for events that the curves show themselves. `run` has taken the event already.
std::optional<EventMark> markOf(const RunEvent &event, const RunModel &run);

}  // namespace hearth
