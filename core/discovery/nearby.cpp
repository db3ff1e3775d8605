#include "core/discovery/nearby.h"

#include <QCborArray>
#include <QDateTime>
#include <QJsonArray>
#include <algorithm>

#include "core/base/cbor.h"
#include "core/base/sentence.h"
#include "core/home/announcement.h"

namespace hearth {
namespace {

constexpr qsizetype maximumText = 256;
constexpr qsizetype maximumAddresses = 8;
constexpr qsizetype maximumHosts = 4;
constexpr std::size_t maximumListed = 2048;  // strangers, and a whole home

QString printed(const QCborMap &map, const char *key) {
    QString value = map[QLatin1String(key)].toString().left(maximumText);
    for (QChar &c : value) {
        if (!c.isPrint() && !c.isSurrogate())
            c = QLatin1Char(' ');
    }
    return value;
}

QStringList texts(const QCborMap &map, const char *key, qsizetype maximum) {
    QStringList list;
    for (const QCborValue &each : map[QLatin1String(key)].toArray()) {
        if (list.size() < maximum)
            list << each.toString().left(maximumText);
    }
    return list;
}

template <class State>
State stateOf(const QString &word, std::initializer_list<State> states) {
    const auto at = std::find_if(states.begin(), states.end(), [&](State each) { return toWord(each) == word; });
    return at == states.end() ? *states.begin() : *at;
}

}  // namespace

QString toWord(NearbyState state) {
    switch (state) {
        case NearbyState::Paired:
            return QStringLiteral("paired");
        case NearbyState::Clone:
            return QStringLiteral("clone");
        case NearbyState::Ignored:
            return QStringLiteral("ignored");
        case NearbyState::Found:
            break;
    }
    return QStringLiteral("found");
}

QString toWord(DiscoveryState state) {
    switch (state) {
        case DiscoveryState::Starting:
            return QStringLiteral("starting");
        case DiscoveryState::Absent:
            return QStringLiteral("absent");
        case DiscoveryState::Running:
            return QStringLiteral("running");
        case DiscoveryState::Failed:
            return QStringLiteral("failed");
        case DiscoveryState::Off:
            break;
    }
    return QStringLiteral("off");
}

QCborMap NearbyDevice::toCbor() const {
    QCborMap map;
    map[QStringLiteral("prefix")] = prefix;
    map[QStringLiteral("name")] = name;
    map[QStringLiteral("addresses")] = QCborArray::fromStringList(addresses);
    map[QStringLiteral("hosts")] = QCborArray::fromStringList(hosts);
    map[QStringLiteral("version")] = version;
    map[QStringLiteral("state")] = toWord(state);
    map[QStringLiteral("since_ms")] = since;
    return map;
}

QJsonObject NearbyDevice::toJson() const {
    QJsonObject json = toCbor().toJsonObject();
    json.remove(QStringLiteral("since_ms"));
    json[QStringLiteral("since")] = QDateTime::fromMSecsSinceEpoch(since, Qt::UTC).toString(Qt::ISODateWithMs);
    return json;
}

Result<NearbyDevice> NearbyDevice::fromCbor(const QCborMap &map) {
    NearbyDevice device;
    device.prefix = map[QStringLiteral("prefix")].toString();
    if (!isAnnouncedPrefix(device.prefix))
        return fail(QStringLiteral("nearby.invalid"), sentence("A device nearby has no key."));
    device.name = printed(map, "name");
    device.addresses = texts(map, "addresses", maximumAddresses);
    device.hosts = texts(map, "hosts", maximumHosts);
    device.version = static_cast<int>(std::clamp<qint64>(integerOf(map[QStringLiteral("version")]), 0, 1000000));
    device.state = stateOf(printed(map, "state"),
                           {NearbyState::Found, NearbyState::Paired, NearbyState::Clone, NearbyState::Ignored});
    device.since = integerOf(map[QStringLiteral("since_ms")]);
    return device;
}

QCborMap FoundComputer::toCbor() const {
    QCborMap map;
    map[QStringLiteral("name")] = name;
    map[QStringLiteral("host")] = host;
    map[QStringLiteral("addresses")] = QCborArray::fromStringList(addresses);
    map[QStringLiteral("ssh_port")] = static_cast<int>(sshPort);
    map[QStringLiteral("has_hearth")] = hasHearth;
    return map;
}

Result<FoundComputer> FoundComputer::fromCbor(const QCborMap &map) {
    FoundComputer computer;
    computer.addresses = texts(map, "addresses", maximumAddresses);
    if (computer.addresses.isEmpty())
        return fail(QStringLiteral("nearby.invalid"), sentence("A computer nearby has no address."));
    computer.name = printed(map, "name");
    computer.host = printed(map, "host");
    computer.sshPort = static_cast<quint16>(std::clamp<qint64>(integerOf(map[QStringLiteral("ssh_port")]), 0, 65535));
    computer.hasHearth = map[QStringLiteral("has_hearth")].toBool();
    return computer;
}

QCborMap DiscoveryStatus::toCbor() const {
    QCborMap map;
    map[QStringLiteral("state")] = toWord(state);
    map[QStringLiteral("announced_as")] = announcedAs;
    map[QStringLiteral("renamed")] = isRenamed;
    map[QStringLiteral("echoed")] = isEchoed;
    map[QStringLiteral("crowded")] = isCrowded;
    map[QStringLiteral("daemon")] = daemon;
    insertSentence(map, QLatin1String("cause"), cause);
    return map;
}

DiscoveryStatus DiscoveryStatus::fromCbor(const QCborMap &map) {
    DiscoveryStatus status;
    status.state =
        stateOf(printed(map, "state"), {DiscoveryState::Off, DiscoveryState::Starting, DiscoveryState::Absent,
                                        DiscoveryState::Running, DiscoveryState::Failed});
    status.announcedAs = printed(map, "announced_as");
    status.isRenamed = map[QStringLiteral("renamed")].toBool();
    status.isEchoed = map[QStringLiteral("echoed")].toBool();
    status.isCrowded = map[QStringLiteral("crowded")].toBool();
    status.daemon = printed(map, "daemon");
    status.cause = sentenceAt(map, QLatin1String("cause"));
    return status;
}

QCborMap Nearby::toCbor() const {
    QCborArray list;
    for (const NearbyDevice &device : devices)
        list.append(device.toCbor());
    QCborArray found;
    for (const FoundComputer &computer : computers)
        found.append(computer.toCbor());
    QCborMap map;
    map[QStringLiteral("nearby")] = list;
    map[QStringLiteral("computers")] = found;
    QCborArray silent;
    for (const IgnoredDevice &device : ignored)
        silent.append(device.toCbor());
    map[QStringLiteral("ignored")] = silent;
    map[QStringLiteral("discovery")] = status.toCbor();
    return map;
}

Nearby Nearby::fromCbor(const QCborMap &map) {
    Nearby nearby;
    for (const QCborValue &each : map[QStringLiteral("nearby")].toArray()) {
        const auto device = NearbyDevice::fromCbor(each.toMap());
        if (device && nearby.devices.size() < maximumListed)
            nearby.devices.push_back(*device);
    }
    for (const QCborValue &each : map[QStringLiteral("ignored")].toArray()) {
        const auto device = IgnoredDevice::fromCbor(each.toMap());
        if (device && nearby.ignored.size() < IgnoreList::maximumDevices)
            nearby.ignored.push_back(*device);
    }
    for (const QCborValue &each : map[QStringLiteral("computers")].toArray()) {
        const auto computer = FoundComputer::fromCbor(each.toMap());
        if (computer && nearby.computers.size() < maximumListed)
            nearby.computers.push_back(*computer);
    }
    nearby.status = DiscoveryStatus::fromCbor(map[QStringLiteral("discovery")].toMap());
    return nearby;
}

}  // namespace hearth
