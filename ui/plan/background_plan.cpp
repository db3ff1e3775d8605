#include "ui/plan/background_plan.h"

#include "core/base/priority.h"

namespace hearth {

void BackgroundPlan::start(PlanningProblem problem, Search search, std::function<void(const Result<Plan> &)> done) {
    cancel();
    m_task = std::make_unique<BackgroundTask>();
    const auto over = [this, done = std::move(done)](const Result<Plan> &found) {
        m_task.reset();
        done(found);
    };
    m_task->start<Plan>(
        this,
        [problem = std::move(problem), search = std::move(search), cancelled = m_task->cancelled()] {
            lowerThreadPriority(backgroundNice);
            return search(problem, [cancelled] { return cancelled->load(); });
        },
        [over](const Plan &plan) { over(plan); }, [over](const Error &error) { over(tl::unexpected(error)); });
}

}  // namespace hearth
