// The coordinator of one run: a state machine from a job to trained weights.
#pragma once

#include <QCborMap>
#include <QObject>
#include <chrono>
#include <memory>

#include "core/base/error.h"
#include "core/run/links.h"
#include "core/run/run_directory.h"
#include "core/run/run_request.h"

namespace hearth {

/// How long each step may take; on expiry the run fails and says which device did not answer.
struct RunDeadlines {
    std::chrono::milliseconds workerStart{20'000};    // a worker loads LibTorch from a cold disk of a slow device
    std::chrono::milliseconds connect{10'000};        // TCP and TLS over a busy Wi-Fi
    std::chrono::milliseconds hello{10'000};          // the first call answers from an idle loop
    std::chrono::milliseconds profileQuiet{120'000};  // between two progress notes: one layer at the largest batch
    std::chrono::milliseconds linkProbe{60'000};      // 4 MiB at 100 kB/s and a connection
    std::chrono::milliseconds deploy{120'000};        // build and initialise layers, or receive them
    std::chrono::milliseconds roundQuiet{300'000};    // no report of any device while rounds are under way
    std::chrono::milliseconds weights{300'000};       // a stage's weights over a slow link
    std::chrono::milliseconds lastWords{2'000};       // a closed channel waits for the agent to say why
    std::chrono::milliseconds leave{1'000};           // a polite end; the agent ends the worker anyway
};

enum class RunState {
    Idle,
    Connecting,
    Profiling,
    Planning,
    Deploying,
    Training,
    Evaluating,
    Paused,
    Saving,
    Finished,
    Stopped,
    Failed,
};

/// What the "state" event calls it: several steps are one state to a reader of the run.
QString publicName(RunState state);

/// Lives in one thread, that of its links; owns channels and workers' sessions. Never blocks longer than it takes to
/// copy one micro-batch. `agent`, `connector` and `directory` must outlive it. Every failure ends in the state Failed
/// with an "error" event, and whatever the end, all workers are stopped.
class Coordinator : public QObject {
    Q_OBJECT
  public:
    Coordinator(RunRequest request, AgentLink &agent, WorkerConnector &connector, RunDirectory &directory,
                RunDeadlines deadlines = {}, QObject *parent = nullptr);
    ~Coordinator() override;

    /// Begins; returns at once.
    void start();
    RunState state() const;
    /// {"command": pause|resume|stop|evaluate|save}; those that do not fit the state are ignored.
    void command(const QCborMap &command);

  Q_SIGNALS:
    void stateChanged(hearth::RunState state);
    /// Exactly once, in the state Finished, Stopped or Failed, after the last event was written.
    void ended(hearth::RunState state);

  private:
    class Private;
    std::unique_ptr<Private> d;
};

}  // namespace hearth
