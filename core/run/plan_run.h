// The third step of a run: the plan, made or given, and checked against this home.
#pragma once

#include <QObject>
#include <optional>
#include <vector>

#include "core/base/background_task.h"
#include "core/data/dataset.h"
#include "core/home/device_info.h"
#include "core/model/model.h"
#include "core/plan/plan.h"
#include "core/plan/problem.h"
#include "core/run/job.h"
#include "core/run/profile_workers.h"
#include "core/run/run_request.h"
#include "core/run/worker_session.h"

namespace hearth {

/// The workers of the data device do not reach all others. This process does, over connections of its own: inputs must
/// not keep a plan from being made then, and cost nothing in the model.
bool servesApart(const LinkProfile &links, const QString &dataDevice);

/// That it computes something under this plan.
bool usesDevice(const Plan &plan, const QString &device);

/// A plan given by the user, devices by id or unique name; in the result by id. Checked: format, model hash and layers,
/// batch, every device known and ready. What needs measurements (memory, shares) is checked by PlanTask.
Result<Plan> readGivenPlan(const QJsonObject &json, const Job &job, const Model &model,
                           const std::vector<DeviceInfo> &devices);

/// The data device may be one that takes no part: then inputs cost nothing. With room for the states that workers
/// keep: snapshots of their own, and copies of others' where there are any (KeptVersions).
Result<PlanningProblem> problemOf(const RunRequest &request, const Dataset &data,
                                  const std::vector<WorkerSession *> &workers, const ProfileWorkers &measured);

/// The problem with all that a run has room for under that plan (judgeMemoryAsRun()): to be read without that plan.
PlanningProblem asJudged(PlanningProblem problem, const Plan &plan);

/// The error for a plan that cannot be run: pipelines side by side, or one that does not fit (every device with bytes
/// needed and available). `plan` has a prediction.
Result<void> checkFits(const Plan &plan, const std::vector<DeviceInfo> &devices);

/// Plans (or judges a given plan) in a thread of its own: a planner may think for seconds. After five, or half a one
/// (Manner), a search stops with the best plan so far: somebody waits, or the device that plans has a part in the
/// training. Gives up when destroyed.
class PlanTask : public QObject {
    Q_OBJECT
  public:
    /// What nobody waits for takes only what a training device leaves of its processor: it must not be measured as a
    /// device that became slower.
    enum class Manner {
        Awaited,
        Provisional,  // likewise, and another one follows once rounds tell how far its times are off
        Background
    };
    explicit PlanTask(Manner manner = Manner::Awaited, QObject *parent = nullptr) : QObject(parent), m_manner(manner) {}
    /// `withSchedule`: the prediction tells every task of the round, too.
    void start(PlanningProblem problem, const QString &planner, const std::optional<Plan> &given,
               bool withSchedule = false);

  Q_SIGNALS:
    /// With a prediction.
    void finished(const hearth::Plan &plan);
    void failed(const hearth::Error &error);

  private:
    const Manner m_manner;
    BackgroundTask m_task;
};

}  // namespace hearth
