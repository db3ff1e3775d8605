// What changes of the home, or of the plan, would give.
#pragma once

#include <QString>
#include <functional>
#include <optional>
#include <vector>

#include "core/plan/cost_model.h"
#include "core/plan/plan.h"

namespace hearth {

struct WhatIfOptions {
    QString planner;            // plans anew for the best idea of each kind; empty: the default one
    quint64 steps = 4'000'000;  // limit of each new plan
    std::function<bool()> cancelled;
};

/// Gains are parts of the throughput: 0.38 is 38 % more samples per second.
struct WhatIf {
    enum class Kind { Links, Speed, OneMore, Memory, MicroBatch, NewPlan };
    Kind kind = Kind::Links;
    QString what;                    // subject of "… would give +38 %."
    double gain = 0;                 // same cuts, samples shared anew with the change and without it
    std::optional<double> gainAnew;  // of a new plan, over a new plan without the change; where that was tried

    double best() const { return gainAnew ? std::max(gain, *gainAnew) : gain; }
};

/// Best first. The plan is valid for the model's problem and has a prediction. Changes of one link come before changes
/// of many that give as much. Deterministic.
std::vector<WhatIf> whatIfs(const CostModel &model, const Plan &plan, const WhatIfOptions &options = {});

/// The device that the plan needs least.
struct LeastNeeded {
    QString device;
    double loss = 0;  // how much longer a round takes without it, as a part; negative: it takes less
};
/// Nothing for a plan on one device, where some are at rest already, or where none can be missed.
std::optional<LeastNeeded> leastNeeded(const CostModel &model, const Plan &plan, const WhatIfOptions &options = {});

}  // namespace hearth
