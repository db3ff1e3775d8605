// `hearth`: the exact search where it can be afforded, the best that local search finds elsewhere.
#include <QElapsedTimer>
#include <cmath>

#include "core/plan/cut_levels.h"
#include "core/plan/planners/local_steps.h"
#include "core/plan/planners/tools.h"
#include "core/plan/search/search.h"

namespace hearth {
namespace {

class HearthPlanner final : public Planner {
  public:
    QString name() const override { return QStringLiteral("hearth"); }
    PlannerSource source() const override { return {QStringLiteral("Hearth")}; }

    Result<Plan> plan(const CostModel &model, const PlannerOptions &options) const override {
        if (model.problem().localSteps.any())
            return planLocalSteps(model, name(), options);
        if (!model.problem().levels.empty())
            return planWithLevels(model, options);
        const auto found = searchPlans(model, options);
        if (!found)
            return noPlan(model, found.error() == NothingFound::Stopped);
        return answer(model, found->placement, found->proved, found->gap());
    }

  private:
    Plan answer(const CostModel &model, const Placement &placement, bool proved, double gap) const {
        Plan plan = planOf(model.problem(), name(), placement);
        Prediction claim;
        claim.provedOptimal = proved;
        claim.gap = gap;
        plan.prediction = claim;
        return plan;
    }

    /// Searches with the fewest bytes that any level gives, and no time for encoding: what no plan is shorter than
    /// there holds for all levels. Then the cuts get their levels.
    Result<Plan> planWithLevels(const CostModel &model, const PlannerOptions &options) const {
        QElapsedTimer timer;
        timer.start();
        PlannerOptions most = options;
        if (options.secondsLimit) {
            const qint64 limit = std::llround(*options.secondsLimit * searchedPart * 1000);
            most.cancelled = [&options, &timer, limit] { return timer.elapsed() >= limit || options.stopped(); };
        }
        const CostModel least(model.problem(), model.costs(), CostModel::Cuts::Least);
        const auto found = searchPlans(least, most);
        if (!found)
            return noPlan(model, found.error() == NothingFound::Stopped);
        Simulator simulator;
        const auto secondsOf = [&](Placement &placement) {
            chooseLevels(model, placement);
            return simulatedSeconds(simulator, stepsOf(model, placement), model.problem().batch / placement.microBatch,
                                    placement.schedule);
        };
        Placement best = found->placement;
        double seconds = secondsOf(best);
        // Cuts where nothing need be encoded may be better, as encoding is not free, or not much worse.
        if (isLossy(best) || seconds > found->seconds * (1 + relaxedPart)) {
            if (auto plain = searchPlans(model, options)) {
                const double exact = plain->seconds, other = secondsOf(plain->placement);
                if (other < seconds || seconds > exact * (1 - leastGain)) {
                    best = plain->placement;
                    seconds = other;
                }
            }
        }
        const double bound = std::min(found->lowerBound, found->seconds);
        return answer(model, best, found->proved && seconds <= found->seconds * (1 + 1e-9),
                      seconds > 0 ? std::max(0.0, 1 - bound / seconds) : 0);
    }

    /// Of the time that there is.
    static constexpr double searchedPart = 0.7;
};

}  // namespace

std::unique_ptr<Planner> makeHearthPlanner() {
    return std::make_unique<HearthPlanner>();
}

}  // namespace hearth
