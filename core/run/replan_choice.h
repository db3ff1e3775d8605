// Whether another plan is worth the trouble of changing to it, and the changes that are no trouble.
#pragma once

#include <QString>
#include <optional>

#include "core/plan/cost_model.h"
#include "core/plan/plan.h"

namespace hearth {

/// What a switch at the next boundary between rounds would bring and cost. Plain value; seconds.
struct ReplanFacts {
    double currentSeconds = 0;  // of a round under the plan in force, at the speeds of now
    double betterSeconds = 0;   // under the other plan
    qint64 roundsLeft = 0;
    double moveSeconds = 0;     // of states, while no round runs
    double rebuildSeconds = 0;  // of stages and connections
    double waitSeconds = 0;     // until the boundary, as far as devices rest for it
    qint64 roundsSinceSwitch = 0;
};

/// When a switch pays (FTPipeHD re-partitions whenever its cut changes; these are what keeps that from flapping).
struct ReplanRule {
    double leastGain = 0.05;   // part of the round's seconds
    double payback = 2;        // what is saved over the rest of the run, in costs of the switch
    qint64 restRounds = 10;    // between two switches,
    double urgentGain = 0.30;  // unless the gain is beyond this
};

struct ReplanDecision {
    bool switches = false;
    double gain = 0;          // part of the round's seconds that is saved
    double savedSeconds = 0;  // over the rest of the run
    double costSeconds = 0;
    Sentence reason;  // one sentence with the numbers, whatever the decision: for an event or a warning
};

/// Seconds that are no numbers, or a current plan that takes none, decide against the switch.
ReplanDecision decideReplan(const ReplanFacts &facts, const ReplanRule &rule = {});

/// The same stages and members, where in each group up to `mostSamples` samples of every micro-batch go, one by one,
/// from the slowest member to the one that can best take it: no state moves for it. Each move shortens its stage (Eq.
/// 8, forward and backward), leaves everybody the samples that the layers need, fits the memory, and does not make the
/// predicted round longer. Nothing where no sample moves. The result has a prediction. `model` is of the problem at the
/// speeds of now; the plan has stages and is valid for it.
std::optional<Plan> nudgedShares(const CostModel &model, const Plan &plan, int mostSamples = 1);

}  // namespace hearth
