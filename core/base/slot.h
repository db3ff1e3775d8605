// One of the tensors that enter a network, cross a cut or leave.
#pragma once

#include <QtGlobal>
#include <vector>

#include "core/base/dtype.h"

namespace hearth {

/// Plain value.
struct Slot {
    DType dtype = DType::Float32;
    std::vector<qint64> shape;   // of one sample, slowest-varying first; empty: a single value
    bool needsGradient = false;  // its gradient comes back across the cut

    bool operator==(const Slot &) const = default;
    qint64 elements() const {
        qint64 count = 1;
        for (const qint64 dimension : shape)
            count *= dimension;
        return count;
    }
    /// Per sample.
    qint64 bytes() const { return elements() * byteSize(dtype); }
};

/// A class number that no loss counts, as in torch.nn: of padding, and of what is not to be learnt. Of labels that are
/// real numbers it is NaN.
inline constexpr qint64 ignoredLabel = -100;

/// The label of a sample that is mixed with another one: its class, the other's, and how much of its own is kept.
inline Slot mixedLabel() {
    return {DType::Float64, {3}, false};
}

}  // namespace hearth
