#include "core/home/device_info.h"

#include <QCborArray>
#include <QHostAddress>
#include <algorithm>

#include "core/base/cbor.h"
#include "core/base/one_line.h"
#include "core/base/sentence_list.h"
#include "core/wire/identity.h"

namespace hearth {
namespace {

const QString unknownLimits = QStringLiteral("unknown");
const QLatin1String lastErrorKey("last_error"), alarmKey("alarm");

constexpr qsizetype maximumText = 256;  // of any field: names and messages are for a card or one line
constexpr qsizetype maximumOtherAddresses = 16;

QString text(const QCborMap &map, const char *key) {
    return oneLine(map[QLatin1String(key)].toString(), maximumText);
}

qint64 positive(const QCborMap &map, const char *key) {
    return std::max<qint64>(0, integerOf(map[QLatin1String(key)]));
}

}  // namespace

QString toWord(DeviceState state) {
    switch (state) {
        case DeviceState::Ready:
            return QStringLiteral("ready");
        case DeviceState::Training:
            return QStringLiteral("training");
        case DeviceState::Resting:
            return QStringLiteral("resting");
        case DeviceState::Leaving:
            return QStringLiteral("leaving");
        case DeviceState::Lost:
            break;
    }
    return QStringLiteral("lost");
}

DeviceState deviceStateFromWord(const QString &word) {
    if (word == QLatin1String("ready"))
        return DeviceState::Ready;
    if (word == QLatin1String("training"))
        return DeviceState::Training;
    if (word == QLatin1String("resting"))
        return DeviceState::Resting;
    if (word == QLatin1String("leaving"))
        return DeviceState::Leaving;
    return DeviceState::Lost;
}

bool takesWork(DeviceState state) {
    return state == DeviceState::Ready || state == DeviceState::Training;
}

bool isDraining(DeviceState state) {
    return state == DeviceState::Resting || state == DeviceState::Leaving;
}

QString DeviceInfo::host() const {
    const auto parts = splitAddress(address);
    return parts ? parts->host : QString();
}

quint16 DeviceInfo::port() const {
    const auto parts = splitAddress(address);
    return parts ? parts->port : 0;
}

QCborMap DeviceInfo::toCbor() const {
    QCborMap map;
    map[QStringLiteral("id")] = id;
    map[QStringLiteral("name")] = name;
    map[QStringLiteral("address")] = address;
    if (!otherAddresses.isEmpty())
        map[QStringLiteral("other_addresses")] = QCborArray::fromStringList(otherAddresses);
    map[QStringLiteral("state")] = toWord(state);
    if (since > 0)
        map[QStringLiteral("since_ms")] = since;
    map[QStringLiteral("self")] = self;
    map[QStringLiteral("agent_pid")] = agentPid;
    map[QStringLiteral("memory_bytes")] = memoryBytes;
    map[QStringLiteral("threads")] = threads;
    map[QStringLiteral("cores")] = cores;
    if (!limitsKnown)
        map[QStringLiteral("limits")] = unknownLimits;
    else if (!limits.isNone())
        map[QStringLiteral("limits")] = QCborMap::fromJsonObject(limits.toJson());
    if (rest != Rest::None)
        map[QStringLiteral("rest")] = toWord(rest);
    if (kind != DeviceKind::Unknown)
        map[QStringLiteral("kind")] = toWord(kind);
    if (onBattery)
        map[QStringLiteral("on_battery")] = *onBattery;
    map[QStringLiteral("processor")] = processor;
    if (card)
        map[QStringLiteral("card")] = card->toCbor();
    map[QStringLiteral("version")] = version;
    insertSentence(map, lastErrorKey, lastError);
    if (!alarm.isEmpty())
        insertSentence(map, alarmKey, alarm);
    return map;
}

QJsonObject DeviceInfo::toJson() const {
    QJsonObject json = toCbor().toJsonObject();
    if (agentPid == 0)
        json.remove(QStringLiteral("agent_pid"));
    if (lastError.isEmpty())
        json.remove(QStringLiteral("last_error"));
    return json;
}

Result<DeviceInfo> DeviceInfo::fromCbor(const QCborMap &map) {
    DeviceInfo info;
    const auto fingerprint = Fingerprint::fromHex(map[QStringLiteral("id")].toString());
    if (!fingerprint)
        return tl::unexpected(fingerprint.error());
    info.id = fingerprint->toHex();
    info.name = text(map, "name");
    info.address = text(map, "address");
    for (const QCborValue each : map[QStringLiteral("other_addresses")].toArray()) {
        if (info.otherAddresses.size() < maximumOtherAddresses)
            info.otherAddresses << oneLine(each.toString(), maximumText);
    }
    info.state = deviceStateFromWord(text(map, "state"));
    info.since = positive(map, "since_ms");
    info.self = map[QStringLiteral("self")].toBool();
    info.agentPid = positive(map, "agent_pid");
    info.memoryBytes = positive(map, "memory_bytes");
    info.threads = static_cast<int>(std::min<qint64>(positive(map, "threads"), 4096));
    info.cores = static_cast<int>(std::min<qint64>(positive(map, "cores"), 4096));
    // Of a newer version they may say more than is understood here; that device keeps to them all the same.
    if (const QCborValue told = map[QStringLiteral("limits")]; !told.isUndefined()) {
        const auto limits = DeviceLimits::fromJson(told.toMap().toJsonObject(), QStringLiteral("a device"));
        info.limitsKnown = limits.has_value();
        info.limits = limits.value_or(DeviceLimits());
    }
    info.rest = restFromWord(text(map, "rest"));
    info.kind = deviceKindFromWord(text(map, "kind"));
    if (const QCborValue told = map[QStringLiteral("on_battery")]; told.isBool())
        info.onBattery = told.toBool();
    info.processor = text(map, "processor");
    if (const QCborValue card = map[QStringLiteral("card")]; card.isMap())
        info.card = GraphicsCard::fromCbor(card.toMap());
    info.version = text(map, "version");
    info.lastError = sentenceAt(map, lastErrorKey);
    info.alarm = sentenceAt(map, alarmKey);
    return info;
}

Sentence restCauses(const std::vector<DeviceInfo> &devices) {
    QList<Sentence> causes;
    for (const DeviceInfo &device : devices) {
        const Sentence cause = restCause(device.rest, device.limits);
        if (device.state == DeviceState::Resting && !cause.isEmpty())
            causes << sentence("%1: %2").arg(device.name, cause);
    }
    return listed(causes);
}

Result<QString> agentAddress(const QString &word) {
    const QString text = word.trimmed();
    const bool isV6 = text.count(QLatin1Char(':')) > 1 && !text.startsWith(QLatin1Char('['));
    QString address = text;
    if (isV6 || !text.contains(QLatin1Char(':')) || text.endsWith(QLatin1Char(']')))
        address = joinAddress(text.startsWith(QLatin1Char('[')) ? text.mid(1, text.size() - 2) : text, agentPort);
    const auto parts = splitAddress(address);
    const bool hasSpace = std::any_of(text.begin(), text.end(), [](QChar c) { return c.isSpace() || !c.isPrint(); });
    if (parts && parts->port > 0 && !hasSpace && (!isV6 || !QHostAddress(text).isNull()))
        return address;
    return fail(QStringLiteral("address.invalid"), sentence("\"%1\" is not an address.").arg(text.left(80)), QString(),
                sentence("Write HOST, HOST:PORT, or [HOST]:PORT for IPv6."));
}

}  // namespace hearth
