// The coordinator of one run: a state machine from a job to trained weights.
#pragma once

#include <QCborMap>
#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/run/deadlines.h"
#include "core/run/kept_notes.h"
#include "core/run/links.h"
#include "core/run/run_directory.h"
#include "core/run/run_request.h"
#include "core/run/run_state.h"

namespace hearth {

/// Lives in one thread, that of its links; owns channels and workers' sessions. Never blocks longer than it takes to
/// copy one micro-batch. `agent`, `connector` and `directory` must outlive it. Whatever is lost once there is a plan,
/// the run goes on with what is left (Asteroid, pipeline replay; FTPipeHD, recovery from several failures); every other
/// failure ends in the state Failed with an "error" event, and whatever the end, all workers are stopped.
///
/// Its states, and what leads from one to the next (RunTurn; the rows are those of nextState()):
///
///     Idle        Started → Connecting    TakenUp → Recovering          AllRest → Waiting
///     Connecting  Connected → Profiling                                 AllRest → Waiting
///     Profiling   Measured → Planning     Done → Finished               AllRest → Waiting
///     Planning    Planned → Deploying     Doubted → Profiling           Done → Finished      AllRest → Waiting
///     Deploying   Deployed → Training     Lost → Recovering             AllRest → Waiting
///     Training    PlanDue → Switching     EvaluationDue → Evaluating    SaveDue → Saving     PauseDue → Paused
///                 Woken → Training        Lost → Recovering             Done → Finished
///     Recovering  Deployed → Training     Lost → Recovering             AllRest → Waiting
///     Switching   Deployed → Training     Lost → Recovering             AllRest → Waiting
///     Waiting     Started → Connecting    Lost → Recovering
///     Evaluating  Evaluated → Training    Lost → Recovering
///     Saving      Collected → Training    Lost → Recovering             Done → Finished
///     Paused      Woken → Training        Lost → Recovering
///     all these   Stopped → Stopped       Failed → Failed
///
/// A run that only answers is Paused until somebody asks, and Evaluating then. In Deploying, Recovering and Switching
/// the steps are those of Reconfiguration.
class Coordinator : public QObject {
    Q_OBJECT
  public:
    Coordinator(RunRequest request, RunInputs inputs, AgentLink &agent, WorkerConnector &connector,
                RunDirectory &directory, RunDeadlines deadlines = {}, QObject *parent = nullptr);
    ~Coordinator() override;

    /// Begins; returns at once. What the agent tells before waits, and is heard once the run has told its first event.
    void start();
    RunState state() const;
    /// As AgentLink::command() says, save with an optional {"path"}. What cannot be done now is done at the next
    /// boundary between rounds; an event says so where it never can.
    void command(const QCborMap &command);
    /// What the network says of these samples (RunQuestions::ask). Error "run.asks-nothing": the run was not ordered to
    /// answer.
    void ask(const QByteArray &samples, std::optional<qint64> row,
             std::function<void(Result<std::vector<double>>)> answer);

  Q_SIGNALS:
    void stateChanged(hearth::RunState state);
    /// Exactly once, in the state Finished, Stopped or Failed, after the last event was written.
    void ended(hearth::RunState state);

  private:
    class Private;
    std::unique_ptr<Private> d;
    std::unique_ptr<KeptNotes> m_early;  // none: it has begun
};

}  // namespace hearth
