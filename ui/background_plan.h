// A search for a plan in a thread of its own: the newest wins, and it ends when nobody wants it any more.
#pragma once

#include <QObject>
#include <QThread>
#include <atomic>
#include <functional>
#include <memory>

#include "core/plan/edit/edit.h"

namespace hearth {

/// GUI thread. One search at a time; a new one cancels the last, whose answer is dropped. Destroying it waits for the
/// end of the search, which is near once it is cancelled.
class BackgroundPlan : public QObject {
    Q_OBJECT
  public:
    using Cancelled = std::function<bool()>;
    using Search = std::function<Result<Plan>(const PlanningProblem &problem, const Cancelled &cancelled)>;

    using QObject::QObject;
    ~BackgroundPlan() override;

    /// `done` is called in this thread.
    void start(PlanningProblem problem, Search search, std::function<void(const Result<Plan> &)> done);
    void cancel();
    bool isRunning() const { return m_thread != nullptr; }

  private:
    std::unique_ptr<QThread> m_thread;
    std::shared_ptr<std::atomic<bool>> m_cancelled;
};

}  // namespace hearth
