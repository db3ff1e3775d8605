// What a coordinator must know to take its own run up again: state.json of the run's folder (hearth-run-state/1).
#pragma once

#include <QJsonObject>
#include <QStringList>
#include <vector>

#include "core/base/error.h"
#include "core/plan/plan.h"
#include "core/plan/problem.h"
#include "core/protocol/term_origins.h"
#include "core/run/codec_raises.h"
#include "core/run/links.h"

namespace hearth {

/// Written, synced, before a term is used. Plain value.
struct RunStateFile {
    struct Worker {
        QString device;
        WorkerAddress address;
    };

    quint32 term = 0;
    std::vector<Worker> workers;
    std::optional<PlanningProblem> problem;  // as it was measured; absent before that
    std::optional<Plan> plan;                // the one in force; absent before the first
    CodecRaises codecs;
    TermOrigins origins;        // where weights depend on plans
    std::optional<Plan> given;  // by a person: it comes back with the devices that it needs
    QStringList sentAway;       // devices that a person wants out of the run

    static QString name() { return QStringLiteral("state.json"); }
    QJsonObject toJson() const;
    /// Strict: a file that is not whole is an error, not a beginning.
    static Result<RunStateFile> fromJson(const QJsonObject &object, const QString &source);
    static Result<RunStateFile> load(const QString &path);
};

}  // namespace hearth
