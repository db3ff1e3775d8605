// What crosses the local socket about runs: the order to start one, and a line of the list of them.
#pragma once

#include <QCborMap>
#include <QJsonObject>
#include <QString>
#include <QStringList>

#include "core/base/error.h"

namespace hearth {

/// One line of the agent's list of runs.
struct RunInfo {
    QString id;
    QString state;    // the events' words; "interrupted" where a coordinator died without one
    QString started;  // ISO 8601, UTC
    QString model;
    QString data;
    bool live = false;     // its coordinator is running
    qint64 rounds = 0;     // done so far
    double loss = 0;       // of the last round; NaN before the first
    double accuracy = -1;  // of the last evaluation; negative before the first
    quint64 lastSeq = 0;
    bool endedEarly = false;  // finished before its last round
    bool resumable = false;   // not live, and it can go on from a checkpoint
    QString only;             // "measure", "plan", "evaluate" or "answer": it trains nothing and never did; else empty

    QCborMap toCbor() const;
    QJsonObject toJson() const;
    static RunInfo fromCbor(const QCborMap &map);
};

/// What the app asks for with `run.start`: a new run, or with `resume` that a run goes on with the job and the model of
/// its folder. Model and data travel by value or name, never as a path of another machine.
struct RunOrder {
    QString resume;       // id of the run that is to go on; job, model and weights are left out then
    QJsonObject job;      // hearth-job/1, model and data by name
    QJsonObject model;    // the model itself
    QJsonObject plan;     // hearth-plan/1; empty: the planner decides
    QString weightsPath;  // safetensors to start from, absolute; empty: by seed
    QString savePath;     // where the final weights go as well, absolute; empty: only the run folder
    QString tracePath;    // where to write what every device did when, absolute; empty: nowhere
    QStringList devices;  // ids or unique names; empty: all that are ready
    QJsonObject options;  // "planner", "only", …: the coordinator's

    QCborMap toCbor() const;
};

}  // namespace hearth
