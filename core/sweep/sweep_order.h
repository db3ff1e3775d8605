// A sweep as a person orders it.
#pragma once

#include "core/sweep/sweep.h"
#include "core/sweep/sweep_space.h"

namespace hearth {

/// From a "hearth-sweep/1" file, or from the words of the command line. Plain value.
struct SweepOrder {
    QString name;  // names a folder and is a tag; empty: by the time
    QJsonObject job{{QStringLiteral("format"), QStringLiteral("hearth-job/1")}};
    QStringList set;  // as SweepAxis reads them
    std::optional<int> random;
    quint64 seed = 1;
    Sweep::Stopping stopping = Sweep::Stopping::None;
    QStringList devices;

    /// {"format":"hearth-sweep/1","name":…,"job":{…} or "job.json","set":["batch=32,64"],"random":10,"seed":1,
    /// "stop_early":"none", "halving" or "hyperband","devices":[…]}. A file of a job lies beside the one that names it,
    /// in `folder`, and so do a model and data of a job that stands in it (withPathsFrom()).
    static Result<SweepOrder> fromJson(const QJsonObject &json, const QString &source, const QString &folder);
    static Result<SweepOrder> load(const QString &path);
    /// Its trials, all waiting, from the current folder. Errors: those of SweepSpace; "sweep.nothing" where nothing is
    /// set; "sweep.bad-name"; "sweep.no-evaluations" where the job is never evaluated, so that no run is better than
    /// another; "sweep.losses" where they would be compared by losses of different kinds; "sweep.hyperband" where that
    /// cannot share the training out.
    Result<Sweep> begin() const;
};

/// Letters, digits, '-', '_' and '.', at most 60, and not a dot first. Error "sweep.bad-name".
Result<void> checkSweepName(const QString &name);

}  // namespace hearth
