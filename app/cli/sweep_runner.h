// Runs the trials of a sweep one after the other through the local agent.
#pragma once

#include <functional>

#include "app/cli/agent_session.h"
#include "app/cli/progress_line.h"
#include "core/sweep/sweep.h"

namespace hearth {

/// Main thread; runs event loops. What it was given outlives it.
class SweepRunner {
  public:
    /// Called when a trial is over, or paused.
    using Told = std::function<void(std::size_t trial)>;

    /// `folder` is the sweep's own.
    SweepRunner(AgentClient &client, StopSignals &stops, const QString &stateDir, const QString &folder, Sweep &sweep);
    /// Until all trials are over. Errors end it where it is: Ctrl-C (interruptedCode()), the agent that went away or
    /// takes no run, devices that cannot be had, a disk that is full. What is wrong with one trial alone is kept with
    /// it, and the next one follows.
    Result<void> run(const Told &told);

  private:
    /// Each model is held against each of the data before the first run: people are still there to read it.
    void tellMisfits() const;
    /// Its run is under way, or over, from here on; or the trial has failed, or was stopped before its run began.
    Result<void> start(SweepTrial &trial);
    Result<void> begin(SweepTrial &trial);
    Result<std::optional<QString>> knownRunOf(const SweepTrial &trial, const RunOrder &order);
    /// Takes the events of a trial's run until it is over.
    Result<void> follow(std::size_t index);
    /// Of runs that nobody goes on with: a sweep of many runs would fill the disk with them.
    void dropCheckpoints();
    Result<void> save() const { return m_sweep.save(m_folder); }
    void showProgress(std::size_t index);

    AgentClient &m_client;
    StopSignals &m_stops;
    QString m_stateDir, m_folder;
    Sweep &m_sweep;
    ProgressLine m_progress;
    QStringList m_dropped;  // runs
    qint64 m_round = 0;     // of the run that is followed
};

}  // namespace hearth
