#include "core/run/returning_devices.h"

#include <algorithm>

namespace hearth {

ReturningDevices::ReturningDevices(QString run, AgentLink &agent, WorkerConnector &connector,
                                   const RunDeadlines &deadlines, QObject *parent)
    : QObject(parent), m_run(std::move(run)), m_agent(agent), m_connector(connector), m_deadlines(deadlines) {}

void ReturningDevices::expect(const DeviceInfo &device, const std::optional<WorkerAddress> &silent) {
    Device &entry = m_devices[device.id];
    entry.info = device;
    entry.before = silent;
    entry.failedDials = 0;
    entry.statesKept.setRemainingTime(workersWait);
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

void ReturningDevices::changed(const DeviceInfo &device) {
    const auto known = m_devices.find(device.id);
    if (known == m_devices.end())
        return;
    Device &entry = known->second;
    entry.info = device;
    // A dial that began while it could not be reached takes longer than one that begins now.
    if (!takesWork(device.state) || (entry.connecting && !entry.before))
        return;
    giveUpAttempt(entry);
    entry.next = m_deadlines.returns;
    entry.pause->start(0);
}

void ReturningDevices::moved(const DeviceInfo &device) {
    const auto known = m_devices.find(device.id);
    if (known == m_devices.end())
        return;
    // A silent worker is dialled where it was. Begun anew, such a dial would only last longer, and where addresses
    // alternate never end; it helps where the device is in that place again.
    const std::optional<WorkerAddress> &silent = known->second.before;
    if (silent && silent->address != device.host())
        known->second.info = device;
    else
        changed(device);
}

void ReturningDevices::forget(const QString &device) {
    const auto known = m_devices.find(device);
    if (known == m_devices.end())
        return;
    giveUpAttempt(known->second);
    m_devices.erase(known);
}

void ReturningDevices::giveUpAttempt(Device &entry) {
    if (entry.connecting) {
        disconnect(entry.connecting, nullptr, this, nullptr);
        entry.connecting->deleteLater();
    }
    entry.connecting = nullptr;
}

void ReturningDevices::forgetAll() {
    while (!m_devices.empty())
        forget(QString(m_devices.begin()->first));
}

bool ReturningDevices::mayHaveStates() const {
    return std::ranges::any_of(m_devices, [](const auto &each) { return each.second.before.has_value(); });
}

void ReturningDevices::attempt(const QString &device) {
    const auto known = m_devices.find(device);
    if (known == m_devices.end() || known->second.connecting)
        return;
    Device &entry = known->second;
    RunDeadlines limits = m_deadlines;
    if (entry.before)
        limits.connect = std::min(limits.connect, shortDial);
    auto *connecting = new ConnectWorkers(m_run, m_agent, m_connector, limits, this);
    entry.connecting = connecting;
    connect(connecting, &ConnectWorkers::workerStarted, this, &ReturningDevices::workerStarted);
    connect(connecting, &ConnectWorkers::failed, this, [this, device] { again(device); });
    connect(connecting, &ConnectWorkers::lost, this, [this, device] { again(device); });
    connect(connecting, &ConnectWorkers::leftOut, this,
            [this](const QString &id, const Error &error) { notThere(id, error); });
    connect(connecting, &ConnectWorkers::finished, this, [this, device, connecting] {
        auto sessions = connecting->takeSessions();
        if (sessions.empty()) {
            again(device);
            return;
        }
        const auto its = m_devices.find(device);
        if (its == m_devices.end())
            return;
        its->second.session = std::move(sessions.front());
        connecting->deleteLater();
        its->second.connecting = nullptr;
        Q_EMIT returned(device);
    });
    if (entry.before)
        connecting->reconnect({{entry.info, *entry.before}});
    else
        connecting->start({entry.info});
}

void ReturningDevices::notThere(const QString &device, const Error &error) {
    const auto known = m_devices.find(device);
    if (known == m_devices.end())
        return;
    qCDebug(memberLog).noquote() << "the silent worker of" << device << "does not answer:" << error.toString();
    const bool unreachable =
        error.code == QLatin1String("wire.deadline") || error.code == QLatin1String("wire.unreachable");
    // Where its agent can be reached and it cannot, it is stuck. The agent's silence may be noticed a little later.
    if (takesWork(known->second.info.state))
        ++known->second.failedDials;
    if (unreachable && !known->second.statesKept.hasExpired() && known->second.failedDials < dialsOfStuck)
        return;
    known->second.before.reset();
    known->second.next = m_deadlines.returns / 4;
    Q_EMIT statesGone(device);
}

void ReturningDevices::again(const QString &device) {
    const auto known = m_devices.find(device);
    if (known == m_devices.end())
        return;
    Device &entry = known->second;
    giveUpAttempt(entry);
    if (entry.before) {
        entry.pause->start(m_deadlines.returns / 4);
        return;
    }
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
