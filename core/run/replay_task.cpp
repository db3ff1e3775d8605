#include "core/run/replay_task.h"

namespace hearth {

void ReplayTask::start(PlanningProblem problem, Plan plan, ReplayRequest request, const QString &planner, bool heavy) {
    request.planning.cancelled = [cancelled = m_task.cancelled()] { return cancelled->load(); };
    m_task.start<Replay>(
        this,
        [problem = std::move(problem), plan = std::move(plan), request = std::move(request), planner, heavy]() mutable {
            const auto look = [&] {
                const CostModel model(problem);
                return heavy ? heavyRescheduling(model, plan, request, planner)
                             : recover(model, plan, request, planner);
            };
            auto found = look();
            const auto isGood = [&] { return found && found->plan.prediction->fits; };
            while (!isGood() && !request.planning.cancelled() && problem.keepLess())
                found = look();
            return found;
        },
        [this](const Replay &replay) { Q_EMIT finished(replay); },
        [this](const Error &error) { Q_EMIT failed(error); });
}

}  // namespace hearth
