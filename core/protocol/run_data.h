// How the network of a run takes its data, for who asks it later.
#pragma once

#include <QStringList>
#include <vector>

#include "core/base/error.h"
#include "core/base/slot.h"
#include "core/model/training_spec.h"

namespace hearth {

/// "samples.json" in a run's folder. Plain value. JSON: {"format":"hearth-run-samples/1","precision":"float32",
/// "loss":"cross-entropy","input":{…},"samples":[{"dtype":"U8","shape":[3,224,224]}],"classes":["cat","dog"]}
struct RunData {
    Precision precision = Precision::Float32;
    QString loss;
    InputTransform input;
    std::vector<Slot> samples;  // by input of the network, as samples travel
    QStringList classes;        // in the order of labels; empty: they have no names

    bool operator==(const RunData &) const = default;
    static QString fileName() { return QStringLiteral("samples.json"); }
    /// Of a run's folder. Errors name the file; "run.no-data": the run is of an older version. Any thread.
    static Result<RunData> load(const QString &runFolder);
    static Result<RunData> fromJson(const QJsonObject &object, const QString &source);
    QJsonObject toJson() const;
    std::vector<DType> sampleTypes() const;
};

}  // namespace hearth
