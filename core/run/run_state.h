// The states of a run, and what leads from one to the next.
#pragma once

#include <QString>
#include <optional>

namespace hearth {

enum class RunState {
    Idle,
    Connecting,
    Profiling,
    Planning,
    Deploying,
    Training,
    Recovering,  // something was lost: a plan without it, and states for it
    Switching,   // another plan takes over at the boundary of a round
    Waiting,     // no device, or not all of a given plan, takes work
    Evaluating,
    Paused,
    Saving,
    Finished,
    Stopped,
    Failed,
};

/// Finished, stopped or failed: nothing follows.
bool isFinal(RunState state);

/// What the "state" event calls it: several steps are one state to a reader of the run.
QString publicName(RunState state);

/// What happens to a run as a whole.
enum class RunTurn {
    Started,        // its workers are asked for
    TakenUp,        // another coordinator takes the place of one that died
    Connected,      // all workers are here
    Measured,       // all devices and links
    Doubted,        // what was predicted does not do for a plan: it is measured
    Planned,        // there is a first plan
    Deployed,       // the plan is in force: rounds begin
    Lost,           // something was, or must be done once more
    AllRest,        // no plan is possible, or may begin, until devices take work again
    PlanDue,        // at a boundary, another plan takes over
    EvaluationDue,  // at a boundary
    Evaluated,
    SaveDue,    // at a boundary: weights are collected
    Collected,  // they are here, and are written while rounds go on
    PauseDue,   // at a boundary
    Woken,      // something is due at the next boundary
    Done,       // all that the run was for
    Stopped,    // by a person
    Failed,
};

/// The state that follows; nothing where that cannot happen in this one. Coordinator's header draws it.
std::optional<RunState> nextState(RunState state, RunTurn turn);

}  // namespace hearth
