#include "core/run/returning_devices.h"

#include <algorithm>

namespace hearth {

ReturningDevices::ReturningDevices(QString run, AgentLink &agent, WorkerConnector &connector,
                                   const RunDeadlines &deadlines, QObject *parent)
    : QObject(parent), m_run(std::move(run)), m_agent(agent), m_connector(connector), m_deadlines(deadlines) {}

void ReturningDevices::expect(const DeviceInfo &device) {
    Device &entry = m_devices[device.id];
    entry.info = device;
    entry.next = m_deadlines.returns;
    if (!entry.pause) {
        entry.pause = std::make_unique<QTimer>();
        entry.pause->setSingleShot(true);
        connect(entry.pause.get(), &QTimer::timeout, this, [this, id = device.id] { attempt(id); });
    }
    // Soon: a process that crashed on a device that is well starts at once. Later: everybody else is busy recovering.
    if (!entry.connecting)
        entry.pause->start(m_deadlines.returns / 4);
}

void ReturningDevices::tryNow(const DeviceInfo &device) {
    const auto known = m_devices.find(device.id);
    if (known == m_devices.end() || known->second.connecting)
        return;
    known->second.info = device;
    known->second.next = m_deadlines.returns;
    known->second.pause->start(0);
}

void ReturningDevices::forget(const QString &device) {
    const auto known = m_devices.find(device);
    if (known == m_devices.end())
        return;
    if (known->second.connecting)
        known->second.connecting->deleteLater();
    m_devices.erase(known);
}

void ReturningDevices::forgetAll() {
    while (!m_devices.empty())
        forget(QString(m_devices.begin()->first));
}

void ReturningDevices::attempt(const QString &device) {
    const auto known = m_devices.find(device);
    if (known == m_devices.end() || known->second.connecting)
        return;
    auto *connecting = new ConnectWorkers(m_run, m_agent, m_connector, m_deadlines, this);
    known->second.connecting = connecting;
    connect(connecting, &ConnectWorkers::workerStarted, this, &ReturningDevices::workerStarted);
    connect(connecting, &ConnectWorkers::failed, this, [this, device] { again(device); });
    connect(connecting, &ConnectWorkers::lost, this, [this, device] { again(device); });
    connect(connecting, &ConnectWorkers::finished, this, [this, device, connecting] {
        const auto entry = m_devices.find(device);
        if (entry == m_devices.end())
            return;
        auto sessions = connecting->takeSessions();
        entry->second.session = std::move(sessions.front());
        connecting->deleteLater();
        entry->second.connecting = nullptr;
        Q_EMIT returned(device);
    });
    connecting->start({known->second.info});
}

void ReturningDevices::again(const QString &device) {
    const auto known = m_devices.find(device);
    if (known == m_devices.end())
        return;
    Device &entry = known->second;
    if (entry.connecting)
        entry.connecting->deleteLater();
    entry.connecting = nullptr;
    entry.pause->start(entry.next);
    entry.next = std::min(entry.next * 2, longestPause);
}

std::unique_ptr<WorkerSession> ReturningDevices::takeSession(const QString &device) {
    const auto known = m_devices.find(device);
    if (known == m_devices.end())
        return nullptr;
    auto session = std::move(known->second.session);
    m_devices.erase(known);
    return session;
}

}  // namespace hearth
