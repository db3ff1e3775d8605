// Codecs of cuts, as people read them.
#pragma once

#include <QString>

#include "core/base/codec.h"

namespace hearth {

/// "as it is", else the codec's own name.
QString codecText(const Codec &codec);
/// What it may cost: "rounds numbers by up to 1 %"; of one that people have not heard of, nothing.
QString codecCostText(const Codec &codec);
/// "Compressing cuts would make a round 2.3 times faster."
QString codecOfferText(double factor);

}  // namespace hearth
