// The agent's way out: it tells the home, and waits until the coordinators of others have relieved its workers.
#include <QTimer>

#include "core/agent/agent.h"

namespace hearth {

Error Agent::leavingError() const {
    return {QStringLiteral("device.leaving"), QStringLiteral("The device %1 is about to leave.").arg(name()),
            QStringLiteral("Its agent has been told to end."), QStringLiteral("Take another device.")};
}

void Agent::leave() {
    if (m_leaving)
        return;
    m_leaving = true;
    m_links->notifyAll(QStringLiteral("leaving"), {});
    noteOwnState();
    Q_EMIT deviceChanged(self());
    m_leaveTimer.setSingleShot(true);
    connect(&m_leaveTimer, &QTimer::timeout, this, &Agent::left);
    m_leaveTimer.start(m_workers->countForeign() > 0 ? leaveDeadline : std::chrono::milliseconds(0));
}

void Agent::workersChanged() {
    if (m_leaving && m_workers->countForeign() == 0)
        m_leaveTimer.start(0);
}

void Agent::deviceLeaves(const Fingerprint &from) {
    const auto at = m_devices.find(from.toHex());
    if (at == m_devices.end())
        return;
    DeviceInfo device = at->second;
    device.state = DeviceState::Leaving;
    update(device);
}

}  // namespace hearth
