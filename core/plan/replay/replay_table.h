// Answers to every single loss, worked out before it happens, so that recovery begins with a look-up.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "core/plan/replay/replay.h"

namespace hearth {

using ReplayAnswers = QMap<QString, Result<Replay>>;

/// recover() for the loss of each device alone, by device; `request.lost` is not read. Those of the plan first. Ends
/// early, with what it has, once `request.planning.cancelled` says so. `each`, when given, hears of every answer.
ReplayAnswers answersToSingleLosses(const CostModel &model, const Plan &plan, const ReplayRequest &request,
                                    const QString &planner,
                                    const std::function<void(const QString &, const Result<Replay> &)> &each = {});

/// Works in a thread of its own on copies. All functions may be called from any thread.
class ReplayTable {
  public:
    explicit ReplayTable(QString planner);
    ~ReplayTable();  // ends the work that is under way
    ReplayTable(const ReplayTable &) = delete;
    ReplayTable &operator=(const ReplayTable &) = delete;

    /// Forgets all answers and begins with this plan; work on an older one ends. `request.planning.cancelled` is not
    /// asked.
    void update(PlanningProblem problem, Plan plan, ReplayRequest request);
    /// For the newest plan; nothing while it is not known.
    std::optional<Result<Replay>> answer(const QString &device) const;
    /// All answers for the newest plan are known.
    bool complete() const;
    /// Waits until they are.
    void waitUntilComplete() const;

  private:
    struct Task {
        PlanningProblem problem;
        Plan plan;
        ReplayRequest request;
        quint64 number = 0;
    };
    void work();
    void compute(const Task &task);
    bool outdated(quint64 number) const;

    const QString m_planner;
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_changed;
    std::unique_ptr<Task> m_next;  // not begun
    quint64 m_newest = 0;
    quint64 m_finished = 0;  // number of the last task that came to its end
    bool m_ending = false;
    ReplayAnswers m_answers;  // of the newest
    std::thread m_thread;     // last: works with all of the above
};

}  // namespace hearth
