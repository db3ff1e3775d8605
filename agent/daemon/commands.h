// hearth-agent init, trust and status.
#pragma once

#include <QStringList>

#include "core/home/agent.h"

namespace hearth {

/// Runs one command to its end and prints its result on standard output; needs a QCoreApplication. The error code
/// "usage.wrong" is for words that make no command.
Result<void> runAgentCommand(const QStringList &words, const AgentOptions &options);

}  // namespace hearth
