#include "ui/plan/background_plan.h"

#include "core/base/priority.h"

namespace hearth {

void BackgroundPlan::start(PlanningProblem problem, Search search, std::function<void(const Result<Plan> &)> done) {
    cancel();
    m_task = std::make_unique<BackgroundTask>();
    const auto over = [this, task = m_task.get(), done = std::move(done)](const Result<Plan> &found) {
        if (task != m_task.get()) {
            std::erase_if(m_unwanted, [task](const auto &each) { return each.get() == task; });
            return;
        }
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

void BackgroundPlan::cancel() {
    if (!m_task)
        return;
    m_task->giveUp();
    m_unwanted.push_back(std::move(m_task));
}

}  // namespace hearth
