// The same stages by each schedule, and the ways of training that change the mathematics, side by side.
#pragma once

#include <QJsonArray>
#include <vector>

#include "core/plan/planner.h"

namespace hearth {

/// One way to train. Plain value, any thread.
struct ScheduleRow {
    enum class Changes {
        Nothing,    // the weights are those of one device
        Staleness,  // gradients are of weights that are `amount` updates old, at the stage where that is most
        Averaging,  // devices train apart and average their weights every `amount` batches
    };
    QString name;  // of Schedule::names(), or "interleaved", "asynchronous", "local-steps"
    Plan plan;     // with its prediction, which is of a whole round
    double batchSeconds = 0;
    qint64 peakBytes = 0;  // of the device that needs most
    Changes changes = Changes::Nothing;
    int amount = 0;

    QJsonObject toJson() const;
};

/// The plan's stages by each schedule, with the limits of micro-batches under way that suit it best within the memory;
/// without a flush ("asynchronous", one update a round); and a plan of its own for local steps, where one device can
/// hold the network (every `every` batches). Fastest first, those that do not fit last. A schedule that changes
/// nothing, as all of one stage, is left out. The plan is valid for the model's problem; empty where pipelines lie side
/// by side or the problem has local steps. Deterministic but for `options`.
std::vector<ScheduleRow> compareSchedules(const CostModel &model, const Plan &plan, const PlannerOptions &options = {},
                                          int every = 32);
QJsonArray schedulesToJson(const std::vector<ScheduleRow> &rows);

}  // namespace hearth
