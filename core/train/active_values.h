// Gradients without the values that come to nothing behind a rectifier. No LibTorch: plain memory.
#pragma once

#include <memory>

#include "core/base/buffer.h"
#include "core/base/dtype.h"

namespace hearth {

/// Those values of a gradient, in order, whose activation is above zero or no number. Both have as many, of Float32 or
/// Float64. Any thread.
std::shared_ptr<Buffer> activeValues(DType type, std::span<const std::byte> activations,
                                     std::span<const std::byte> gradient);
/// The whole gradient, zeros among them; null where `active` has another number of values. Any thread.
std::shared_ptr<Buffer> withZeros(DType type, std::span<const std::byte> activations,
                                  std::span<const std::byte> active);

}  // namespace hearth
