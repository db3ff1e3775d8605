#include <QEventLoop>

#include "core/agent/agent_client.h"

namespace hearth {

Result<QCborMap> askAgent(const QString &stateDir, const QString &op, const QCborMap &arguments,
                          std::chrono::milliseconds deadline) {
    QEventLoop loop;
    AgentClient client;
    Result<QCborMap> outcome;
    const auto settle = [&](const Result<QCborMap> &result) {
        outcome = result;
        loop.quit();
    };
    QObject::connect(&client, &AgentClient::ready, &loop, [&] { client.call(op, arguments, deadline, &loop, settle); });
    QObject::connect(&client, &AgentClient::closed, &loop,
                     [&](const Error &reason) { settle(tl::unexpected(reason)); });
    client.open(stateDir);
    loop.exec();
    return outcome;
}

}  // namespace hearth
