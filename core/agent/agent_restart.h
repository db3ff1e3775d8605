// Whether the agent of this computer can be replaced by the program that is installed now.
#pragma once

#include <QString>

namespace hearth {

/// How an agent that is told to leave comes back.
enum class AgentRestart {
    Possible,       // ensureAgent() starts it as it was started before
    SystemService,  // the system's service manager, which asks for a password
    ByHand,         // somebody has started it, with options that only that person knows
};

/// `process` is the folder of the agent that serves this state folder, in /proc.
AgentRestart agentRestartOf(const QString &stateDir, const QString &process);
/// An agent that ends closes its socket first, and holds its state folder until its links are closed.
bool isFolderHeld(const QString &stateDir);

}  // namespace hearth
