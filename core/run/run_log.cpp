#include "core/run/run_log.h"

namespace hearth {

bool RunLog::record(const RunEventBody &body) {
    if (!m_isOpen)
        return false;
    const auto seq = m_directory.append(body);
    if (seq) {
        m_agent.eventWritten(*seq);
        if (!m_directory.takeDiskFull())
            return true;
        return record(event::Warning{
            sentence("The disk of the run's folder is full."),
            sentence("No space is left in %1.").arg(m_directory.path()),
            sentence("Free some space there. The run goes on without new checkpoints, until the little that it "
                     "holds for its record is used up, too.")});
    }
    m_isOpen = false;
    m_agent.failed(seq.error());
    m_failed();
    return false;
}

bool RunLog::warn(const Error &error, const Sentence &advice) {
    return record(event::Warning{error.what, error.cause, advice});
}

bool RunLog::recordWorker(const QString &device, const WorkerAddress &worker) {
    return record(event::Worker{device, worker.pid}) && (!worker.warning || warn(*worker.warning));
}

}  // namespace hearth
