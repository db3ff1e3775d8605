// How a run says that it does not take a plan that a person asked it to change to.
#pragma once

#include <QString>

#include "core/run/run_event.h"

namespace hearth {

/// The warning of a refused plan: what and cause are the error's, the advice begins with what follows from it.
inline event::Warning planRefused(const Error &error) {
    return {error.what, error.cause, Sentence::joined({sentence("The plan in force stays."), error.advice})};
}

/// The same of a run that has no plan yet.
inline event::Warning firstPlanRefused(const Error &error) {
    return {error.what, error.cause, Sentence::joined({sentence("The run begins without it."), error.advice})};
}

/// Whether a warning is one of these: events carry no code that tells.
inline bool isPlanRefused(const event::Warning &warning) {
    return warning.advice.startsWith(planRefused({}).advice.english()) ||
           warning.advice.startsWith(firstPlanRefused({}).advice.english());
}

}  // namespace hearth
