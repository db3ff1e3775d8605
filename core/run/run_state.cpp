#include "core/run/run_state.h"

#include <algorithm>

namespace hearth {
namespace {

struct Transition {
    RunState from;
    RunTurn turn;
    RunState to;
};

using enum RunState;

/// Besides these, every state that is not final may end in Stopped or Failed.
constexpr Transition transitions[] = {
    {Idle, RunTurn::Started, Connecting},
    {Idle, RunTurn::TakenUp, Recovering},
    {Idle, RunTurn::AllRest, Waiting},
    {Waiting, RunTurn::Started, Connecting},
    {Connecting, RunTurn::Connected, Profiling},
    {Connecting, RunTurn::AllRest, Waiting},
    {Profiling, RunTurn::Measured, Planning},
    {Profiling, RunTurn::AllRest, Waiting},
    {Profiling, RunTurn::Done, Finished},
    {Planning, RunTurn::Doubted, Profiling},  // what was predicted has to be measured after all
    {Planning, RunTurn::AllRest, Waiting},
    {Planning, RunTurn::Planned, Deploying},
    {Planning, RunTurn::Done, Finished},
    {Deploying, RunTurn::Deployed, Training},
    {Deploying, RunTurn::Lost, Recovering},
    {Training, RunTurn::Lost, Recovering},
    {Training, RunTurn::PlanDue, Switching},
    {Training, RunTurn::EvaluationDue, Evaluating},
    {Training, RunTurn::SaveDue, Saving},
    {Training, RunTurn::PauseDue, Paused},
    {Training, RunTurn::Woken, Training},
    {Training, RunTurn::Done, Finished},
    {Recovering, RunTurn::Deployed, Training},
    {Recovering, RunTurn::Lost, Recovering},
    {Switching, RunTurn::Deployed, Training},
    {Switching, RunTurn::Lost, Recovering},
    {Evaluating, RunTurn::Evaluated, Training},
    {Evaluating, RunTurn::Lost, Recovering},
    {Deploying, RunTurn::AllRest, Waiting},
    {Recovering, RunTurn::AllRest, Waiting},
    {Switching, RunTurn::AllRest, Waiting},
    {Waiting, RunTurn::Lost, Recovering},
    {Paused, RunTurn::Woken, Training},
    {Paused, RunTurn::Lost, Recovering},
    {Saving, RunTurn::Collected, Training},
    {Saving, RunTurn::Lost, Recovering},
    {Saving, RunTurn::Done, Finished},
};

}  // namespace

bool isFinal(RunState state) {
    return state == Finished || state == RunState::Stopped || state == RunState::Failed;
}

std::optional<RunState> nextState(RunState state, RunTurn turn) {
    if (!isFinal(state) && turn == RunTurn::Stopped)
        return RunState::Stopped;
    if (!isFinal(state) && turn == RunTurn::Failed)
        return RunState::Failed;
    const auto row = std::ranges::find_if(
        transitions, [&](const Transition &each) { return each.from == state && each.turn == turn; });
    return row == std::end(transitions) ? std::nullopt : std::optional(row->to);
}

QString publicName(RunState state) {
    switch (state) {
        case Idle:
            return {};
        case Connecting:
        case Profiling:
            return QStringLiteral("profiling");
        case Planning:
        case Deploying:
            return QStringLiteral("planning");
        case Training:
        case Switching:
        case Evaluating:
        case Saving:
            return QStringLiteral("training");
        case Recovering:
            return QStringLiteral("recovering");
        case Waiting:
            return QStringLiteral("waiting");
        case Paused:
            return QStringLiteral("paused");
        case Finished:
            return QStringLiteral("finished");
        case RunState::Stopped:
            return QStringLiteral("stopped");
        case RunState::Failed:
            return QStringLiteral("failed");
    }
    return {};
}

}  // namespace hearth
