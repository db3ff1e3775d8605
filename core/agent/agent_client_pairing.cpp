// What the app asks of the agent about pairing.
#include <QCborArray>

#include "core/agent/agent_client.h"
#include "core/wire/rpc.h"

namespace hearth {

void AgentClient::pair(const QString &op, const QCborMap &arguments, QObject *context, Answer<PairingStatus> answer) {
    call(op, arguments, Rpc::shortDeadline, context, [answer = std::move(answer)](const Result<QCborMap> &result) {
        if (result)
            answer(PairingStatus::fromCbor(*result));
        else
            answer(tl::unexpected(result.error()));
    });
}

void AgentClient::startPairing(const QStringList &addresses, const QString &prefix, QObject *context,
                               Answer<PairingStatus> answer) {
    pair(QStringLiteral("pair.start"),
         {{QStringLiteral("addresses"), QCborArray::fromStringList(addresses)}, {QStringLiteral("prefix"), prefix}},
         context, std::move(answer));
}

void AgentClient::acceptPairing(const QString &fingerprint, QObject *context, Answer<PairingStatus> answer) {
    pair(QStringLiteral("pair.accept"), {{QStringLiteral("fingerprint"), fingerprint}}, context, std::move(answer));
}

void AgentClient::confirmPairing(bool match, const QString &code, QObject *context, Answer<PairingStatus> answer) {
    pair(QStringLiteral("pair.confirm"), {{QStringLiteral("match"), match}, {QStringLiteral("code"), code}}, context,
         std::move(answer));
}

void AgentClient::cancelPairing(QObject *context, Answer<PairingStatus> answer) {
    pair(QStringLiteral("pair.cancel"), {}, context, std::move(answer));
}

void AgentClient::ignoreStranger(const QString &key, QObject *context, Answer<PairingStatus> answer) {
    pair(QStringLiteral("pair.ignore"), {{QStringLiteral("key"), key}}, context, std::move(answer));
}

void AgentClient::unignoreStranger(const QString &key, QObject *context, Answer<PairingStatus> answer) {
    pair(QStringLiteral("pair.unignore"), {{QStringLiteral("key"), key}}, context, std::move(answer));
}

void AgentClient::forget(const QString &device, QObject *context, Answer<QCborMap> answer) {
    call(QStringLiteral("forget"), {{QStringLiteral("device"), device}}, Rpc::shortDeadline, context,
         std::move(answer));
}

}  // namespace hearth
