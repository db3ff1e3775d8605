// Who keeps copies of whose states, and how often: as often as costs next to nothing (Asteroid, topology-driven
// replication; FTPipeHD, chain and global replication).
#pragma once

#include <QMap>
#include <QString>
#include <QStringList>
#include <limits>
#include <optional>
#include <vector>

#include "core/plan/cost_model.h"
#include "core/plan/plan.h"
#include "core/protocol/deployment.h"

namespace hearth {

enum class ReplicationMode {
    Topology,  // groups hold their own; a lone device's state lies on the next stage, the last one's on the first
    Chain,     // every stage's first member to the next stage's first member, the last to the first
    Global,    // every stage's first member to one central device
    Off        // no copies: only snapshots of one's own
};
QString replicationModeName(ReplicationMode mode);  // "topology" | "chain" | "global" | "off"
std::optional<ReplicationMode> replicationModeFromName(const QString &name);

/// Who sends which layers to whom, by the plan's ids. Plain value, any thread.
struct ReplicationPlan {
    std::vector<Deployment::Backup> backups;  // by first layer
    /// What a holder needs for others' states at worst, and a device for its own snapshots (KeptVersions).
    QMap<QString, qint64> holderBytes;
    QMap<QString, qint64> snapshotBytes;
    /// Devices of which the prediction leaves less memory than both together take beyond the states that the problem
    /// counts already: for a warning.
    QStringList shortOfMemory;
    /// Devices alone in their stage of which nobody has a copy: nobody else is there, or can be reached.
    QStringList unprotected;
};

/// The plan has stages and is valid for the model's problem. In a home of one device there are no backups. Topology
/// asks defaultCopies(); where that device cannot be reached, or there is no other stage, the one with most
/// memory left that can be reached takes its place: of those with layers, else of those at rest. The central device is
/// the one that holds the data where it takes part, else the first stage's first member. The model caches, so one
/// thread at a time.
ReplicationPlan replicationFor(const CostModel &model, const Plan &plan, ReplicationMode mode);

/// What copying costs in one home under one plan. Seconds and bytes of one round; see replicationFacts().
struct ReplicationFacts {
    struct Link {
        qint64 bytes = 0;           // of the state that crosses it
        double bytesPerSecond = 0;  // of the pair
        double busySeconds = 0;     // that a round's own transfers take of it
    };
    std::vector<qint64> ownedBytes;  // state of its own layers, of each device
    std::vector<Link> links;         // of each backup
    double roundSeconds = 0;
    double computeSeconds = 0;  // of all devices together, with what they encode, decode and copy for cuts
};
/// From the plan's prediction, or a new one where it has none. Where rounds were measured, replace roundSeconds.
ReplicationFacts replicationFacts(const CostModel &model, const Plan &plan, const ReplicationPlan &replication);

/// What copies may cost, and what they do: seconds per byte measured on small processors.
struct ReplicationRule {
    double snapshotBytesPerSecond = 2e9;
    double snapshotShare = 0.005;          // of a device's round, and of the seconds that all devices compute
    double backupSecondsPerByte = 2.5e-8;  // copying, encryption, checksums and packets, both ends together
    double backupShare = 0.01;             // of the seconds that all devices compute
    double idleShare = 0.25;               // of the time that a link has nothing else to do
    int most = 200;                        // rounds: what is lost at worst
    int step = 1;  // of snapshots, in rounds: after those between, states are not whole (GradientCodec)
    /// Between two losses. Where they are frequent, backups may cost more than backupShare: as much as they save.
    double secondsBetweenLosses = std::numeric_limits<double>::infinity();
    int chainEvery = 100;  // FTPipeHD's constants
    int globalEvery = 200;
};

/// As in Deployment: 0 means never.
struct ReplicationIntervals {
    int snapshotEvery = 1;
    int backupEvery = 0;  // a multiple of snapshotEvery; 0 where there is nothing to send
    bool operator==(const ReplicationIntervals &) const = default;
};

/// The smallest intervals within the rule; its limit where even that costs more. Where devices are lost so often that
/// repeating rounds costs more than copies do, the interval of Young's formula, sqrt(2 x cost x time between losses).
/// Chain and global replication take the published constants, whatever they cost.
ReplicationIntervals replicationIntervals(const ReplicationFacts &facts, ReplicationMode mode,
                                          const ReplicationRule &rule = {});

}  // namespace hearth
