// Planning for the devices that are left, apart from the coordinator's thread.
#pragma once

#include <QObject>

#include "core/base/background_task.h"
#include "core/plan/replay/replay.h"

namespace hearth {

/// recover() of core/plan/replay on copies, in a thread of its own; where nothing fits, once more without room for the
/// copies of others' states that workers keep, then without room for any. Gives up when destroyed. One use.
class ReplayTask : public QObject {
    Q_OBJECT
  public:
    explicit ReplayTask(QObject *parent = nullptr) : QObject(parent) {}
    /// `heavy`: everything is planned anew, without trying what is light. `request.planning.cancelled` is set here.
    void start(PlanningProblem problem, Plan plan, ReplayRequest request, const QString &planner, bool heavy);

  Q_SIGNALS:
    void finished(const hearth::Replay &replay);
    void failed(const hearth::Error &error);

  private:
    BackgroundTask m_task;
};

}  // namespace hearth
