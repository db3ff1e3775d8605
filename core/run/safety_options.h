// What a person decides about losses, copies and changes of the plan.
#pragma once

#include <QJsonObject>
#include <QString>

#include "core/base/error.h"
#include "core/run/checkpoint_store.h"
#include "core/run/replication_interval.h"

namespace hearth {

/// What happens when a device comes back, or appears, and a plan with it would be better.
enum class JoinPolicy {
    Take,    // the plan is adopted if it pays
    Offer,   // a person decides
    Ignore,  // nobody joins
};

/// Plain value. JSON: {"replication":"topology|chain|global|off","recovery":"lightweight|heavy",
/// "join":"take|offer|ignore","keep_plan":false,"checkpoint_seconds":120,"checkpoint_rounds":0,"checkpoints":3}, all
/// optional.
struct SafetyOptions {
    ReplicationMode replication = ReplicationMode::Topology;
    /// After a loss everything is gathered on this device, planned anew and given out: what lightweight replay is
    /// compared with (Asteroid).
    bool heavy = false;
    JoinPolicy join = JoinPolicy::Take;
    bool keepsPlan = false;  // nothing but a loss, or a person, changes the plan
    /// Between two checkpoints on the disk, at most, and a few seconds per megabyte of states where that is less; 0:
    /// not by that. With both 0 there is none before the end.
    double checkpointSeconds = 120;
    qint64 checkpointRounds = 0;
    int checkpointsKept = CheckpointStore::defaultKeep;

    bool operator==(const SafetyOptions &) const = default;
    static Result<SafetyOptions> fromJson(const QJsonObject &json, const QString &source, const QString &path);
    static QStringList joinNames();
    static QStringList recoveryNames();
    static QStringList replicationNames();
};

}  // namespace hearth
