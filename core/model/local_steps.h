// Training in which devices average their weights only now and then.
#pragma once

#include <QJsonObject>
#include <optional>

#include "core/base/error.h"
#include "core/model/optimizer_state.h"

namespace hearth {

/// Every device holds the whole network and takes optimizer steps by its own samples alone (inner steps); after `every`
/// of them the weights become one again (local SGD, Stich 2019). What they have moved by is the gradient of an outer
/// step: SGD with Nesterov momentum (DiLoCo, Douillard et al. 2023), with rate 1 and no momentum the weighted mean. All
/// that happens between two means is one round. JSON: {"every":32,"outer_rate":1,"outer_momentum":0}; all have
/// defaults. Plain value, any thread.
struct LocalSteps {
    static constexpr int leastEvery = 2, mostEvery = 4096;
    int every = 32;
    double outerRate = 1;
    double outerMomentum = 0;

    bool operator==(const LocalSteps &) const = default;
    /// The momentum of the outer step is one copy more, the first.
    OptimizerState stateWith(OptimizerState inner) const {
        return {inner.copies + (outerMomentum > 0 ? 1 : 0), inner.isFactored};
    }
    /// A round that is broken off begins anew: copies of what is trained, as it was when it began.
    static int copiesKept(const OptimizerState &inner) { return 1 + inner.copies; }
    /// stateWith() where there are any, else the optimizer's own.
    static OptimizerState stateOf(const std::optional<LocalSteps> &steps, const OptimizerState &inner) {
        return steps ? steps->stateWith(inner) : inner;
    }

    /// `source` and `path` are what errors name ("job.json", "/local_steps").
    static Result<LocalSteps> fromJson(const QJsonObject &object, const QString &source, const QString &path);
    QJsonObject toJson() const;
};

}  // namespace hearth
