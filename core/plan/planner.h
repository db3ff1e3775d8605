// Planners and their registry. One file per planner; a new one joins by one line in planner.cpp.
#pragma once

#include <QStringList>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/plan/cost_model.h"
#include "core/plan/plan.h"

namespace hearth {

/// How far a planner has come: the shortest simulated round of a plan it holds, and by how much of it an even better
/// plan may still be shorter (0: proved the best).
struct PlanningProgress {
    double roundSeconds = 0;
    double gap = 0;
};

/// Limits concern planners that search for as long as they are let; the others end by themselves.
struct PlannerOptions {
    /// Asked now and then; true ends the search with the best plan so far. Planners that have none yet go on to their
    /// first.
    std::function<bool()> cancelled;
    /// Asked more often; true says that nobody waits for an answer any more. It ends every planner soon, also those
    /// that have no plan yet: the answer is the error "plan.stopped".
    std::function<bool()> abandoned = {};
    /// When this is over makePlan() ends planners as `cancelled` does.
    std::optional<double> secondsLimit;
    /// The part that is over of the time until `cancelled` is true, 0 to 1, where the caller knows it: a search divides
    /// its time better.
    std::function<double()> spentPart;
    /// Steps of the search (plans judged or bounded); unlike seconds the same on every machine.
    std::optional<quint64> stepLimit;
    /// Called from the planning thread, now and then.
    std::function<void(const PlanningProgress &)> progress;

    bool isAbandoned() const { return abandoned && abandoned(); }
    bool stopped() const { return isAbandoned() || (cancelled && cancelled()); }
    /// Whether a planner ends that has a plan, or has none yet.
    bool isOver(bool hasPlan) const { return isAbandoned() || (hasPlan && stopped()); }
};

/// What people call a planner, and whom it follows.
struct PlannerSource {
    Sentence title;
    QString paper = {};  // where it was published; empty: nowhere
    int year = 0;        // likewise, then 0
};

/// A planner reads times only through the cost model. It returns a plan that is valid for the problem, whose prediction
/// makePlan() writes; only whether it is proved optimal, and the gap, may be the planner's. Of an abandoned search any
/// result will do. A planner that knows no
/// memory limits returns a plan that does not fit rather than repair it; one that obeys them returns an error with the
/// bytes needed and available. Stateless, any thread.
class Planner {
  public:
    virtual ~Planner() = default;
    virtual QString name() const = 0;
    virtual PlannerSource source() const = 0;
    virtual Result<Plan> plan(const CostModel &model, const PlannerOptions &options) const = 0;
};

const std::vector<std::unique_ptr<Planner>> &planners();
QStringList plannerNames();
/// The planner that runs and commands use unless told otherwise.
QString defaultPlanner();
/// Errors list the names, with the nearest word.
Result<const Planner *> findPlanner(const QString &name);

/// Runs one planner on a valid problem, for as long as the options let it, and judges the result by the simulator; the
/// prediction holds the planning time. Where its plan has no room for what devices keep it looks for one that has, and
/// then for one that a run takes without (planWithRoom()): each search may take as long.
Result<Plan> makePlan(const QString &planner, const PlanningProblem &problem, const PlannerOptions &options = {});
/// With another source of times than the problem's own.
Result<Plan> makePlan(const QString &planner, const PlanningProblem &problem, const CostSource &costs,
                      const PlannerOptions &options = {});
/// One search of it, whose plan nobody has judged; what the planner knows of it is in its prediction, if any.
Result<Plan> searchOnce(const QString &planner, const PlanningProblem &problem, const CostSource &costs,
                        const PlannerOptions &options);

/// One file each.
std::unique_ptr<Planner> makeHearthPlanner();
std::unique_ptr<Planner> makeAsteroidPlanner();
std::unique_ptr<Planner> makeDataParallelPlanner();
std::unique_ptr<Planner> makeSinglePlanner();
std::unique_ptr<Planner> makeEddlPlanner();
std::unique_ptr<Planner> makeGpipePlanner();
std::unique_ptr<Planner> makeOneForwardOneBackwardPlanner();
std::unique_ptr<Planner> makePipedreamPlanner();
std::unique_ptr<Planner> makeDapplePlanner();
std::unique_ptr<Planner> makeHetpipePlanner();
std::unique_ptr<Planner> makeAlpaPlanner();
std::unique_ptr<Planner> makeFtpipehdPlanner();

}  // namespace hearth
