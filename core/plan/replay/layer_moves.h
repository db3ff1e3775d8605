// Which layers go where when the owners of layers change, and how long that takes.
#pragma once

#include <QSet>
#include <vector>

#include "core/plan/cost_model.h"
#include "core/plan/plan.h"
#include "core/plan/replay/state_holders.h"

namespace hearth {

/// Copies by topology (copyHolders()). The plan must be valid for the problem.
StateHolders defaultCopies(const CostModel &model, const Plan &plan);

/// Parameters, optimizer state and buffers.
qint64 stateBytes(const PlanningProblem &problem, int layer);

/// What every new owner lacks: each layer that it neither computed before nor holds a copy of, from a survivor that
/// has it. Errors: "replay.no-source" names layers whose state is gone; "replay.unreachable" a device that nobody who
/// has what it needs can reach.
Result<std::vector<LayerMove>> movesBetween(const CostModel &model, const Plan &before, const Plan &after,
                                            const QSet<QString> &lost, const StateHolders &copies);
/// The same, of all layers to one device.
Result<std::vector<LayerMove>> movesToOne(const CostModel &model, const Plan &before, const QString &device,
                                          const QSet<QString> &lost, const StateHolders &copies);

/// Seconds of all moves at once: the busiest pair, card or medium. The moves are between devices that reach each other.
double moveSeconds(const CostModel &model, const std::vector<LayerMove> &moves);

}  // namespace hearth
