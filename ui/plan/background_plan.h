// A search for a plan in a thread of its own: the newest wins, and it ends when nobody wants it any more.
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <vector>

#include "core/base/background_task.h"
#include "core/plan/edit/edit.h"

namespace hearth {

/// GUI thread. One search at a time; a new one cancels the last, whose answer is dropped. Whoever cancels does not
/// wait: searches look only now and then whether they are wanted. Destroying it waits for those that have not ended
/// yet.
class BackgroundPlan : public QObject {
    Q_OBJECT
  public:
    using Cancelled = std::function<bool()>;
    using Search = std::function<Result<Plan>(const PlanningProblem &problem, const Cancelled &cancelled)>;

    using QObject::QObject;

    /// `done` is called in this thread.
    void start(PlanningProblem problem, Search search, std::function<void(const Result<Plan> &)> done);
    void cancel();
    bool isRunning() const { return m_task != nullptr; }

  private:
    std::unique_ptr<BackgroundTask> m_task;
    std::vector<std::unique_ptr<BackgroundTask>> m_unwanted;  // still at work
};

}  // namespace hearth
