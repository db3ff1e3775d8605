// What the parts of one run's coordinator share.
#pragma once

#include "core/run/links.h"
#include "core/run/membership.h"
#include "core/run/run_directory.h"
#include "core/run/run_log.h"
#include "core/run/run_request.h"

namespace hearth {

/// References to what outlives every part of the coordinator.
struct RunContext {
    const RunRequest &request;
    RunInputs &inputs;
    AgentLink &agent;
    WorkerConnector &connector;
    RunDirectory &directory;
    const RunDeadlines &deadlines;
    RunLog &log;
    Membership &membership;
    const qint64 total;  // rounds of the run
};

}  // namespace hearth
