#include "core/agent/home_service.h"

#include <unistd.h>
#include <QCborArray>
#include <QCoreApplication>
#include <QDateTime>
#include <QFile>
#include <QHostAddress>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTimer>
#include <algorithm>

#include "core/agent/agent_nearby.h"
#include "core/agent/agent_ports.h"
#include "core/agent/answer.h"
#include "core/agent/own_place.h"
#include "core/base/files.h"
#include "core/home/announcement.h"
#include "core/home/device_choice.h"
#include "core/home/device_name.h"
#include "core/home/machine_mark.h"

namespace hearth {
namespace {

/// Whoever has opened ports in a firewall has opened others.
Sentence otherPorts(const AgentPorts &ports) {
    return sentence(
               "Port %1 is taken, perhaps by the Hearth of another account: this agent listens on port %2, its workers "
               "on %3 to %4. A firewall must let these pass.")
        .arg(agentPort)
        .arg(ports.agent)
        .arg(ports.firstWorker())
        .arg(ports.lastWorker());
}

}  // namespace

HomeService::HomeService(const AgentOptions &options, TrustStore &trusted, DeviceBook &devices, HomeLinks &links,
                         WorkerHost &workers, DataHost &holders, LimitsService &limits, TrustService &trust)
    : m_options(options),
      m_trusted(trusted),
      m_devices(devices),
      m_links(links),
      m_workers(workers),
      m_holders(holders),
      m_limits(limits),
      m_trust(trust) {
    m_devices.setSelf([this] { return self(); });
    for (const TrustedDevice &known : m_trusted.devices()) {
        DeviceInfo device;
        device.id = known.fingerprint.toHex();
        device.name = known.name;
        device.address = known.addresses.value(0);
        device.otherAddresses = m_trusted.addressesBeside(known.fingerprint, device.address);
        device.lastError = m_trust.removedThere(known.fingerprint).value_or(Sentence());
        m_devices.put(device);
    }
}

HomeService::~HomeService() = default;

void HomeService::serveLinks() {
    connect(&m_links, &HomeLinks::linked, this, &HomeService::linked);
    connect(&m_links, &HomeLinks::located, this, &HomeService::rememberAddress);
    connect(&m_links, &HomeLinks::unlinked, this, &HomeService::unlinked);
    connect(&m_links, &HomeLinks::refused, this,
            [this](const Fingerprint &, const QString &) { Q_EMIT strangerRefused(); });
    connect(&m_workers, &WorkerHost::busyChanged, this, &HomeService::tellOfSelf);
    connect(&m_limits, &LimitsService::changed, this, &HomeService::tellOfSelf);
    connect(&m_limits, &LimitsService::leaving, this, [this] {
        m_limits.noteState();
        m_devices.tellSelf();
    });
    connect(&m_trust.pairing(), &PairingService::ignoredChanged, this, [this] {
        if (m_nearby)
            m_nearby->refresh();
        else
            Q_EMIT nearbyChanged();
    });
    m_links.onNotify(QStringLiteral("leaving"),
                     [this](const Fingerprint &from, const QCborMap &) { deviceLeaves(from); });
    m_links.onNotify(QStringLiteral("device.changed"),
                     [this](const Fingerprint &from, const QCborMap &args) { m_changes.told(from, args); });
    serveDiagnosis();
}

void HomeService::serve(Rpc &rpc) {
    rpc.handle(QStringLiteral("status"), [this](const QCborMap &, const Reply &reply) { reply.ok(status()); });
    rpc.handle(QStringLiteral("devices"), [this](const QCborMap &, const Reply &reply) {
        QCborArray list;
        for (const DeviceInfo &device : m_devices.all())
            list.append(device.toCbor());
        QCborMap result;
        result[QStringLiteral("devices")] = list;
        reply.ok(result);
    });
    rpc.handle(QStringLiteral("device.address"), [this](const QCborMap &args, const Reply &reply) {
        const auto device = Fingerprint::fromHex(args[QStringLiteral("fingerprint")].toString());
        answer(reply, device ? setAddress(*device, args[QStringLiteral("address")].toString())
                             : tl::unexpected(device.error()));
    });
    rpc.handle(QStringLiteral("device.rename"), [this](const QCborMap &args, const Reply &reply) {
        answer(reply, rename(args[QStringLiteral("device")].toString(), args[QStringLiteral("name")].toString()));
    });
    rpc.handle(QStringLiteral("nearby"), [this, context = &rpc](const QCborMap &, const Reply &reply) {
        // Who asks an agent that has just been started for this very question gets an answer that is worth it.
        QTimer::singleShot(nearbySettlesIn(), context, [this, reply] { reply.ok(nearby().toCbor()); });
    });
    rpc.handle(QStringLiteral("computers"), [this, context = &rpc](const QCborMap &, const Reply &reply) {
        QTimer::singleShot(lookForComputers(), context, [this, reply] { reply.ok(nearby().toCbor()); });
    });
    const auto tellPairing = [this](const Reply &reply, const Result<void> &result) {
        result ? reply.ok(m_trust.pairing().status().toCbor()) : reply.fail(result.error());
    };
    rpc.handle(QStringLiteral("pair.ignore"), [this, tellPairing](const QCborMap &args, const Reply &reply) {
        tellPairing(reply, ignore(args[QStringLiteral("key")].toString()));
    });
    rpc.handle(QStringLiteral("pair.unignore"), [this, tellPairing](const QCborMap &args, const Reply &reply) {
        tellPairing(reply, unignore(args[QStringLiteral("key")].toString()));
    });
    rpc.handle(QStringLiteral("diagnose"), [this, &rpc](const QCborMap &, const Reply &reply) {
        diagnose(
            &rpc, [&rpc](const Finding &finding) { rpc.notify(QStringLiteral("diagnose.finding"), finding.toCbor()); },
            [reply](const Result<std::vector<Finding>> &findings) {
                if (!findings) {
                    reply.fail(findings.error());
                    return;
                }
                QCborArray list;
                for (const Finding &finding : *findings)
                    list.append(finding.toCbor());
                QCborMap result;
                result[QStringLiteral("findings")] = list;
                reply.ok(result);
            });
    });
}

Result<quint16> HomeService::listenSomewhere() {
    if (!m_options.choosesPort)
        return m_links.listen(m_options.listenHost, m_options.port, m_options.port);
    Result<quint16> port;
    for (const AgentPorts &ports : AgentPorts::choices(m_options.stateDir)) {
        port = m_links.listen(m_options.listenHost, ports.agent, ports.agent);
        if (!port && port.error().code == QLatin1String("wire.port-taken"))
            continue;
        if (port && ports.agent != agentPort) {
            ports.remember(m_options.stateDir);
            m_workers.setPorts(ports.firstWorker(), ports.lastWorker());
            m_holders.setPorts(ports.firstWorker(), ports.lastWorker());
            m_portNote = otherPorts(ports);
            qWarning("hearth: %s", qUtf8Printable(m_portNote.english()));
        }
        break;
    }
    return port;
}

Result<void> HomeService::listen() {
    const auto port = listenSomewhere();
    if (!port) {
        Error error = port.error();
        if (error.code == QLatin1String("wire.port-taken")) {
            error.code = QStringLiteral("agent.port-taken");
            error.what =
                sentence("The agent could not listen on %1.").arg(joinAddress(m_options.listenHost, m_options.port));
            if (error.advice.isEmpty())
                error.advice = sentence("End the other program, or choose another port with --listen ADDRESS:PORT.");
        }
        return tl::unexpected(error);
    }
    m_port = *port;
    m_trust.setPort(m_port);
    const QJsonObject about{{QStringLiteral("pid"), static_cast<qint64>(::getpid())},
                            {QStringLiteral("address"), address()},
                            {QStringLiteral("listen"), m_options.listenHost},
                            {QStringLiteral("port"), m_port}};
    // It only informs: a disk that is full keeps no agent from starting. What one that was killed has left is wrong.
    const QString file = m_options.stateDir + QStringLiteral("/agent.json");
    if (const auto saved = saveFile(file, QJsonDocument(about).toJson()); !saved) {
        qWarning("hearth: %s", qUtf8Printable(saved.error().toString()));
        QFile::remove(file);
    }
    return {};
}

void HomeService::linked(const Fingerprint &id, const DeviceInfo &info) {
    m_changes.drop(id);
    DeviceInfo device = info;
    device.state = info.state == DeviceState::Lost ? DeviceState::Ready : info.state;
    // Its name is what people here know it by: it came with the trust, or was given, and is not its own to change.
    device.name = m_trusted.nameOf(id, info.name);
    // It cannot know where it is seen from here.
    device.otherAddresses = m_trusted.addressesBeside(id, device.address);
    device.lastError = {};
    device.alarm = {};  // it is where it is, with its own key
    m_devices.update(device);
}

void HomeService::unlinked(const Fingerprint &id, const Error &reason) {
    m_changes.drop(id);
    const DeviceInfo *known = m_devices.find(id.toHex());
    if (!known)
        return;
    DeviceInfo device = *known;
    device.state = DeviceState::Lost;
    device.agentPid = 0;
    device.onBattery = std::nullopt;
    device.lastError = sentence("The connection ended: %1").arg(reason.cause.isEmpty() ? reason.what : reason.cause);
    if (const auto why = m_trust.removedThere(id))
        device.lastError = *why;
    m_devices.update(device);
}

void HomeService::takeChange(const Fingerprint &from, const QCborMap &args) {
    const DeviceInfo *known = m_devices.find(from.toHex());
    const auto told = DeviceInfo::fromCbor(args[QStringLiteral("device")].toMap());
    if (!known || !told)
        return;
    DeviceInfo device = *known;
    device.state = told->state == DeviceState::Lost ? DeviceState::Ready : told->state;
    device.rest = told->rest;
    device.onBattery = told->onBattery;
    device.limits = told->limits;
    device.limitsKnown = told->limitsKnown;
    device.memoryBytes = told->memoryBytes;
    device.threads = told->threads;
    device.card = told->card;
    m_devices.update(device);
}

void HomeService::deviceLeaves(const Fingerprint &from) {
    m_changes.drop(from);
    const DeviceInfo *known = m_devices.find(from.toHex());
    if (!known)
        return;
    DeviceInfo device = *known;
    device.state = DeviceState::Leaving;
    m_devices.update(device);
}

void HomeService::tellOfSelf() {
    m_limits.noteState();
    QCborMap note;
    note[QStringLiteral("device")] = self().toCbor();
    m_links.notifyAll(QStringLiteral("device.changed"), note);
    m_devices.tellSelf();
}

QString HomeService::address() const {
    const OwnPlace place = OwnPlace::now(m_options.listenHost);
    return joinAddress(place.forOthers.isEmpty() ? place.here : place.forOthers, m_port);
}

QCborMap HomeService::hello() const {
    QCborMap map;
    map[QStringLiteral("device")] = self().toCbor();
    map[QStringLiteral("machine")] = machineMark();
    return map;
}

DeviceInfo HomeService::self() const {
    DeviceInfo info;
    info.id = m_devices.own().toHex();
    info.name = m_devices.ownName();
    info.address = address();
    info.state = m_limits.state();
    info.since = m_limits.since();
    info.limits = m_limits.limits();
    info.rest = m_limits.rest();
    info.self = true;
    info.agentPid = ::getpid();
    info.memoryBytes = m_workers.share().usableBytes();
    info.threads = m_workers.share().threads;
    info.cores = m_limits.host().cores;
    info.processor = m_limits.host().processor;
    info.kind = m_limits.host().kind;
    if (const auto power = m_limits.power())
        info.onBattery = *power == PowerSource::Battery;
    info.card = m_limits.card();
    info.version = QCoreApplication::applicationVersion();
    info.lastError = m_portNote;
    return info;
}

QCborMap HomeService::status() const {
    QCborMap map = nearby().toCbor();
    map[QStringLiteral("name")] = m_devices.ownName();
    map[QStringLiteral("fingerprint")] = m_devices.own().toHex();
    map[QStringLiteral("address")] = address();
    map[QStringLiteral("version")] = QCoreApplication::applicationVersion();
    map[QStringLiteral("pid")] = static_cast<qint64>(::getpid());
    QCborArray list;
    for (const DeviceInfo &device : m_devices.all())
        list.append(device.toCbor());
    map[QStringLiteral("devices")] = list;
    return map;
}

Result<void> HomeService::rename(const QString &device, const QString &wanted) {
    const auto name = givenDeviceName(wanted);
    if (!name)
        return tl::unexpected(name.error());
    const auto known = deviceNamed(m_devices.all(), device);
    if (!known)
        return tl::unexpected(known.error());
    for (const DeviceInfo &other : m_devices.all()) {
        if (other.id != known->id && QString::compare(other.name, *name, Qt::CaseInsensitive) == 0) {
            return fail(QStringLiteral("device.name-taken"),
                        sentence("Another device is called \"%1\" already.").arg(*name),
                        sentence("Devices are chosen by their names."), sentence("Take another name."));
        }
    }
    if (*name == known->name)
        return {};
    if (known->self)
        return renameSelf(*name);
    const auto key = Fingerprint::fromHex(known->id);
    if (auto renamed = key ? m_trusted.rename(*key, *name) : Result<void>(); !renamed)
        return renamed;
    DeviceInfo info = *known;
    info.name = *name;
    m_devices.update(info);
    return {};
}

Result<void> HomeService::renameSelf(const QString &name) {
    if (const auto kept = deviceName(m_options.stateDir, name); !kept)
        return tl::unexpected(kept.error());
    m_devices.setOwnName(name);
    m_workers.setDeviceName(name);
    m_holders.setDeviceName(name);
    if (m_nearby)
        m_nearby->announceAs(name);
    tellOfSelf();
    return {};
}

Result<void> HomeService::setAddress(const Fingerprint &device, const QString &address) {
    if (const auto parts = splitAddress(address); !parts)
        return tl::unexpected(parts.error());
    const TrustedDevice *known = m_trusted.find(device);
    if (!known) {
        return fail(QStringLiteral("device.unknown"), sentence("This device is not one of yours."),
                    sentence("An address makes nobody trusted."), sentence("Trust the device first."));
    }
    if (auto added = putAddress(*known, address, true); !added)
        return added;
    m_links.dialKnown();
    return {};
}

void HomeService::discover(std::unique_ptr<DiscoverySource> source) {
    m_nearby = std::make_unique<AgentNearby>(std::move(source), m_trusted, m_trust.pairing().ignored(), m_links,
                                             m_devices.own());
    connect(m_nearby.get(), &AgentNearby::changed, this, &HomeService::nearbyChanged);
    connect(&m_devices, &DeviceBook::changed, m_nearby.get(), &AgentNearby::refresh);
    connect(&m_devices, &DeviceBook::removed, m_nearby.get(), &AgentNearby::refresh);
    m_nearby->start(m_devices.ownName(), QHostAddress(m_options.listenHost), m_port);
}

void HomeService::endDiscovery() {
    m_nearby.reset();
}

Nearby HomeService::nearby() const {
    return m_nearby ? m_nearby->nearby() : Nearby{{}, {}, m_trust.pairing().ignored().devices()};
}

std::chrono::milliseconds HomeService::nearbySettlesIn() const {
    return m_nearby ? m_nearby->settlesIn() : std::chrono::milliseconds(0);
}

std::chrono::milliseconds HomeService::lookForComputers() {
    return m_nearby ? m_nearby->lookForComputers() : std::chrono::milliseconds(0);
}

void HomeService::rememberAddress(const Fingerprint &device, const QString &address, bool isFastest) {
    const TrustedDevice *known = m_trusted.find(device);
    if (!known || (isFastest ? known->addresses.value(0) == address : known->addresses.contains(address)))
        return;
    // A disk that is full costs the memory of an address, not the link.
    if (const auto saved = putAddress(*known, address, isFastest); !saved)
        qWarning("hearth: %s", qUtf8Printable(saved.error().toString()));
}

Result<void> HomeService::putAddress(TrustedDevice device, const QString &address, bool first) {
    device.addresses.removeAll(address);
    device.addresses.insert(first ? 0 : std::min(device.addresses.size(), maximumAddresses - 1), address);
    device.addresses = device.addresses.mid(0, maximumAddresses);
    if (auto added = m_trusted.add(device); !added)
        return added;
    if (const DeviceInfo *known = m_devices.find(device.fingerprint.toHex())) {
        DeviceInfo info = *known;
        info.otherAddresses = m_trusted.addressesBeside(device.fingerprint, info.address);
        m_devices.update(info);
    }
    return {};
}

Result<void> HomeService::ignore(const QString &key) {
    if (!isKeyStart(key)) {
        return fail(QStringLiteral("ignore.no-key"), sentence("\"%1\" is no key of a device.").arg(key.left(80)), {},
                    sentence("Give its digits, %1 at least, as \"hearth devices\" lists them.")
                        .arg(Announcement::prefixDigits));
    }
    if (isSameKey(m_devices.own().toHex(), key)) {
        return fail(QStringLiteral("ignore.own-key"), sentence("A device cannot ignore itself."), {},
                    sentence("Where somebody else announces its key, look for that device."));
    }
    for (const TrustedDevice &each : m_trusted.devices()) {
        if (isSameKey(each.fingerprint.toHex(), key)) {
            return fail(QStringLiteral("ignore.trusted"), sentence("%1 is a device of this home.").arg(each.name), {},
                        sentence("Forget it first."));
        }
    }
    IgnoredDevice device{key, {}, QDateTime::currentMSecsSinceEpoch()};
    for (const NearbyDevice &each : nearby().devices) {
        if (isSameKey(each.prefix, key))
            device.name = each.name;
    }
    if (const PairingStatus status = m_trust.pairing().status();
        !status.fingerprint.isEmpty() && isSameKey(status.fingerprint, key))
        device.name = status.name;
    return m_trust.pairing().ignore(device);
}

Result<void> HomeService::unignore(const QString &key) {
    if (isKeyStart(key) && m_trust.pairing().ignored().contains(key))
        return m_trust.pairing().unignore(key);
    return fail(QStringLiteral("ignore.unknown"), sentence("No device with the key %1 is ignored.").arg(key.left(80)),
                {}, sentence("See \"hearth ignore\" for those that are."));
}

}  // namespace hearth
