// Gets workers back on devices that were lost, or that appear while a run goes on.
#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>
#include <map>
#include <memory>

#include "core/run/connect_workers.h"

namespace hearth {

/// Asks each expected device's agent for a worker, again and again with growing pauses, until there is one. The
/// coordinator's thread.
class ReturningDevices : public QObject {
    Q_OBJECT
  public:
    /// A device that is off for the night costs next to nothing.
    static constexpr std::chrono::milliseconds longestPause{30'000};

    ReturningDevices(QString run, AgentLink &agent, WorkerConnector &connector, const RunDeadlines &deadlines,
                     QObject *parent = nullptr);

    void expect(const DeviceInfo &device);
    /// Its agent has just been heard of: no pause.
    void tryNow(const DeviceInfo &device);
    void forget(const QString &device);
    void forgetAll();
    bool expects(const QString &device) const { return m_devices.contains(device); }

  Q_SIGNALS:
    void workerStarted(const QString &device, const hearth::WorkerAddress &address);
    /// It is connected and has said hello; call takeSession() in a slot.
    void returned(const QString &device);

  public:
    std::unique_ptr<WorkerSession> takeSession(const QString &device);

  private:
    struct Device {
        DeviceInfo info;
        std::unique_ptr<QTimer> pause;
        std::chrono::milliseconds next{};
        QPointer<ConnectWorkers> connecting;
        std::unique_ptr<WorkerSession> session;
    };
    void attempt(const QString &device);
    void again(const QString &device);

    QString m_run;
    AgentLink &m_agent;
    WorkerConnector &m_connector;
    RunDeadlines m_deadlines;
    std::map<QString, Device> m_devices;
};

}  // namespace hearth
