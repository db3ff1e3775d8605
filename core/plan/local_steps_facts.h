// What a planner must know of local steps.
#pragma once

#include <optional>

#include "core/model/training_spec.h"

namespace hearth {

/// Of a job whose devices average their weights once a round (LocalSteps): its micro-batches are the steps in between,
/// each over the whole network, so a plan has one stage. JSON: {"every":32,"copies":2}. Plain value.
struct LocalStepsFacts {
    int every = 0;   // micro-batches of a round; 0: gradients are summed, as usual
    int copies = 0;  // of what is trained, that a device keeps of how the round began

    bool operator==(const LocalStepsFacts &) const = default;
    bool any() const { return every > 0; }
    /// That they fit the problem's batch.
    Result<void> check(int batch, std::optional<int> microBatch, const QString &source) const;
    QJsonObject toJson() const;
    static Result<LocalStepsFacts> fromJson(const QJsonObject &object, const QString &source);
    static LocalStepsFacts of(const std::optional<LocalSteps> &steps, const OptimizerSpec &inner) {
        return steps ? LocalStepsFacts{steps->every, LocalSteps::copiesKept(inner.state())} : LocalStepsFacts{};
    }
};

/// That job would be so many times as fast if its devices averaged their weights every so many batches. JSON:
/// {"every":32,"factor":2.1}.
struct LocalStepsGain {
    int every = 0;
    double factor = 1;
    bool operator==(const LocalStepsGain &) const = default;
};

}  // namespace hearth
