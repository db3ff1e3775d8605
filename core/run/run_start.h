// How a run begins: from its devices to workers, measurements and the first plan.
#pragma once

#include <QObject>

#include "core/run/best_weights.h"
#include "core/run/connect_workers.h"
#include "core/run/evaluator.h"
#include "core/run/plan_in_force.h"
#include "core/run/plan_run.h"
#include "core/run/profile_workers.h"
#include "core/run/reconfiguration.h"
#include "core/run/run_context.h"
#include "core/run/run_progress.h"

namespace hearth {

/// Anew, from the newest checkpoint of a run that has ended, or in the place of a coordinator that died: then workers
/// may be well, and are connected again. Until there is a plan it goes on without a device that is lost. The
/// coordinator's thread; what it is given outlives it.
class RunStart : public QObject {
    Q_OBJECT
  public:
    RunStart(const RunContext &run, PlanInForce &current, Replanner &replanner, CheckpointFolder &folder,
             Evaluator &evaluator, BestWeights &best, CodecGuard &guard, Reconfiguration &reconfiguration,
             QObject *parent = nullptr);

    void begin();
    /// After connected().
    void measure();
    /// After measured().
    void plan();

    bool isConnecting() const { return m_connecting != nullptr; }
    /// False: it is too late, or too early, to do without one.
    bool mayLose(const QString &device) const;
    void goOnWithout(const QString &device);
    /// Devices that it has done without; once.
    QStringList takeMissed() { return std::exchange(m_missed, {}); }
    void stop();

  Q_SIGNALS:
    /// Workers are about to be asked for.
    void started();
    void connected();
    void measured();
    void planned(const hearth::Plan &plan);
    /// The run has a plan and rounds behind it; its workers are looked for.
    void takenUp(const hearth::RunProgress &progress);
    /// Those that are still there are connected.
    void reconnected();
    void lost(const QString &device, const hearth::Error &error);
    void failed(const hearth::Error &error);

  private:
    void beginAnew();
    void beginWithDevices();
    /// What of the data is gone; false: the run is over.
    bool tellGone() const;
    /// Likewise, and whether there are as many as when the run began.
    bool tellChanges(const RunProgress &begun) const;
    /// What asking the network takes later; a run that was begun by an older version has none of it.
    Result<void> describeData() const;
    RunProgress readProgress();
    void resume();
    void takeUp();
    void connectWorkers();
    void reconnect(const std::vector<RunStateFile::Worker> &workers, qint64 rounds);
    void takeSessions();
    void startPlanning();

    RunContext m_run;
    PlanInForce &m_current;
    Replanner &m_replanner;
    CheckpointFolder &m_folder;
    Evaluator &m_evaluator;
    BestWeights &m_best;
    CodecGuard &m_guard;
    Reconfiguration &m_reconfiguration;
    Operation<ConnectWorkers> m_connecting;
    Operation<ProfileWorkers> m_profiling;
    Operation<PlanTask> m_planning;
    QStringList m_missed;
};

}  // namespace hearth
