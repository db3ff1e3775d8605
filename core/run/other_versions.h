// Devices of another version of Hearth than this run: what a person is told of them, and who takes no part for it.
#pragma once

#include <QMap>
#include <QString>
#include <optional>
#include <vector>

#include "core/run/run_log.h"
#include "core/run/worker_session.h"

namespace hearth {

/// Every build has a version of its own, and most get along. A version that nobody knows is none. The coordinator's
/// thread; `log` outlives it. Devices are named by their ids.
class OtherVersions {
  public:
    explicit OtherVersions(RunLog &log) : m_log(log) {}

    /// Warns of those whose worker or agent has another version, once of each version. False: the run is over.
    bool tell(const std::vector<WorkerSession *> &joined);
    /// The worker refused its part with this error. Where that may be for its version, the device is shut out, and the
    /// reason is returned.
    std::optional<Error> shutOut(const WorkerSession &worker, const Error &error);
    bool isShutOut(const QString &device) const { return m_shutOut.contains(device); }
    /// Also where it was asked once more, and has the same version still.
    bool isShutOut(const WorkerSession &worker) const;

  private:
    RunLog &m_log;
    QMap<QString, QString> m_told;     // the versions of its agent and of its worker
    QMap<QString, QString> m_shutOut;  // the version of its worker
};

}  // namespace hearth
