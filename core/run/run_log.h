// The record of one run, as all parts of its coordinator write it.
#pragma once

#include <functional>

#include "core/base/error.h"
#include "core/run/links.h"
#include "core/run/run_directory.h"

namespace hearth {

/// Writes each event to the run's folder, and tells the agent of it afterwards. What cannot be recorded must not go on:
/// nobody would see it, and nothing could be resumed. The coordinator's thread; owns nothing.
class RunLog {
  public:
    /// `failed` is called once, when an event could not be written.
    RunLog(RunDirectory &directory, AgentLink &agent, std::function<void()> failed)
        : m_directory(directory), m_agent(agent), m_failed(std::move(failed)) {}

    /// False: it was not written, and the run is over.
    bool record(const RunEventBody &body);
    /// A warning with what this error says, and its own advice or another one.
    bool warn(const Error &error) { return warn(error, error.advice); }
    bool warn(const Error &error, const Sentence &advice);
    /// A worker, and what was wrong with its start.
    bool recordWorker(const QString &device, const WorkerAddress &worker);
    /// Nothing is written any more.
    void close() { m_isOpen = false; }
    /// False: the run is over.
    bool isOpen() const { return m_isOpen; }
    /// A checkpoint would take the space that was given up for the record.
    bool isShortOfSpace() const { return m_directory.isShortOfSpace(); }
    double seconds() const { return m_directory.seconds(); }

  private:
    RunDirectory &m_directory;
    AgentLink &m_agent;
    std::function<void()> m_failed;
    bool m_isOpen = true;
};

}  // namespace hearth
