// Internal to core/model/import: windows of convolutions and pools.
#pragma once

#include "core/model/import/onnx_lowering.h"

namespace hearth::onnx_import {

/// One number for each dimension that the window moves along.
struct Window {
    std::vector<qint64> kernel, strides, dilations, before, after;
    bool isCeiling = false;

    /// From the first to the last element of a dilated kernel.
    qint64 reach(std::size_t i) const { return (kernel[i] - 1) * dilations[i] + 1; }
    qint64 outputSize(std::size_t i, qint64 input) const;
    /// kernel, stride, and padding and dilation where there are some.
    QJsonObject toJson() const;
};

/// Of a node that takes samples {channels, height, width} or {channels, length}; `kernel` is what its weights say, or
/// empty for its attribute.
Tried<Window> windowOf(const Call &call, const Shape &kernel);
/// One dimension cannot be padded unevenly by the window itself: an op before it does.
Tried<void> padUneven(Call &call, Value &x, Window &window, double value = 0);

}  // namespace hearth::onnx_import
