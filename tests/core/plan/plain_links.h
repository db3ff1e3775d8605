// The links of a home once more, from the description of the format alone: independent of LinkTable.
#pragma once

#include <vector>

#include "core/plan/problem.h"

namespace hearth::test {

/// By the device's place in the problem; -1: it has none.
int placeOf(const PlanningProblem &problem, const QString &id);

/// By devices, in bytes per second and seconds. Plain value; needs the problem no more once it is made.
struct PlainLinks {
    explicit PlainLinks(const PlanningProblem &problem);

    std::vector<std::vector<double>> rate, latency;  // [from][to]
    std::vector<double> up, down, airRate;           // of cards; of media
    /// One card for all that the device sends and receives; else each cut has one for it.
    std::vector<bool> ownCard;
    std::vector<bool> half;
    std::vector<int> medium;  // -1: none
};

}  // namespace hearth::test
