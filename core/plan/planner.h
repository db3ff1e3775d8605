// Planners and their registry. One file per planner; a new one joins by one line in planner.cpp.
#pragma once

#include <QStringList>
#include <functional>
#include <memory>
#include <vector>

#include "core/plan/cost_model.h"
#include "core/plan/evaluate.h"
#include "core/plan/plan.h"

namespace hearth {

struct PlannerOptions {
    /// Asked now and then; true ends the search with the best plan so far, or an error when there is none.
    std::function<bool()> cancelled;
};

/// A planner reads times only through the cost model and returns a valid plan, predicted by the simulator. A planner
/// that knows no memory limits (dp, single when nothing fits) returns a plan that says so; one that obeys them returns
/// an error with the bytes needed and available. Stateless, any thread.
class Planner {
  public:
    virtual ~Planner() = default;
    virtual QString name() const = 0;
    /// Paper or code that it follows, for people.
    virtual QString source() const = 0;
    virtual Result<Plan> plan(const CostModel &model, const PlannerOptions &options) const = 0;
};

const std::vector<std::unique_ptr<Planner>> &planners();
QStringList plannerNames();
/// Errors list the names, with the nearest word.
Result<const Planner *> findPlanner(const QString &name);

/// Runs one planner on a valid problem with its measured times; the prediction holds the planning time.
Result<Plan> makePlan(const QString &planner, const PlanningProblem &problem, const PlannerOptions &options = {});
/// With another source of times.
Result<Plan> makePlan(const QString &planner, const PlanningProblem &problem, const CostSource &costs,
                      const PlannerOptions &options = {});

/// The micro-batch sizes that a planner may choose from: the fixed one, or the divisors of the batch, descending.
std::vector<int> microBatchChoices(const PlanningProblem &problem);

}  // namespace hearth
