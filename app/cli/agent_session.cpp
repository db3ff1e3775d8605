#include "app/cli/agent_session.h"

#include <QTimer>
#include <algorithm>

#include "app/cli/command.h"
#include "core/agent/programs.h"
#include "core/run/files/state_words.h"

namespace hearth {
namespace {

constexpr std::chrono::seconds longForData{10};

/// To whoever ordered a run and does not wait for its data.
void tellThatItBegins(AgentClient &client, const RunOrder &order, const QString &stateDir) {
    QString run = order.resume;
    if (run.isEmpty()) {
        const auto runs =
            waitFor<std::vector<RunInfo>>([&](QObject *context, auto done) { client.runs(context, done); });
        if (!runs)
            return;
        // The newest comes first. One whose data are read has no state yet.
        const auto ours =
            std::ranges::find_if(*runs, [](const RunInfo &each) { return each.live && each.state.isEmpty(); });
        if (ours == runs->end())
            return;
        run = ours->id;
    }
    printNote(QStringLiteral("The run begins by itself when its data are read. Stop it with: hearth stop %1%2")
                  .arg(run, stateOption(stateDir)));
}

}  // namespace

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

int endedBy(const Error &error) {
    return error.code == interruptedCode() ? static_cast<int>(Interrupted) : printError(error);
}

Result<std::unique_ptr<AgentClient>> connectToRunningAgent(const QString &stateDir, StopSignals *stops) {
    auto client = std::make_unique<AgentClient>();
    const auto connected = waitFor<bool>(
        [&](QObject *context, auto done) {
            QObject::connect(client.get(), &AgentClient::ready, context, [done] { done(true); });
            QObject::connect(client.get(), &AgentClient::closed, context,
                             [done](const Error &reason) { done(tl::unexpected(reason)); });
            client->open(stateDir);
        },
        stops);
    if (!connected)
        return tl::unexpected(connected.error());
    return client;
}

Result<std::unique_ptr<AgentClient>> connectToAgent(const QString &stateDir, StopSignals *stops) {
    const auto ensured = waitFor<bool>(
        [&](QObject *context, auto done) {
            ensureAgentAsync(stateDir, context, [done](const Result<void> &result) {
                done(result ? Result<bool>(true) : tl::unexpected(result.error()));
            });
        },
        stops);
    if (!ensured)
        return tl::unexpected(ensured.error());
    return connectToRunningAgent(stateDir, stops);
}

Result<QString> beginRun(AgentClient &client, const RunOrder &order, const QString &stateDir, StopSignals &stops) {
    QTimer slow;
    slow.setSingleShot(true);
    QObject::connect(&slow, &QTimer::timeout,
                     [] { printNote(QStringLiteral("The data are being read; the run begins after that …")); });
    slow.start(longForData);
    auto run = waitFor<QString>([&](QObject *context, auto done) { client.startRun(order, context, done); }, &stops);
    if (!run && run.error().code == interruptedCode() && !stateDir.isEmpty())
        tellThatItBegins(client, order, stateDir);
    return run;
}

Result<QCborMap> commandRun(AgentClient &client, const QString &run, const QString &word, const QCborMap &arguments) {
    return waitFor<QCborMap>([&](QObject *context, auto done) { client.command(run, word, arguments, context, done); });
}

Result<bool> isUnderWay(AgentClient &client, const QString &run, StopSignals *stops) {
    return waitFor<std::vector<RunInfo>>([&](QObject *context, auto done) { client.runs(context, done); }, stops)
        .map([&](const std::vector<RunInfo> &runs) {
            // One that told its last state has saved its weights, though its coordinator may be there still.
            return std::ranges::any_of(
                runs, [&](const RunInfo &each) { return each.id == run && each.live && !isFinalState(each.state); });
        });
}

}  // namespace hearth
