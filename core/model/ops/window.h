// What slides over an image: the kernel of a convolution or of a pooling. Internal to core/model and core/train.
#pragma once

#include <array>

#include "core/base/json_reader.h"
#include "core/model/model.h"

namespace hearth::detail {

/// In height and width. A row {c, l} is an image of height 1. In a description each of "kernel", "stride", "padding"
/// and "dilation" is a number or a list [height, width]; padding also [top, left, bottom, right].
struct Window {
    std::array<qint64, 2> kernel{1, 1}, stride{1, 1}, dilation{1, 1};
    std::array<qint64, 2> before{0, 0}, after{0, 0};  // padding
    bool ceil = false;                                // a last window may lie partly behind the border

    bool isSymmetric() const { return before == after; }
    /// Of one dimension, between its first tap and its last.
    qint64 extent(std::size_t dimension) const { return dilation[dimension] * (kernel[dimension] - 1) + 1; }
};

/// Reads the parameters of a window into `parameters`, each in its shortest form; those that earlier versions did not
/// have are left out where they have the default, so that models of before keep their hash. Without a fallback the
/// stride is the kernel's size.
void readWindow(JsonReader &reader, QJsonObject &parameters, std::optional<qint64> strideFallback,
                bool mayDilate = true);
/// Of a fitted op, or of one that at least has its input's shape.
Window windowOf(const Op &op);
/// {channels, h, w}, or {channels, l} where the op gets a row, for an op that gets an image or a row.
Result<void> fitWindow(Op &op, qint64 channels, const QString &place);
/// Fails unless the first input is an image or a row.
Result<void> expectImageOrRow(const Op &op, const QString &place);
/// A parameter that is one number or one for height and width.
std::array<qint64, 2> pairOf(const Op &op, const char *parameter, qint64 fallback);
/// Gives such a parameter its shortest form, and leaves it out where it has the default.
void shortenPair(Op &op, const char *parameter, qint64 fallback);
/// The same for all parameters of a window; fitWindow() does it.
void shortenWindow(Op &op);

}  // namespace hearth::detail
