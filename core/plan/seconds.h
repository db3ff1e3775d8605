// Two numbers of seconds that searches and simulated rounds share.
#pragma once

#include <limits>

namespace hearth {

/// What never ends takes so long: a plan that no memory holds, a step before which nothing arrives.
inline constexpr double never = std::numeric_limits<double>::infinity();

/// A round must be shorter than this part of another one to be better: below it is what rounding makes of equal ones.
inline constexpr double worthwhile = 1 - 1e-9;

}  // namespace hearth
