// How an agent is started.
#pragma once

#include <QString>
#include <chrono>
#include <vector>

#include "core/agent/stay_awake.h"

namespace hearth {

struct AgentOptions {
    QString stateDir;
    QString name;  // empty: the name kept in the state folder, else the host's
    QString listenHost = QStringLiteral("::");
    quint16 port = 47600;      // 0: any, and the workers' ports, too
    bool choosesPort = false;  // where `port` is taken, as by another account's agent, other ones are: see AgentPorts
    int threads = 0;           // 0: all cores
    qint64 memoryBytes = 0;    // 0: what the machine has
    bool usesCard = true;      // where it has one that Hearth can compute on
    /// What keeps this computer awake while it trains; empty: nothing does.
    std::vector<Inhibitor> inhibitors = usualInhibitors();
    /// So long it stays awake when the work is over: see StayAwake.
    std::chrono::milliseconds awakeAfter{10000};
    /// In the runs of other devices, too; in its own whoever starts them says so.
    bool trustsFabric = false;
    /// So long a device shows that somebody else passed for it, twice that at most: for whoever looks at the window
    /// because something does not work.
    std::chrono::milliseconds alarmStands{std::chrono::minutes(30)};
    /// For Hearth's program for cards to say what there is: it loads CUDA's libraries, from a cold disk on a slow
    /// device. Workers that are wanted meanwhile wait for it.
    std::chrono::milliseconds cardAnswer{8000};
};

}  // namespace hearth
