#include "core/run/agent_rpc_link.h"

#include "core/base/cbor.h"

namespace hearth {
namespace {

/// What another device tells. It is given back to that device's worker, and to nobody else.
QMap<QString, QString> readSeen(const QCborMap &told) {
    constexpr qsizetype longestHost = 255;
    QMap<QString, QString> seen;
    for (const auto &[device, host] : told) {
        const QString place = host.toString();
        if (seen.size() < mostPlacesSeen && Fingerprint::fromHex(device.toString()) && !place.isEmpty() &&
            place.size() <= longestHost)
            seen[device.toString()] = place;
    }
    return seen;
}

Result<WorkerAddress> readAddress(const QCborMap &map) {
    const auto fingerprint = Fingerprint::fromHex(map[QStringLiteral("fingerprint")].toString());
    if (!fingerprint)
        return tl::unexpected(fingerprint.error());
    const qint64 port = integerOf(map[QStringLiteral("port")]);
    const QString address = map[QStringLiteral("address")].toString();
    if (port < 1 || port > 65535 || address.isEmpty()) {
        return hearth::fail(QStringLiteral("run.bad-address"), sentence("What was started has no address."),
                            sentence("Its agent did not say where it listens."));
    }
    WorkerAddress worker{*fingerprint, address, static_cast<quint16>(port), integerOf(map[QStringLiteral("pid")]),
                         readSeen(map[QStringLiteral("sees")].toMap())};
    if (const QCborValue warning = map[QStringLiteral("warning")]; warning.isMap())
        worker.warning = Error::fromCbor(warning.toMap());
    if (const QCborValue place = map[QStringLiteral("for_others")]; place.isString())
        worker.forOthers = place.toString();
    return worker;
}

QCborMap named(const QString &device) {
    return {{QStringLiteral("device"), device}};
}

}  // namespace

AgentRpcLink::AgentRpcLink(Rpc &rpc, QObject *parent) : AgentLink(parent), m_rpc(rpc) {
    m_rpc.onNotify(QStringLiteral("worker.exited"), [this](const QCborMap &args) {
        Q_EMIT workerExited(args[QStringLiteral("device")].toString(),
                            Error::fromCbor(args[QStringLiteral("error")].toMap()));
    });
    m_rpc.onNotify(QStringLiteral("holder.exited"), [this](const QCborMap &args) {
        Q_EMIT holderExited(args[QStringLiteral("device")].toString(),
                            Error::fromCbor(args[QStringLiteral("error")].toMap()));
    });
    m_rpc.onNotify(QStringLiteral("device.changed"), [this](const QCborMap &args) {
        if (const auto device = DeviceInfo::fromCbor(args))
            Q_EMIT deviceChanged(*device);
    });
    m_rpc.onNotify(QStringLiteral("worker.sees"), [this](const QCborMap &args) {
        Q_EMIT placesSeen(args[QStringLiteral("device")].toString(), readSeen(args[QStringLiteral("sees")].toMap()));
    });
    m_rpc.onNotify(QStringLiteral("device.removed"),
                   [this](const QCborMap &args) { Q_EMIT deviceRemoved(args[QStringLiteral("device")].toString()); });
    m_rpc.onNotify(QStringLiteral("command"), [this](const QCborMap &args) { Q_EMIT command(args); });
}

void AgentRpcLink::startWorker(const QString &device, std::chrono::milliseconds deadline, QObject *context,
                               StartedFn done) {
    m_rpc.call(QStringLiteral("worker.start"), named(device), deadline, context,
               [done = std::move(done)](const Result<QCborMap> &reply) { done(reply.and_then(readAddress)); });
}

void AgentRpcLink::stopWorker(const QString &device) {
    m_rpc.notify(QStringLiteral("worker.stop"), named(device));
}

void AgentRpcLink::startHolder(const QString &device, std::chrono::milliseconds deadline, QObject *context,
                               StartedFn done) {
    m_rpc.call(QStringLiteral("holder.start"), named(device), deadline, context,
               [done = std::move(done)](const Result<QCborMap> &reply) { done(reply.and_then(readAddress)); });
}

void AgentRpcLink::stopHolder(const QString &device) {
    m_rpc.notify(QStringLiteral("holder.stop"), named(device));
}

void AgentRpcLink::eventWritten(quint64 /*seq*/) {
    m_rpc.notify(QStringLiteral("event"));
}

void AgentRpcLink::failed(const Error &error) {
    m_rpc.notify(QStringLiteral("failed"), error.toCbor());
}

}  // namespace hearth
