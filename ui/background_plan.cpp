#include "ui/background_plan.h"

namespace hearth {

BackgroundPlan::~BackgroundPlan() {
    cancel();
}

void BackgroundPlan::cancel() {
    if (!m_thread)
        return;
    *m_cancelled = true;
    m_thread->wait();
    m_thread.reset();
}

void BackgroundPlan::start(PlanningProblem problem, Search search, std::function<void(const Result<Plan> &)> done) {
    cancel();
    m_cancelled = std::make_shared<std::atomic<bool>>(false);
    auto answer = std::make_shared<Result<Plan>>(Plan());
    m_thread.reset(
        QThread::create([problem = std::move(problem), search = std::move(search), answer, cancelled = m_cancelled] {
            *answer = search(problem, [cancelled] { return cancelled->load(); });
        }));
    connect(m_thread.get(), &QThread::finished, this, [this, answer, done = std::move(done), cancelled = m_cancelled] {
        // The end of a search that was given up may still be on its way.
        if (*cancelled || cancelled != m_cancelled)
            return;
        m_thread->wait();
        m_thread.reset();
        done(*answer);
    });
    m_thread->start(QThread::LowPriority);
}

}  // namespace hearth
