// Following one run in the terminal until it ends or the person leaves.
#pragma once

#include <QObject>
#include <QString>

#include "app/cli/run_printer.h"
#include "core/agent/agent_client.h"
#include "core/agent/stop_signals.h"

namespace hearth {

enum class OnInterrupt {
    Leave,  // Ctrl-C once leaves the run alone, twice stops it and saves
    Quit,   // Ctrl-C ends the home, and the run with it
};

struct FollowOptions {
    quint64 from = 1;      // the first event to read
    quint64 showFrom = 1;  // the first event to show, of those that are read
    bool json = false;
    OnInterrupt onInterrupt = OnInterrupt::Leave;
    QString stateDir = {};  // of the home, for the words on how to come back
};

/// Prints the events of `run` as they come; returns the exit status. Runs an event loop.
int followRun(AgentClient &client, const QString &run, const FollowOptions &options, StopSignals &stops);

}  // namespace hearth
