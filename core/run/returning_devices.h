// Gets workers back on devices that were lost, or that appear while a run goes on.
#pragma once

#include <QDeadlineTimer>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <map>
#include <memory>
#include <optional>

#include "core/run/connect_workers.h"

namespace hearth {

/// Asks each expected device's agent for a worker, again and again with growing pauses, until there is one. A worker
/// that was only silent is dialled first: it still has its states. The coordinator's thread.
class ReturningDevices : public QObject {
    Q_OBJECT
  public:
    /// A device that is off for the night costs next to nothing.
    static constexpr std::chrono::milliseconds longestPause{30'000};
    /// So long a worker that has lost its coordinator waits for it (WorkerOptions::orphanTimeout); longer than that
    /// there is nothing to be had of it.
    static constexpr std::chrono::milliseconds workersWait{30'000};
    /// Dialled often and not for long: what counts is how soon after the network is back.
    static constexpr std::chrono::milliseconds shortDial{2'000};
    /// So many of them in vain, on a device whose agent is well: the worker does nothing any more.
    static constexpr int dialsOfStuck = 2;

    ReturningDevices(QString run, AgentLink &agent, WorkerConnector &connector, const RunDeadlines &deadlines,
                     QObject *parent = nullptr);

    /// `silent`: where its worker listens, which may be well.
    void expect(const DeviceInfo &device, const std::optional<WorkerAddress> &silent = std::nullopt);
    /// What its agent is known to do. One that has just been heard of is asked without a pause.
    void changed(const DeviceInfo &device);
    /// Its agent has another address than before.
    void moved(const DeviceInfo &device);
    void forget(const QString &device);
    void forgetAll();
    bool expects(const QString &device) const { return m_devices.contains(device); }
    /// Some device's worker of before may still be there, with its states.
    bool mayHaveStates() const;

  Q_SIGNALS:
    void workerStarted(const QString &device, const hearth::WorkerAddress &address);
    /// It is connected and has said hello; call takeSession() in a slot.
    void returned(const QString &device);
    /// Its worker of before is gone, and its states with it; a new one is asked for.
    void statesGone(const QString &device);

  public:
    std::unique_ptr<WorkerSession> takeSession(const QString &device);

  private:
    struct Device {
        DeviceInfo info;
        std::unique_ptr<QTimer> pause;
        std::chrono::milliseconds next{};
        QPointer<ConnectWorkers> connecting;
        std::unique_ptr<WorkerSession> session;
        std::optional<WorkerAddress> before;  // of the worker that may still be there
        QDeadlineTimer statesKept;
        int failedDials = 0;  // while its agent was well
    };
    void attempt(const QString &device);
    void giveUpAttempt(Device &entry);
    void notThere(const QString &device, const Error &error);
    void again(const QString &device);

    QString m_run;
    AgentLink &m_agent;
    WorkerConnector &m_connector;
    RunDeadlines m_deadlines;
    std::map<QString, Device> m_devices;
};

}  // namespace hearth
