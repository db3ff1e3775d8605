// What a run's first rounds leave of times that were predicted, for the runs that come.
#pragma once

#include "core/run/capacity_drift.h"
#include "core/run/membership.h"
#include "core/run/run_log.h"
#include "core/run/run_request.h"

namespace hearth {

/// Rounds under a plan, and what it was made on.
struct TaughtRounds {
    const RunRequest &request;
    const PlanningProblem &problem;  // as it was planned on, never corrected
    const Plan &inForce;
    const Membership &membership;
    const CapacityDrift &drift;
};

/// Puts stored profiles that were predicted in part right by how long the devices of the plan really took in their
/// first rounds, which nothing had slowed down yet; the home's knowledge learns the same. Guesses
/// (TimeTable::isGuess()) are not stored: one factor puts right too little of them. What cannot be written is a
/// warning. The coordinator's thread; blocks while it reads and writes.
void learnTimes(const TaughtRounds &rounds, RunLog &log);

}  // namespace hearth
