// hearth-agent init, trust, distrust, status, leave and pair.
#pragma once

#include <QStringList>

#include "core/agent/agent.h"
#include "core/agent/pair_terminal.h"

namespace hearth {

/// Runs one command to its end and prints its result on standard output; needs a QCoreApplication. The error code
/// "usage.wrong" is for words that make no command.
Result<void> runAgentCommand(const QStringList &words, const AgentOptions &options, const PairTerminalOptions &pairing);

/// Pairs in the terminal through the agent that runs for this state folder; `address` may be empty.
Result<void> pairInTerminal(const AgentOptions &options, PairTerminalOptions pairing, const QString &address);

}  // namespace hearth
