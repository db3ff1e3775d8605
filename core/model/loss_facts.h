// What a loss takes and counts, without running it (core/train/loss.h does).
#pragma once

#include <QStringList>
#include <span>

#include "core/base/slot.h"
#include "core/model/shapes.h"

namespace hearth {

/// One of the losses that a job can name. Constant; any thread. A loss is a sum over what it counts, divided by that
/// count for the whole round (the normaliser).
struct LossFacts {
    /// What the last dimension of the network's output tells.
    enum class Answers { Classes, YesOrNo, Numbers };

    QString name;
    /// The labels of a network whose last layer gives `output` per sample.
    Slot (*label)(const Shape &output);
    /// How many of these labels the loss sums over; `labels` is whole labels, one after the other.
    qint64 (*count)(std::span<const std::byte> labels);
    Answers answers = Answers::Classes;

    /// Labels and answers of a network whose last layer gives `output` are below this number; 0: they are no classes.
    qint64 classesOf(const Shape &output) const;

    /// Null: there is none of this name.
    static const LossFacts *byName(const QString &name);
    static QStringList names();
};

QString crossEntropyName();
QString meanSquaredErrorName();

}  // namespace hearth
