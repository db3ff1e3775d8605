#include "core/run/membership.h"

#include <QCborArray>
#include <algorithm>
#include <utility>

#include "core/home/link_watch.h"
#include "core/wire/stream_channel.h"

namespace hearth {

Membership::Membership(const QString &run, std::vector<DeviceInfo> devices, AgentLink &agent,
                       WorkerConnector &connector, const RunDeadlines &deadlines, RunLog &log, QObject *parent)
    : QObject(parent),
      m_agent(agent),
      m_deadlines(deadlines),
      m_log(log),
      m_devices(std::move(devices)),
      m_hearts(connector.heartMonitor()),
      m_returning(run, agent, connector, deadlines) {
    if (m_hearts)
        followHearts();
    connect(&m_returning, &ReturningDevices::workerStarted, this, &Membership::workerStarted);
    connect(&m_returning, &ReturningDevices::returned, this, &Membership::returned);
    connect(&m_returning, &ReturningDevices::statesGone, this, &Membership::statesGone);
}

Membership::~Membership() = default;

void Membership::followHearts() {
    connect(m_hearts.get(), &HeartMonitor::suspected, this, [this](const QString &device) {
        if (!session(device))
            return;
        m_silentSince[device] = m_log.seconds() - std::chrono::duration<double>(LinkWatch::suspectAfter).count();
        m_log.record(event::Suspect{device});
    });
    connect(m_hearts.get(), &HeartMonitor::revived, this,
            [this](const QString &device) { m_silentSince.remove(device); });
    connect(m_hearts.get(), &HeartMonitor::silent, this, [this](const QString &device, double seconds) {
        if (session(device))
            Q_EMIT silent(device, seconds);
    });
}

const DeviceInfo *Membership::device(const QString &id) const {
    const auto at = std::ranges::find(m_devices, id, &DeviceInfo::id);
    return at == m_devices.end() ? nullptr : &*at;
}

bool Membership::take(const DeviceInfo &device) {
    m_devices.push_back(device);
    return m_log.record(event::Device{device.id, device.name, toWord(device.state), device.address, device.agentPid});
}

void Membership::meet(const DeviceInfo &device) {
    if (take(device))
        m_returning.expect(device);
}

void Membership::update(const DeviceInfo &device) {
    const auto at = std::ranges::find(m_devices, device.id, &DeviceInfo::id);
    if (at == m_devices.end())
        return;
    *at = device;
    if (m_log.record(event::Device{device.id, device.name, toWord(device.state), device.address, device.agentPid}))
        m_returning.changed(device);
}

void Membership::locate(const DeviceInfo &device) {
    const auto at = std::ranges::find(m_devices, device.id, &DeviceInfo::id);
    // This device's own worker is reached without the network.
    if (at == m_devices.end() || device.self || device.state == DeviceState::Lost)
        return;
    const QString before = at->host(), now = device.host();
    if (now.isEmpty() || now == before)
        return;
    qCDebug(memberLog).noquote() << device.id << "is at" << now << "and was at" << before;
    at->address = device.address;
    if (WorkerSession *its = session(device.id))
        its->moveTo(now);
    // Whoever saw it where it was seen from here finds it with the new address, until its own agent says better.
    for (const auto &each : m_sessions)
        each->forgetPlace(device.id, before);
    for (QMap<QString, QString> &places : m_seen) {
        if (places.value(device.id) == before)
            places.remove(device.id);
    }
    m_returning.moved(*at);
    if (m_brokenLinks.forget(device.id))
        Q_EMIT linkToTry();
}

void Membership::workerStarted(const QString &device, const WorkerAddress &address) {
    m_started.insert(device);
    m_seen.remove(device);
    m_log.recordWorker(device, address);
}

void Membership::takeRest(const DeviceInfo &device) {
    const auto at = std::ranges::find(m_devices, device.id, &DeviceInfo::id);
    if (at == m_devices.end())
        return;
    at->rest = device.rest;
    at->limits = device.limits;
    at->limitsKnown = device.limitsKnown;
}

void Membership::see(const QString &device, const QMap<QString, QString> &places) {
    if (!this->device(device))
        return;
    WorkerSession *its = session(device);
    QMap<QString, QString> &seen = m_seen[device];
    bool mayWork = false;
    for (auto each = places.cbegin(); each != places.cend(); ++each) {
        // The run may not know some of them yet.
        if (seen.size() >= mostPlacesSeen && !seen.contains(each.key()))
            continue;
        seen[each.key()] = each.value();
        if (its && its->see(each.key(), each.value())) {
            qCDebug(memberLog).noquote() << device << "sees" << each.key() << "at" << each.value();
            mayWork |= m_brokenLinks.forget(device, each.key());
        }
    }
    if (mayWork)
        Q_EMIT linkToTry();
}

bool Membership::isLostWithAgent(const QString &device) const {
    // Agents' connections are not the workers': with heartbeats these know better.
    return m_started.contains(device) && !(m_hearts && session(device));
}

std::vector<WorkerSession *> Membership::workers() const {
    std::vector<WorkerSession *> list;
    for (const auto &each : m_sessions)
        list.push_back(each.get());
    return list;
}

std::vector<WorkerSession *> Membership::membersOf(const Deployment &deployment) const {
    std::vector<WorkerSession *> list = workers();
    std::erase_if(
        list, [&](const WorkerSession *each) { return !deployment.hasLayers(each->address().fingerprint.toHex()); });
    return list;
}

WorkerSession *Membership::session(const QString &device) const {
    const auto at = std::ranges::find(m_sessions, device, [](const auto &each) { return each->id(); });
    return at == m_sessions.end() ? nullptr : at->get();
}

void Membership::add(std::unique_ptr<WorkerSession> session) {
    const QString device = session->id();
    const WorkerHello &hello = session->hello();
    if (!m_libraries.contains(device))
        m_libraries.insert(device, hello.library);
    if (m_hearts && hello.heartbeatPort > 0)
        m_hearts->watch(device, session->address(), hello.heartbeatPort);
    m_brokenLinks.forget(device);
    const QMap<QString, QString> seen = m_seen.value(device);
    for (auto each = seen.cbegin(); each != seen.cend(); ++each)
        session->see(each.key(), each.value());
    followOwnPlace(*session);
    qCDebug(memberLog).noquote() << device << "is here, dialled from" << ownHost(session->channel());
    const auto place = std::ranges::find_if(m_sessions, [&](const auto &each) { return idLess(device, each->id()); });
    const auto at = m_sessions.emplace(place, session.release());
    Q_EMIT added(at->get());
}

/// This device may have another address now: whose agent saw it where the connection to the worker came from finds it
/// where that comes from now, until its agent says better.
void Membership::followOwnPlace(WorkerSession &session) {
    const QString now = ownHost(session.channel());
    const auto own = std::ranges::find_if(m_devices, &DeviceInfo::self);
    if (now.isEmpty() || own == m_devices.end())
        return;
    const QString before = std::exchange(m_ownPlaces[session.id()], now);
    if (before.isEmpty() || now == before || session.address().sees.value(own->id) != before)
        return;
    m_seen[session.id()][own->id] = now;
    session.see(own->id, now);
}

void Membership::remove(const QString &device, Departure why) {
    const auto at = std::ranges::find(m_sessions, device, [](const auto &each) { return each->id(); });
    if (at == m_sessions.end())
        return;
    const WorkerAddress address = (*at)->address();
    qCDebug(memberLog).noquote() << device << "goes, silent:" << (why == Departure::Silent);
    m_sessions.erase(at);
    if (m_hearts)
        m_hearts->forget(device);
    m_leaving.end(device);
    m_silentSince.remove(device);
    if (why == Departure::Silent)
        endLinksTo(device);
    else
        m_agent.stopWorker(device);  // should it still live, it must not go on with what is over
    Q_EMIT removed(device);
    const DeviceInfo *known = this->device(device);
    if (why == Departure::Released || !known || m_leaving.isSentAway(device))
        return;
    m_returning.expect(*known, why == Departure::Silent ? std::optional(address) : std::nullopt);
}

void Membership::stopAll() {
    m_returning.forgetAll();
    for (const auto &each : m_sessions) {
        if (m_hearts)
            m_hearts->forget(each->id());
    }
    m_sessions.clear();
    m_silentSince.clear();
    for (const QString &device : std::exchange(m_started, {}))
        m_agent.stopWorker(device);
}

bool Membership::workerExited(const QString &device, const Error &error) {
    WorkerSession *its = session(device);
    if (!its)
        return false;
    // The agents' connection is not the worker's: with heartbeats these know better.
    if (m_hearts && its->hello().heartbeatPort > 0 && error.code == QLatin1String("device.lost"))
        m_hearts->doubt(device);
    else
        its->setExitReason(error);
    return true;
}

void Membership::doubt(const QString &device) {
    if (m_hearts)
        m_hearts->doubt(device);
}

double Membership::silentSeconds(const QString &device) const {
    const auto since = m_silentSince.constFind(device);
    return since == m_silentSince.constEnd() ? 0 : m_log.seconds() - *since;
}

void Membership::expect(const QString &device) {
    const DeviceInfo *known = this->device(device);
    if (known && m_started.contains(device) && !m_leaving.isSentAway(device) && !session(device) &&
        !m_returning.expects(device))
        m_returning.expect(*known);
}

std::vector<QString> Membership::draining() const {
    std::vector<QString> devices;
    for (const auto &each : m_sessions) {
        const DeviceInfo *known = device(each->id());
        if (known && isDraining(known->state))
            devices.push_back(each->id());
    }
    return devices;
}

QStringList Membership::keepSentAway() {
    QStringList names;
    for (const QString &device : m_leaving.keepSentAway())
        names << session(device)->device().name;
    names.sort();
    return names;
}

void Membership::cutOff(const QString &device) {
    m_leaving.sendAway(device);
    expectNoMore(device);
    endLinksTo(device);
}

void Membership::endLinksTo(const QString &device) {
    for (const auto &each : m_sessions) {
        if (each->id() != device)
            endLink(each->id(), device);
    }
}

void Membership::endLink(const QString &device, const QString &other) {
    WorkerSession *its = session(device);
    if (!its)
        return;
    QCborArray members;
    for (const auto &each : m_sessions) {
        if (each->id() != other)
            members.append(each->address().fingerprint.toHex());
    }
    qCDebug(memberLog).noquote() << device << "is to end its connection to" << other;
    its->call(QStringLiteral("expect"), {{QStringLiteral("fingerprints"), members}}, m_deadlines.hello, this,
              [](const Result<QCborMap> &) {});
}

QSet<QString> Membership::absentOf(const PlanningProblem &problem) const {
    QSet<QString> absent;
    for (const PlanningProblem::Device &each : problem.devices) {
        if (!session(each.id) || m_leaving.contains(each.id))
            absent.insert(each.id);
    }
    return absent;
}

}  // namespace hearth
