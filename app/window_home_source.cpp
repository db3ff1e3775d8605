#include "app/window_home_source.h"

#include <algorithm>
#include <utility>

#include "core/agent/agent_client.h"
#include "core/agent/agent_nearby.h"
#include "core/base/json_reader.h"
#include "core/home/trust_store.h"
#include "core/install/install_job.h"

namespace hearth {

AgentHomeSource::AgentHomeSource(AgentClient &client, QObject *parent)
    : HomeSource(parent), m_client(client), m_pairing(client), m_measuring(client) {
    connect(&client, &AgentClient::deviceChanged, this, &AgentHomeSource::take);
    connect(&client, &AgentClient::nearbyChanged, this, [this](const Nearby &nearby) {
        m_nearby = nearby;
        Q_EMIT nearbyChanged();
    });
    connect(&client, &AgentClient::finding, this, &HomeSource::finding);
    connect(&client, &AgentClient::deviceRemoved, this, [this](const QString &id) {
        std::erase_if(m_devices, [&id](const DeviceInfo &device) { return device.id == id; });
        Q_EMIT devicesChanged();
    });
    connect(&client, &AgentClient::ready, this, [this] {
        if (m_expected == 0)
            setWaiting({});
        m_client.subscribe();
    });
    connect(&client, &AgentClient::closed, this, &AgentHomeSource::loseAgent);
}

void AgentHomeSource::loseAgent() {
    m_left = std::ranges::any_of(
        m_devices, [](const DeviceInfo &device) { return device.self && device.state == DeviceState::Leaving; });
    for (DeviceInfo &device : m_devices)
        device.state = DeviceState::Lost;
    m_nearby = {};
    Q_EMIT devicesChanged();
    Q_EMIT nearbyChanged();
}

void AgentHomeSource::begin(bool demo, const QString &stateDir, const QString &waitingFor, int devices) {
    m_demo = demo;
    m_stateDir = stateDir;
    m_expected = devices;
    m_waitingFor = waitingFor;
    m_devices.clear();
    m_nearby = {};
    m_search = ComputerSearch::Looking;
    Q_EMIT demoChanged();
    Q_EMIT devicesChanged();
    Q_EMIT nearbyChanged();
    Q_EMIT waitingChanged();
}

Installation *AgentHomeSource::makeInstallation(const InstallRequest &request, QObject *owner) {
    return m_demo ? nullptr : new InstallJob(request, owner);
}

void AgentHomeSource::lookForComputers() {
    if (m_demo)
        return;
    if (m_search == ComputerSearch::Looked && m_searchEnds.hasExpired())
        setSearch(ComputerSearch::Looking);
    m_searchEnds.setRemainingTime(AgentNearby::computersShownFor);
    // A note tells what is found. The answer comes when most of those who are there have been heard.
    m_client.computers(this, [this](const Result<Nearby> &answer) {
        setSearch(answer ? ComputerSearch::Looked : ComputerSearch::Impossible);
    });
}

void AgentHomeSource::setSearch(ComputerSearch search) {
    if (std::exchange(m_search, search) != search)
        Q_EMIT nearbyChanged();
}

void AgentHomeSource::trust(const QString &identityFile, const QString &address) {
    constexpr qint64 largestIdentity = 64 << 10;
    const auto read = readJsonFile(identityFile, largestIdentity);
    const auto identity =
        read ? IdentityFile::fromJson(*read, identityFile) : Result<IdentityFile>(tl::unexpected(read.error()));
    if (!identity) {
        Q_EMIT failed(identity.error());
        return;
    }
    IdentityFile device = *identity;
    if (!address.isEmpty()) {
        if (const auto checked = splitAddress(address); !checked) {
            Q_EMIT failed(checked.error());
            return;
        }
        device.addresses = {address};
    }
    m_client.call(QStringLiteral("trust"), {{QStringLiteral("identity"), QCborMap::fromJsonObject(device.toJson())}},
                  std::chrono::seconds(10), this, [this, name = device.name](const Result<QCborMap> &answer) {
                      if (answer)
                          Q_EMIT trusted(name);
                      else
                          Q_EMIT failed(answer.error());
                  });
}

void AgentHomeSource::diagnose() {
    m_client.diagnose(this, [this](const Result<std::vector<Finding>> &findings) {
        if (findings)
            Q_EMIT diagnosed();
        else
            Q_EMIT failed(findings.error());
    });
}

void AgentHomeSource::setLimits(const QString &device, const DeviceLimits &limits) {
    m_client.setLimits(device, limits, this, [this](const Result<void> &set) {
        if (!set)
            Q_EMIT failed(set.error());
    });
}

void AgentHomeSource::rename(const QString &device, const QString &name) {
    m_client.rename(device, name, this, [this](const Result<void> &renamed) {
        if (!renamed)
            Q_EMIT failed(renamed.error());
    });
}

AgentRestart AgentHomeSource::agentRestart() const {
    const std::optional<DeviceInfo> own = ownDevice();
    return own ? agentRestartOf(m_stateDir, QStringLiteral("/proc/%1").arg(own->agentPid)) : AgentRestart::ByHand;
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
    if (m_expected > 0 && static_cast<int>(m_devices.size()) >= m_expected)
        setWaiting({});
}

void AgentHomeSource::setWaiting(const QString &text) {
    if (text != m_waitingFor) {
        m_waitingFor = text;
        Q_EMIT waitingChanged();
    }
}

}  // namespace hearth
