// Floats made shorter without loss: the first bytes of all numbers, then all second bytes and so on, each by zstd. In
// weights and moments it is signs and exponents that repeat; mantissas do not, and apart from each other they do not
// spoil it.
#pragma once

#include <memory>
#include <span>

#include "core/base/buffer.h"

namespace hearth {

/// What one call takes at most.
constexpr std::size_t mostPlaneBytes = std::size_t{4} * 0xffff;

/// Any bytes; those of Float32 get shorter. Null where they do not. Any thread.
std::shared_ptr<Buffer> packPlanes(std::span<const std::byte> raw);
/// Fills all of `raw`, and never more; false where `packed` is not what packPlanes() makes of so many bytes, and then
/// `raw` may have any. Any thread.
bool unpackPlanes(std::span<const std::byte> packed, std::span<std::byte> raw);

}  // namespace hearth
