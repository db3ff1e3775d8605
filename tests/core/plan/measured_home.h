// A problem with the costs and the model that refer to it.
#pragma once

#include "core/plan/cost_model.h"

namespace hearth::test {

/// Stays where it is: the model refers to the problem.
struct MeasuredHome {
    const PlanningProblem problem;
    const CostModel model;
    explicit MeasuredHome(PlanningProblem given) : problem(std::move(given)), model(problem) {}
    MeasuredHome(const MeasuredHome &) = delete;
    MeasuredHome &operator=(const MeasuredHome &) = delete;
};

}  // namespace hearth::test
