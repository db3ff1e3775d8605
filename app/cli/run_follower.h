// Following one run in the terminal until it ends or the person leaves.
#pragma once

#include <QObject>
#include <QString>

#include "app/cli/run_printer.h"
#include "core/home/agent_client.h"
#include "core/home/stop_signals.h"

namespace hearth {

enum class OnInterrupt {
    Leave,  // Ctrl-C once leaves the run alone, twice stops it and saves
    Quit,   // Ctrl-C ends the home, and the run with it
};

/// Prints all events of `run` from `fromSeq` on; returns the exit status. Runs an event loop.
int followRun(AgentClient &client, const QString &run, quint64 fromSeq, bool json, OnInterrupt onInterrupt,
              StopSignals &stops);

}  // namespace hearth
