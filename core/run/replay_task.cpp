#include "core/run/replay_task.h"

#include <optional>

namespace hearth {

ReplayTask::~ReplayTask() {
    m_cancelled->store(true);
    if (m_thread)
        m_thread->wait();
}

void ReplayTask::start(PlanningProblem problem, Plan plan, ReplayRequest request, const QString &planner, bool heavy) {
    const auto result = std::make_shared<std::optional<Result<Replay>>>();
    request.planning.cancelled = [cancelled = m_cancelled] { return cancelled->load(); };
    m_thread.reset(QThread::create(
        [problem = std::move(problem), plan = std::move(plan), request = std::move(request), planner, heavy, result] {
            const MeasuredCosts costs(problem.times);
            const CostModel model(problem, costs);
            *result = heavy ? heavyRescheduling(model, plan, request, planner) : recover(model, plan, request, planner);
        }));
    connect(m_thread.get(), &QThread::finished, this, [this, result] {
        if (!*result)
            return;
        if (**result)
            Q_EMIT finished(***result);
        else
            Q_EMIT failed((*result)->error());
    });
    m_thread->start();
}

}  // namespace hearth
