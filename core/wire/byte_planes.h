// Floats made shorter without loss: the first bytes of all numbers, then all second bytes and so on, each by zstd. In
// weights and moments it is signs and exponents that repeat; mantissas do not, and apart from each other they do not
// spoil it.
#pragma once

#include <memory>
#include <span>

#include "core/base/buffer.h"

namespace hearth {

/// What one call takes at most.
constexpr std::size_t mostPlaneBytes = 0xffffffff;

/// Any bytes; those of numbers of `planes` bytes get shorter, from 1 to mostPlanes. Null where they do not. Any thread.
constexpr std::size_t mostPlanes = 8;
std::shared_ptr<Buffer> packPlanes(std::span<const std::byte> raw, std::size_t planes = sizeof(float));
/// Fills all of `raw`, and never more; false where `packed` is not what packPlanes() makes of so many bytes, and then
/// `raw` may have any. Any thread.
bool unpackPlanes(std::span<const std::byte> packed, std::span<std::byte> raw, std::size_t planes = sizeof(float));

}  // namespace hearth
