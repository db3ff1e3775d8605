#include "app/cli/agent_session.h"

#include "app/cli/command.h"

namespace hearth {

void declareAgentOptions(CommandArguments &line) {
    line.value(QStringLiteral("state"), QStringLiteral("DIR"), QStringLiteral("the home whose state folder this is"));
    line.flag(QStringLiteral("json"), QStringLiteral("print JSON"));
}

QString stateDirOf(const CommandArguments &line) {
    return line.get(QStringLiteral("state"), defaultStateDir());
}

QString interruptedCode() {
    return QStringLiteral("app.interrupted");
}

Result<std::unique_ptr<AgentClient>> connectToRunningAgent(const QString &stateDir) {
    auto client = std::make_unique<AgentClient>();
    QEventLoop loop;
    std::optional<Error> problem;
    QObject::connect(client.get(), &AgentClient::ready, &loop, &QEventLoop::quit);
    QObject::connect(client.get(), &AgentClient::closed, &loop, [&](const Error &reason) {
        problem = reason;
        loop.quit();
    });
    client->open(stateDir);
    loop.exec();
    if (problem)
        return tl::unexpected(*problem);
    return client;
}

Result<std::unique_ptr<AgentClient>> connectToAgent(const QString &stateDir) {
    if (auto ensured = ensureAgent(stateDir); !ensured)
        return tl::unexpected(ensured.error());
    return connectToRunningAgent(stateDir);
}

Result<QCborMap> commandRun(AgentClient &client, const QString &run, const QString &word) {
    return waitFor<QCborMap>([&](QObject *context, auto done) { client.command(run, word, {}, context, done); });
}

}  // namespace hearth
