// What crosses the cuts of a network, as people read it.
#pragma once

#include <QString>
#include <vector>

#include "core/base/slot.h"
#include "core/model/model.h"

namespace hearth {

/// One of the tensors that cross a cut. Plain value.
struct NamedSlot {
    QString name;  // of the op that gives it, of its layer where ops have no names of their own, or of the input
    Slot slot;

    bool operator==(const NamedSlot &) const = default;
};

/// By cut: before the first layer, behind it, …, behind the last; where layers compute in `type`. Any thread.
std::vector<std::vector<NamedSlot>> namedSlots(const Model &model, DType type);

/// "32×512", and of whole numbers "32 int64"
QString formatSlot(const Slot &slot);
/// Of one sample: "32×512 + 32 int64"
QString formatSlots(const std::vector<NamedSlot> &slots);
/// On the way forward, of one sample.
qint64 bytesOf(const std::vector<NamedSlot> &slots);
/// A line for each: "encoder.3.out: 32×512 float32, 64 KiB, and its gradient back"
QString describeSlots(const std::vector<NamedSlot> &slots);

}  // namespace hearth
