// Blocking conveniences of the command line over the local agent.
#pragma once

#include <QCborMap>
#include <QEventLoop>
#include <functional>
#include <memory>
#include <optional>

#include "core/agent/agent_client.h"
#include "core/agent/stop_signals.h"

namespace hearth {

class CommandArguments;

/// Declares --state and --json, which every command that talks to the agent has.
void declareAgentOptions(CommandArguments &line);
QString stateDirOf(const CommandArguments &line);

/// Connects to the agent of this state folder; starts it first where none runs. Ctrl-C ends the wait where `stops` is
/// given, with the error of interruptedCode().
Result<std::unique_ptr<AgentClient>> connectToAgent(const QString &stateDir, StopSignals *stops = nullptr);
/// Connects to one that runs already.
Result<std::unique_ptr<AgentClient>> connectToRunningAgent(const QString &stateDir, StopSignals *stops = nullptr);

/// The code of the error that stands for Ctrl-C while waiting; it needs no words.
QString interruptedCode();
/// The status for an error that ends a command: said on standard error, unless it was Ctrl-C.
int endedBy(const Error &error);

/// Runs an event loop until `start` has called what it was given.
template <class T>
Result<T> waitFor(const std::function<void(QObject *, std::function<void(Result<T>)>)> &start,
                  StopSignals *stops = nullptr) {
    QEventLoop loop;
    std::optional<Result<T>> outcome;
    const auto settle = [&](const Result<T> &result) {
        outcome = result;
        loop.quit();
    };
    if (stops) {
        QObject::connect(stops, &StopSignals::received, &loop,
                         [&] { settle(fail(interruptedCode(), sentence("Interrupted."))); });
    }
    start(&loop, settle);
    if (!outcome)
        loop.exec();
    return *outcome;
}

/// Orders a run and waits until it has begun, which takes as long as its data are read: after a while that is said.
/// After Ctrl-C it begins all the same, and what stops it is said. `stateDir`: empty where the home ends with this
/// program, and the run with it.
Result<QString> beginRun(AgentClient &client, const RunOrder &order, const QString &stateDir, StopSignals &stops);

/// {"command": word, …} to a run, without following it.
Result<QCborMap> commandRun(AgentClient &client, const QString &run, const QString &word,
                            const QCborMap &arguments = {});
/// Whether the agent knows this run and it has not ended yet.
Result<bool> isUnderWay(AgentClient &client, const QString &run, StopSignals *stops = nullptr);

}  // namespace hearth
