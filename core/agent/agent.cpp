#include "core/agent/agent.h"

#include <unistd.h>
#include <QCborArray>
#include <QDateTime>
#include <QDeadlineTimer>
#include <QFile>
#include <QJsonDocument>
#include <algorithm>
#include <utility>

#include "core/agent/agent_nearby.h"
#include "core/agent/agent_ports.h"
#include "core/base/files.h"
#include "core/discovery/probes.h"
#include "core/home/device_name.h"
#include "core/home/machine_mark.h"

namespace hearth {
namespace {

/// A sentence for people: whoever has opened ports in a firewall has opened others.
QString otherPorts(const AgentPorts &ports) {
    return QStringLiteral(
               "Port %1 is taken, perhaps by the Hearth of another account: this agent listens on port %2, its workers "
               "on %3 to %4. A firewall must let these pass.")
        .arg(agentPort)
        .arg(ports.agent)
        .arg(ports.firstWorker())
        .arg(ports.lastWorker());
}

}  // namespace

Agent::Agent(AgentOptions options, OwnedFd lock, Identity identity, Stores stores)
    : m_options(std::move(options)),
      m_lock(std::move(lock)),
      m_identity(std::move(identity)),
      m_trust(std::move(stores.trust)),
      m_removals(std::move(stores.removals)),
      m_onTrial(std::move(stores.onTrial)),
      m_host(hostResources()),
      m_pastRuns(m_options.stateDir + QStringLiteral("/runs")) {
    if (m_options.threads <= 0)
        m_options.threads = m_host.cores;
    m_memoryGiven = m_options.memoryBytes > 0;
    if (!m_memoryGiven)
        m_options.memoryBytes = m_host.memoryBytes;
    m_links = std::make_unique<HomeLinks>(m_identity, m_trust, [this] { return hello(); });
    m_pairing = makePairing(std::move(stores.ignored));

    WorkerSettings workers;
    workers.listenHost = m_options.listenHost;
    workers.firstPort = m_options.port == 0 ? 0 : AgentPorts().firstWorker();
    workers.lastPort = m_options.port == 0 ? 0 : AgentPorts().lastWorker();
    workers.deviceName = m_options.name;
    workers.trustsFabric = m_options.trustsFabric;
    m_workers = std::make_unique<WorkerHost>(workers);
}

Result<std::unique_ptr<Agent>> Agent::start(AgentOptions options) {
    auto folder = openStateDir(options.stateDir);
    if (!folder)
        return tl::unexpected(folder.error());
    options.stateDir = *folder;
    auto lock = lockStateDir(options.stateDir);
    if (!lock)
        return tl::unexpected(lock.error());
    const auto name = deviceName(options.stateDir, options.name);
    if (!name)
        return tl::unexpected(name.error());
    options.name = *name;
    auto identity = Identity::loadOrCreate(options.stateDir, options.name);
    if (!identity)
        return tl::unexpected(identity.error());
    auto stores = Stores::load(options.stateDir, *identity);
    if (!stores)
        return tl::unexpected(stores.error());
    const auto limits = loadLimits(options.stateDir + QStringLiteral("/limits.json"));
    if (!limits)
        return tl::unexpected(limits.error());
    if (auto made = makePrivateFolder(options.stateDir + QStringLiteral("/runs")); !made)
        return tl::unexpected(made.error());

    // Coordinators end with their agent. If it was killed, their keys are still there, and of no use but misuse.
    const QString runs = options.stateDir + QStringLiteral("/runs");
    for (const QString &id : listRuns(runs))
        QFile::remove(QStringLiteral("%1/%2/coordinator.pem").arg(runs, id));

    std::unique_ptr<Agent> agent(
        new Agent(std::move(options), std::move(*lock), std::move(*identity), std::move(*stores)));
    agent->m_limits = *limits;
    agent->serveHome();
    agent->serveLimits();
    agent->servePairing();
    agent->serveRemovals();
    agent->serveRest();
    agent->noteOwnState();
    if (auto listening = agent->listen(); !listening)
        return tl::unexpected(listening.error());
    agent->m_links->dialKnown();
    return agent;
}

Agent::~Agent() {
    m_ending = true;
    m_nearby.reset();
    for (const auto &[id, run] : m_runs) {
        run->setInterrupting();
        run->stop();
    }
    m_workers->stopAll();
    m_links->closeAll();
    const QDeadlineTimer deadline(endDeadline);
    for (const auto &[id, run] : m_runs)
        run->waitForEnd(std::max(std::chrono::milliseconds(1), std::chrono::milliseconds(deadline.remainingTime())));
    m_workers->waitForEnd(std::max(std::chrono::milliseconds(1), std::chrono::milliseconds(deadline.remainingTime())));
    m_runs.clear();  // kills what is left
    QFile::remove(m_options.stateDir + QStringLiteral("/agent.json"));
}

Result<quint16> Agent::listenSomewhere() {
    if (!m_options.choosesPort)
        return m_links->listen(m_options.listenHost, m_options.port, m_options.port);
    Result<quint16> port;
    for (const AgentPorts &ports : AgentPorts::choices(m_options.stateDir)) {
        port = m_links->listen(m_options.listenHost, ports.agent, ports.agent);
        if (!port && port.error().code == QLatin1String("wire.port-taken"))
            continue;
        if (port && ports.agent != agentPort) {
            ports.remember(m_options.stateDir);
            m_workers->setPorts(ports.firstWorker(), ports.lastWorker());
            m_portNote = otherPorts(ports);
            qWarning("hearth: %s", qUtf8Printable(m_portNote));
        }
        break;
    }
    return port;
}

Result<void> Agent::listen() {
    const auto port = listenSomewhere();
    if (!port) {
        Error error = port.error();
        if (error.code == QLatin1String("wire.port-taken")) {
            error.code = QStringLiteral("agent.port-taken");
            error.what = QStringLiteral("The agent could not listen on %1.")
                             .arg(joinAddress(m_options.listenHost, m_options.port));
            if (error.advice.isEmpty())
                error.advice =
                    QStringLiteral("End the other program, or choose another port with --listen ADDRESS:PORT.");
        }
        return tl::unexpected(error);
    }
    m_port = *port;
    const QJsonObject about{{QStringLiteral("pid"), static_cast<qint64>(::getpid())},
                            {QStringLiteral("address"), address()},
                            {QStringLiteral("port"), m_port}};
    return saveFile(m_options.stateDir + QStringLiteral("/agent.json"), QJsonDocument(about).toJson());
}

void Agent::serveHome() {
    connect(m_links.get(), &HomeLinks::linked, this, [this](const Fingerprint &id, const DeviceInfo &info) {
        DeviceInfo device = info;
        device.state = info.state == DeviceState::Lost ? DeviceState::Ready : info.state;
        // Its name is what people here know it by: it came with the trust, or was given, and is not its own to change.
        device.name = m_trust.nameOf(id, info.name);
        device.lastError.clear();
        device.alarm.clear();  // it is where it is, with its own key
        update(device);
    });
    connect(m_links.get(), &HomeLinks::located, this, &Agent::rememberAddress);
    connect(m_links.get(), &HomeLinks::unlinked, this, [this](const Fingerprint &id, const Error &reason) {
        m_justPaired.erase(id);
        const auto at = m_devices.find(id.toHex());
        if (at == m_devices.end())
            return;
        DeviceInfo device = at->second;
        device.state = DeviceState::Lost;
        device.agentPid = 0;
        device.lastError =
            QStringLiteral("The connection ended: %1").arg(reason.cause.isEmpty() ? reason.what : reason.cause);
        if (const auto why = removedThere(id))
            device.lastError = *why;
        update(device);
        const Error lost{QStringLiteral("device.lost"),
                         QStringLiteral("The device %1 can no longer be reached.").arg(device.name), reason.toString(),
                         QStringLiteral("Check that it is on and in the network.")};
        for (const auto &[run, host] : m_runs)
            host->tellWorkerExited(device.id, lost);
    });
    connect(m_links.get(), &HomeLinks::refused, this,
            [this](const Fingerprint &, const QString &from) { Q_EMIT strangerRefused(from); });
    connect(m_workers.get(), &WorkerHost::busyChanged, this, &Agent::tellOfSelf);
    connect(m_workers.get(), &WorkerHost::exited, this,
            [this](const QString &run, const QString &owner, const Error &reason, bool requested) {
                workersChanged();
                if (requested || m_ending)
                    return;
                if (owner == WorkerHost::localOwner()) {
                    if (const auto host = m_runs.find(run); host != m_runs.end())
                        host->second->tellWorkerExited(fingerprint().toHex(), reason);
                    return;
                }
                QCborMap note;
                note[QStringLiteral("run")] = run;
                note[QStringLiteral("error")] = reason.toCbor();
                if (const auto device = Fingerprint::fromHex(owner))
                    m_links->notify(*device, QStringLiteral("worker.exited"), note);
            });

    m_links->handle(
        QStringLiteral("worker.start"), [this](const Fingerprint &from, const QCborMap &args, const Reply &reply) {
            if (const auto willing = mustTakeWork(); !willing) {
                reply.fail(willing.error());
                return;
            }
            m_workers->start(args[QStringLiteral("run")].toString(), args[QStringLiteral("coordinator")].toString(),
                             from.toHex(), this, [this, reply](Result<QCborMap> result) {
                                 if (!result)
                                     return reply.fail(result.error());
                                 (*result)[QStringLiteral("sees")] = placesOfOthers();
                                 reply.ok(*result);
                             });
        });
    m_links->handle(QStringLiteral("worker.stop"),
                    [this](const Fingerprint &from, const QCborMap &args, const Reply &reply) {
                        m_workers->stop(args[QStringLiteral("run")].toString(), from.toHex());
                        reply.ok();
                    });
    m_links->onNotify(QStringLiteral("worker.exited"), [this](const Fingerprint &from, const QCborMap &args) {
        if (const auto host = m_runs.find(args[QStringLiteral("run")].toString()); host != m_runs.end())
            host->second->tellWorkerExited(from.toHex(), Error::fromCbor(args[QStringLiteral("error")].toMap()));
    });
    m_links->onNotify(QStringLiteral("leaving"),
                      [this](const Fingerprint &from, const QCborMap &) { deviceLeaves(from); });
    m_links->onNotify(QStringLiteral("device.changed"), [this](const Fingerprint &from, const QCborMap &args) {
        const auto at = m_devices.find(from.toHex());
        const auto told = DeviceInfo::fromCbor(args[QStringLiteral("device")].toMap());
        if (at == m_devices.end() || !told)
            return;
        DeviceInfo device = at->second;
        device.state = told->state == DeviceState::Lost ? DeviceState::Ready : told->state;
        device.rest = told->rest;
        device.limits = told->limits;
        device.limitsKnown = told->limitsKnown;
        device.memoryBytes = told->memoryBytes;
        device.threads = told->threads;
        update(device);
    });
    serveDiagnosis();
    for (const TrustedDevice &known : m_trust.devices()) {
        DeviceInfo device;
        device.id = known.fingerprint.toHex();
        device.name = known.name;
        device.address = known.addresses.value(0);
        device.lastError = removedThere(known.fingerprint).value_or(QString());
        m_devices[device.id] = device;
    }
}

QString Agent::address() const {
    QString host = m_options.listenHost;
    const QHostAddress address(host);
    if (address == QHostAddress(QHostAddress::AnyIPv4) || address == QHostAddress(QHostAddress::AnyIPv6)) {
        const QHostAddress own = ownAddress(interfaceFacts());
        host = own.isNull() ? QStringLiteral("127.0.0.1") : own.toString();
    }
    return joinAddress(host, m_port);
}

QString Agent::runFolder(const QString &id) const {
    return m_options.stateDir + QStringLiteral("/runs/") + id;
}

QCborMap Agent::hello() const {
    QCborMap map;
    map[QStringLiteral("device")] = self().toCbor();
    map[QStringLiteral("machine")] = machineMark();
    return map;
}

DeviceState Agent::ownState() const {
    return m_leaving              ? DeviceState::Leaving
           : m_rest != Rest::None ? DeviceState::Resting
           : m_workers->isBusy()  ? DeviceState::Training
                                  : DeviceState::Ready;
}

void Agent::noteOwnState() {
    if (std::exchange(m_ownState, ownState()) != m_ownState)
        m_ownSince = QDateTime::currentMSecsSinceEpoch();
}

DeviceInfo Agent::self() const {
    DeviceInfo info;
    info.id = fingerprint().toHex();
    info.name = m_options.name;
    info.address = address();
    info.state = ownState();
    info.since = m_ownSince;
    info.limits = m_limits;
    info.rest = m_rest;
    info.self = true;
    info.agentPid = ::getpid();
    info.memoryBytes = m_workers->settings().memoryBytes;
    info.threads = m_workers->settings().threads;
    info.cores = m_host.cores;
    info.processor = m_host.processor;
    info.version = QStringLiteral(HEARTH_VERSION);
    info.lastError = m_portNote;
    return info;
}

QCborMap Agent::status() const {
    QCborMap map = nearby().toCbor();
    map[QStringLiteral("name")] = m_options.name;
    map[QStringLiteral("fingerprint")] = fingerprint().toHex();
    map[QStringLiteral("address")] = address();
    map[QStringLiteral("version")] = QStringLiteral(HEARTH_VERSION);
    map[QStringLiteral("pid")] = static_cast<qint64>(::getpid());
    QCborArray list;
    for (const DeviceInfo &device : devices())
        list.append(device.toCbor());
    map[QStringLiteral("devices")] = list;
    return map;
}

std::vector<DeviceInfo> Agent::devices() const {
    std::vector<DeviceInfo> list{self()};
    for (const auto &[id, device] : m_devices)
        list.push_back(device);
    std::stable_sort(list.begin() + 1, list.end(),
                     [](const DeviceInfo &a, const DeviceInfo &b) { return a.name < b.name; });
    return list;
}

void Agent::update(const DeviceInfo &told) {
    DeviceInfo &known = m_devices[told.id];
    DeviceInfo device = told;
    // As seen from here: the clock there may be another.
    device.since = known.state == device.state ? known.since : QDateTime::currentMSecsSinceEpoch();
    if (known == device)
        return;
    known = device;
    Q_EMIT deviceChanged(device);
    for (const auto &[id, run] : m_runs)
        run->tellDeviceChanged(device);
}

Result<void> Agent::trust(const IdentityFile &device) {
    if (device.fingerprint == fingerprint()) {
        return fail(QStringLiteral("trust.self"), QStringLiteral("This is the identity of this very device."),
                    QString(), QStringLiteral("Give the file of another device."));
    }
    if (auto readmitted = readmit(device.fingerprint); !readmitted)
        return readmitted;
    // A name that it has here already stays.
    const QString name = m_trust.nameOf(device.fingerprint, device.name);
    if (auto added = m_trust.add({device.fingerprint, name, device.addresses}); !added)
        return added;
    if (!m_devices.contains(device.fingerprint.toHex())) {
        DeviceInfo info;
        info.id = device.fingerprint.toHex();
        info.name = device.name;
        info.address = device.addresses.value(0);
        update(info);
    }
    m_links->dialKnown();
    return {};
}

Result<void> Agent::setDeviceAddress(const Fingerprint &device, const QString &address) {
    if (const auto parts = splitAddress(address); !parts)
        return tl::unexpected(parts.error());
    const TrustedDevice *known = m_trust.find(device);
    if (!known) {
        return fail(QStringLiteral("device.unknown"), QStringLiteral("This device is not one of yours."),
                    QStringLiteral("An address makes nobody trusted."), QStringLiteral("Trust the device first."));
    }
    if (auto added = putAddress(*known, address, true); !added)
        return added;
    m_links->dialKnown();
    return {};
}

}  // namespace hearth
