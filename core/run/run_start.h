// How a run begins: from its devices to workers, measurements and the first plan.
#pragma once

#include <QObject>
#include <QTimer>

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
/// may be well, and are connected again. A run that trains waits while all its devices rest, also where they begin to
/// rest before there is a plan. Until then it goes on without a device that is lost. Where the plan is for more than
/// itself, and may become another one where there are rounds, devices that the home can predict need not measure first
/// (ProfileScope::guesses); they have to where no plan then leaves room for all that is kept. The coordinator's thread;
/// what it is given outlives it.
class RunStart : public QObject {
    Q_OBJECT
  public:
    RunStart(const RunContext &run, PlanInForce &current, Replanner &replanner, CheckpointFolder &folder,
             Evaluator &evaluator, BestWeights &best, CodecGuard &guard, Reconfiguration &reconfiguration,
             QObject *parent = nullptr);

    void begin();
    /// After connected(), and after doubted().
    void measure();
    /// After measured().
    void plan();

    /// All devices rest: it begins by itself when they take work.
    bool isAwaiting() const { return m_awaits; }
    /// Nobody waits a night for a measurement or an answer.
    bool mayAwait() const { return m_run.request.kind == RunKind::Train; }
    /// A device that it cannot do without rests before there is a plan: its workers end, and it begins anew when enough
    /// devices take work.
    void beginAgain();
    /// One that trains does not begin before it is resumed; that it was so under the coordinator before, it knows by
    /// itself.
    void setPaused(bool paused);
    bool isPaused() const { return m_isPaused; }
    /// While it is awaiting: a device is another, or new, or was taken out of the run.
    void lookAgain();
    /// Nobody is left to begin with, or a given plan needs a device that was taken out of the run.
    bool lacksDevices() const;
    bool isConnecting() const { return m_connecting != nullptr; }
    /// False: it is too late, or too early, to do without one.
    bool mayLose(const QString &device) const;
    void goOnWithout(const QString &device);
    /// One that the run did not know, before its devices are measured: it begins with it, or it joins later.
    void meet(const QString &device);
    /// Devices that it has done without, those that rested when it began included; once.
    QStringList takeMissed() { return std::exchange(m_missed, {}); }
    void stop();

  Q_SIGNALS:
    /// It waits for devices, and that was told.
    void awaited();
    /// Workers are about to be asked for.
    void started();
    void connected();
    void measured();
    void planned(const hearth::Plan &plan);
    /// There is no plan before devices have measured what was guessed.
    void doubted();
    /// The run has a plan and rounds behind it; its workers are looked for.
    void takenUp(const hearth::RunProgress &progress);
    /// Those that are still there are connected.
    void reconnected();
    void lost(const QString &device, const hearth::Error &error);
    void failed(const hearth::Error &error);

  private:
    void beginAnew();
    void beginWithDevices();
    /// What nobody is likely to mean of network and data; false: the run is over.
    bool tellMisfit() const;
    /// What of the data is gone; false: the run is over.
    bool tellGone() const;
    /// Likewise, and whether there are as many as when the run began.
    bool tellChanges(const RunProgress &begun) const;
    /// What asking the network takes later; a run that was begun by an older version has none of it.
    Result<void> describeData() const;
    RunProgress readProgress();
    void resume();
    void takeUp();
    /// Those that the run is to begin with, but who was sent away; all of a plan that is given.
    std::vector<DeviceInfo> wanted() const;
    bool isSentAway(const DeviceInfo &device) const;
    /// False: it cannot begin any more, and that was told.
    bool mustHaveDevices();
    /// Enough of them take work now.
    bool canBegin() const;
    bool mayBegin() const { return !m_isPaused && canBegin(); }
    void await();
    /// What the run waits for; false: it is over.
    bool tellRest() const;
    void beginWith();
    void connectWorkers(const std::vector<DeviceInfo> &devices);
    void reconnect(const std::vector<RunStateFile::Worker> &workers, qint64 rounds);
    /// Those that rested when the run began, or appeared since: they have no worker, and join it as they would have.
    void expectOthers();
    void takeSessions();
    void startPlanning();
    void doubt();

    RunContext m_run;
    PlanInForce &m_current;
    Replanner &m_replanner;
    CheckpointFolder &m_folder;
    Evaluator &m_evaluator;
    BestWeights &m_best;
    CodecGuard &m_guard;
    Reconfiguration &m_reconfiguration;
    Operation<ConnectWorkers> m_connecting;
    Measuring m_profiling;
    Operation<PlanTask> m_planning;
    QStringList m_missed;
    bool m_awaits = false, m_isPaused = false;
    bool m_mustMeasure = false;  // guesses do not do
    QTimer m_gathering;          // devices whose hours begin at the same time begin together
};

}  // namespace hearth
