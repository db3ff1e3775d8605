// Where an agent and its workers listen when nobody has said so.
#pragma once

#include <QString>
#include <vector>

#include "core/home/device_info.h"

namespace hearth {

/// The workers' ports are the 32 behind the agent's: a block of 33, so that a firewall can know them. Plain value.
struct AgentPorts {
    static constexpr quint16 workers = 32;
    /// More than there are accounts on a computer of a home.
    static constexpr int blocks = 8;

    quint16 agent = agentPort;

    quint16 firstWorker() const { return static_cast<quint16>(agent + 1); }
    quint16 lastWorker() const { return static_cast<quint16>(agent + workers); }

    /// In the order in which they are tried: those that were taken before, in ports.json of this state folder, and the
    /// usual ones. An agent that keeps to its ports is found again, and leaves the usual ones to whom they belong to.
    static std::vector<AgentPorts> choices(const QString &stateDir);
    /// For the next start; that it cannot be saved costs nothing else.
    void remember(const QString &stateDir) const;
};

}  // namespace hearth
