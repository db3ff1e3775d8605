#include "core/plan/schedule.h"

#include <algorithm>

namespace hearth {

StageTask StageRules::next(const StageStatus &status) const {
    if (status.weightGradients < status.inputGradients)
        return StageTask::BackwardWeights;
    if (status.weightGradients == microBatches)
        return StageTask::Update;
    if (status.backwardReady && status.forwards >= forwardsFirst)
        return StageTask::BackwardInput;
    if (status.forwards < microBatches && status.inFlight() < inFlight)
        return status.forwardReady ? StageTask::Forward : StageTask::WaitForward;
    return StageTask::WaitBackward;
}

std::optional<Schedule> Schedule::byName(const QString &name) {
    for (const Schedule schedule : {OneForwardOneBackward, FillDrain}) {
        if (schedule.name() == name)
            return schedule;
    }
    return std::nullopt;
}

QStringList Schedule::names() {
    return {OneForwardOneBackward.name(), FillDrain.name()};
}

QString Schedule::name() const {
    return m_kind == Kind::FillDrain ? QStringLiteral("fill-drain") : QStringLiteral("1f1b");
}

StageRules Schedule::rules(int inFlight, int microBatches) const {
    if (m_kind == Kind::FillDrain)
        return {microBatches, microBatches, microBatches};
    return {microBatches, std::min(inFlight, microBatches), 0};
}

}  // namespace hearth
