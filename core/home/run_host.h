// One live run of this device: its coordinator process, and what the coordinator asks of its agent.
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/home/child_process.h"
#include "core/home/device_info.h"
#include "core/home/event_file.h"

namespace hearth {

/// Main thread. Follows the run's events.jsonl as it grows; when the coordinator dies without a final state, the last
/// word is written here.
class RunHost : public QObject {
    Q_OBJECT
  public:
    using Answer = std::function<void(Result<QCborMap>)>;
    /// Reading the job, the data set's header and the weights on a slow disk.
    static constexpr std::chrono::milliseconds startDeadline{30000};

    RunHost(const QString &id, const QString &folder, QObject *parent = nullptr);
    ~RunHost() override;

    /// Answers once the coordinator has taken the run. `request` is what `run.start` carried.
    void start(const QCborMap &request, const std::vector<DeviceInfo> &devices, QObject *context, Answer answer);
    const QString &id() const { return m_info.id; }
    const QString &folder() const { return m_folder; }
    const RunInfo &info() const { return m_info; }
    const QString &coordinator() const { return m_coordinator; }  // its fingerprint; empty before it has answered

    void command(const QCborMap &command);
    void tellWorkerExited(const QString &device, const Error &reason);
    void tellDeviceChanged(const DeviceInfo &device);
    /// The coordinator's input ends; it is killed after the grace.
    void stop();
    bool waitForEnd(std::chrono::milliseconds deadline);
    /// What state to note when it ends without a final one: "failed" with an error, or "interrupted" when the agent
    /// ends.
    void setInterrupting() { m_interrupting = true; }

  Q_SIGNALS:
    /// The agent answers by `reply`: start or stop this run's worker on `device`.
    void workerWanted(const QString &device, const hearth::Reply &reply);
    void workerUnwanted(const QString &device);
    void grew();  // there are new lines
    void stateChanged(const QString &state);
    void ended();  // the process is gone and the file is complete

  private:
    void follow();
    void finish(const Error &reason);

    QString m_folder;
    RunInfo m_info;
    EventReader m_reader;
    ChildProcess m_process;
    QString m_coordinator;
    bool m_interrupting = false;
    bool m_accepted = false;
};

}  // namespace hearth
