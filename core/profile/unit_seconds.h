// What single layers took that a device measured alone.
#pragma once

#include <QCborArray>
#include <vector>

#include "core/base/error.h"

namespace hearth {

/// One layer, by its index, at a number of samples.
struct UnitSeconds {
    int layer = 0;
    int samples = 0;
    double forward = 0;
    double backward = 0;  // both halves
    double weights = 0;   // the half that nobody waits for
    bool operator==(const UnitSeconds &) const = default;
};

/// Rows of numbers, in the order above.
QCborArray toCbor(const std::vector<UnitSeconds> &units);
/// Strict: "profile.invalid" for what no device measures of a model with so many layers.
Result<std::vector<UnitSeconds>> unitsFromCbor(const QCborValue &value, int layers);

}  // namespace hearth
