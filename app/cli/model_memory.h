// `hearth model MODEL --memory`: what training takes, whole, by adapters, and what use takes.
#pragma once

#include <QJsonObject>
#include <QStringList>

#include "core/base/error.h"
#include "core/model/model.h"

namespace hearth {

/// Kinds of rows: "full", "bottleneck", "lora", "inference".
QStringList memoryKinds();

struct MemoryRow {
    QString kind;
    // Bytes of float32, activations of a whole batch; then what an optimizer keeps.
    qint64 weights = 0, activations = 0, gradients = 0, adamw = 0, adafactor = 0;

    QJsonObject toJson() const;
};

/// Of these kinds, for a mini-batch of `batch` on one device. Networks that are described by layers have no adapters,
/// which is an error where only these were asked for.
Result<std::vector<MemoryRow>> memoryRows(const Model &model, int batch, const QStringList &kinds);

/// In GiB, beside what was published for T5-large where it is that network at the published batch.
void printMemory(const Model &model, int batch, const std::vector<MemoryRow> &rows);

}  // namespace hearth
