// What windows and terminals ask of trust and pairing.
#include <QCborArray>

#include "core/agent/answer.h"
#include "core/agent/trust_service.h"
#include "core/home/announcement.h"

namespace hearth {
namespace {

constexpr qsizetype maximumAddresses = 16;

Result<std::vector<PairingService::Target>> targetsOf(const QCborMap &args) {
    QCborArray list = args[QStringLiteral("addresses")].toArray();
    if (const QCborValue one = args[QStringLiteral("address")]; one.isString())
        list.prepend(one);
    std::vector<PairingService::Target> targets;
    for (qsizetype i = 0; i < std::min(list.size(), maximumAddresses); ++i) {
        const auto parts = splitAddress(list[i].toString());
        if (!parts)
            return tl::unexpected(parts.error());
        targets.push_back({parts->host, parts->port});
    }
    return targets;
}

/// What is announced makes this device knock at nothing but homes.
Result<void> start(PairingService &pairing, std::vector<PairingService::Target> targets, const QString &prefix) {
    if (!prefix.isEmpty()) {
        const QList<Subnet> subnets = localSubnets();
        std::erase_if(targets, [&](const auto &target) { return !isAtHome(QHostAddress(target.host), subnets); });
        if (targets.empty() || !isAnnouncedPrefix(prefix)) {
            return fail(
                QStringLiteral("pairing.no-home-address"), sentence("The device announces no address in this home."),
                sentence("Somebody else may have announced it."), sentence("Pair by its address, if you know it."));
        }
    }
    return pairing.start(targets, prefix);
}

}  // namespace

void TrustService::serve(Rpc &rpc) {
    PairingService &pairing = *m_pairing;
    const auto tell = [&pairing](const Reply &reply, const Result<void> &result) {
        result ? reply.ok(pairing.status().toCbor()) : reply.fail(result.error());
    };
    rpc.handle(QStringLiteral("pair.start"), [&pairing, tell](const QCborMap &args, const Reply &reply) {
        const auto targets = targetsOf(args);
        tell(reply, targets ? start(pairing, *targets, args[QStringLiteral("prefix")].toString())
                            : tl::unexpected(targets.error()));
    });
    rpc.handle(QStringLiteral("pair.accept"), [&pairing, tell](const QCborMap &args, const Reply &reply) {
        const auto seen = Fingerprint::fromHex(args[QStringLiteral("fingerprint")].toString());
        tell(reply, seen ? pairing.accept(*seen) : tl::unexpected(seen.error()));
    });
    rpc.handle(QStringLiteral("pair.confirm"), [&pairing, tell](const QCborMap &args, const Reply &reply) {
        // Only a plain yes is one.
        tell(reply, pairing.confirm(args[QStringLiteral("match")].isTrue(), args[QStringLiteral("code")].toString()));
    });
    rpc.handle(QStringLiteral("pair.cancel"),
               [&pairing, tell](const QCborMap &, const Reply &reply) { tell(reply, pairing.cancel()); });
    rpc.handle(QStringLiteral("forget"), [this](const QCborMap &args, const Reply &reply) {
        answer(reply, forget(args[QStringLiteral("device")].toString()));
    });
    rpc.handle(QStringLiteral("trust"), [this](const QCborMap &args, const Reply &reply) {
        const auto device = IdentityFile::fromJson(args[QStringLiteral("identity")].toMap().toJsonObject(),
                                                   QStringLiteral("the identity"));
        answer(reply, device ? add(*device) : tl::unexpected(device.error()));
    });
    rpc.handle(QStringLiteral("distrust"), [this](const QCborMap &args, const Reply &reply) {
        const auto device = Fingerprint::fromHex(args[QStringLiteral("fingerprint")].toString());
        answer(reply, device ? distrust(*device) : tl::unexpected(device.error()));
    });
}

}  // namespace hearth
