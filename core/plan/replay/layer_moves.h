// Which layers go where when the owners of layers change, and how long that takes.
#pragma once

#include <QMap>
#include <QSet>
#include <QStringList>
#include <vector>

#include "core/plan/cost_model.h"
#include "core/plan/plan.h"

namespace hearth {

/// Devices that hold a copy of a layer's state without computing it, by layer.
using ReplicaHolders = QMap<int, QStringList>;

/// Topology-driven replication (Asteroid): a group of two or more holds its own copies; the state of a lone device's
/// stage lies on the next stage, the last one's on the first, on the device with most memory left. Nothing for a plan
/// of one device. The plan must be valid for the problem.
ReplicaHolders defaultReplicaHolders(const CostModel &model, const Plan &plan);

/// Parameters, optimizer state and buffers.
qint64 stateBytes(const PlanningProblem &problem, int layer);

struct LayerMove {
    int layer = 0;
    QString from;
    QString to;
    qint64 bytes = 0;
    bool operator==(const LayerMove &) const = default;
};
qint64 movedBytes(const std::vector<LayerMove> &moves);

/// What every new owner lacks: each layer that it neither computed before nor holds a copy of, from a surviving owner,
/// else from who holds a copy; among several from whom it comes soonest. Layers without state move nothing. Errors:
/// "replay.no-source" names layers whose state is gone; "replay.unreachable" a device that no source can reach.
Result<std::vector<LayerMove>> movesBetween(const CostModel &model, const Plan &before, const Plan &after,
                                            const QSet<QString> &lost, const ReplicaHolders &replicas);
/// The same, of all layers to one device.
Result<std::vector<LayerMove>> movesToOne(const CostModel &model, const Plan &before, const QString &device,
                                          const QSet<QString> &lost, const ReplicaHolders &replicas);

/// Seconds of all moves at once: the busiest pair, card or medium. The moves are between devices that reach each other.
double moveSeconds(const CostModel &model, const std::vector<LayerMove> &moves);

}  // namespace hearth
