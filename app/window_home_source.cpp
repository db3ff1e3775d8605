#include "app/window_home_source.h"

#include <algorithm>

#include "core/home/agent_client.h"

namespace hearth {

AgentHomeSource::AgentHomeSource(AgentClient &client, bool demo, const QString &waitingFor, QObject *parent)
    : HomeSource(parent), m_client(client), m_demo(demo), m_waitingFor(waitingFor) {
    connect(&client, &AgentClient::deviceChanged, this, &AgentHomeSource::take);
    connect(&client, &AgentClient::ready, this, [this] {
        setWaiting({});
        m_client.subscribe();
    });
    connect(&client, &AgentClient::closed, this, [this](const Error &reason) {
        for (DeviceInfo &device : m_devices)
            device.state = DeviceState::Lost;
        Q_EMIT devicesChanged();
        fail(reason);
    });
}

void AgentHomeSource::fail(const Error &error) {
    setWaiting({});
    Q_EMIT failed(error);
}

void AgentHomeSource::take(const DeviceInfo &device) {
    const auto known = std::find_if(m_devices.begin(), m_devices.end(),
                                    [&device](const DeviceInfo &other) { return other.id == device.id; });
    if (known != m_devices.end()) {
        *known = device;
    } else {
        m_devices.push_back(device);
    }
    std::sort(m_devices.begin(), m_devices.end(), [](const DeviceInfo &a, const DeviceInfo &b) {
        return std::tuple(!a.self, a.name, a.id) < std::tuple(!b.self, b.name, b.id);
    });
    Q_EMIT devicesChanged();
}

void AgentHomeSource::setWaiting(const QString &text) {
    if (text != m_waitingFor) {
        m_waitingFor = text;
        Q_EMIT waitingChanged();
    }
}

}  // namespace hearth
