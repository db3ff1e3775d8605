// What a search of rows has at hand for one size of micro-batches.
#pragma once

#include "core/plan/search/border_fit.h"
#include "core/plan/search/device_sets.h"
#include "tests/core/plan/measured_home.h"

namespace hearth::test {

struct SearchDesk {
    MeasuredHome home;
    PlannerOptions options;
    SearchClock clock{options};
    std::vector<int> types = deviceTypes(home.model);
    GroupNumbers numbers{home.model};
    GroupCosts costs;
    BorderFit fit{home.model, clock};

    SearchDesk(PlanningProblem problem, int microBatch)
        : home(std::move(problem)), costs(home.model, numbers, {microBatch, true, true}) {}
};

}  // namespace hearth::test
