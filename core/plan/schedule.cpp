#include "core/plan/schedule.h"

#include <algorithm>

namespace hearth {

StageTask StageRules::next(const StageStatus &status) const {
    const bool owes = status.weightGradients < status.inputGradients;
    if (owes && !defersWeights)
        return StageTask::BackwardWeights;
    if (status.weightGradients == microBatches)
        return StageTask::Update;
    if (status.backwardReady && status.forwards >= forwardsFirst)
        return StageTask::BackwardInput;
    const bool mayBegin = status.forwards < microBatches && status.inFlight() < inFlight &&
                          status.forwards - status.inputGradients < ahead;
    if (mayBegin && status.forwardReady)
        return StageTask::Forward;
    if (owes)
        return StageTask::BackwardWeights;
    return mayBegin ? StageTask::WaitForward : StageTask::WaitBackward;
}

std::optional<int> urgencyOf(StageTask task, const StageRules &rules) {
    switch (task) {
        case StageTask::BackwardWeights:
            return rules.defersWeights ? leastUrgent : 0;
        case StageTask::Update:
            return 0;
        case StageTask::BackwardInput:
            return 1;
        case StageTask::Forward:
            return 2;
        case StageTask::WaitForward:
        case StageTask::WaitBackward:
            break;
    }
    return std::nullopt;
}

std::optional<Schedule> Schedule::byName(const QString &name) {
    for (const Schedule schedule : {OneForwardOneBackward, ZeroBubble, ZeroBubbleEager, FillDrain}) {
        if (schedule.name() == name)
            return schedule;
    }
    return std::nullopt;
}

QStringList Schedule::names() {
    return {OneForwardOneBackward.name(), ZeroBubble.name(), ZeroBubbleEager.name(), FillDrain.name()};
}

QString Schedule::name() const {
    switch (m_kind) {
        case Kind::OneForwardOneBackward:
            return QStringLiteral("1f1b");
        case Kind::ZeroBubble:
            return QStringLiteral("zero-bubble");
        case Kind::ZeroBubbleEager:
            return QStringLiteral("zero-bubble-eager");
        case Kind::FillDrain:
            return QStringLiteral("fill-drain");
    }
    return {};
}

StageRules Schedule::rules(const Stage &stage, int microBatches) const {
    StageRules rules;
    rules.microBatches = microBatches;
    rules.inFlight = mostInFlight(stage.inFlight, microBatches);
    rules.forwardsFirst = m_kind == Kind::FillDrain ? microBatches : 0;
    rules.ahead = m_kind == Kind::ZeroBubble ? 2 * stage.toEnd - 1 : microBatches;
    rules.defersWeights = putsOffWeights() && !stage.recompute;
    return rules;
}

}  // namespace hearth
