// Lossy codecs of cuts: 16, 8 or 4 bits for each number. AccEPT-style: the paper's own bit layout is not public.
#pragma once

#include "core/base/codec.h"

namespace hearth {

/// Float32 with the lower half of its bits rounded away: 2 bytes each.
extern const Codec bf16Codec;
/// 64 numbers share a scale in bfloat16, rounded up; each is a signed 8-bit integer.
extern const Codec bfp8Codec;
/// As bfp8 with 4 bits each: numbers 0 to 31 of a block in the lower halves of its bytes, 32 to 63 in the upper ones.
/// The bits of the scale tell more: its sign, on which side of zero the integers reach 8 instead of 7; the lowest four,
/// which quarters of the block have a smaller scale. Both make rounding finer for no more bytes. Stochastic rounding
/// draws from the block's own bits, so what is sent again is the same.
extern const Codec bfp4Codec;
/// As bfp8 with 2 bits each. Ruins training: for tests of what notices that.
extern const Codec bfp2Codec;

}  // namespace hearth
