// Layers that differ by name alone, as the blocks of a transformer do.
#pragma once

#include "core/model/model.h"

namespace hearth {

/// Whether both compute the same, each with tensors of its own: what one costs the other costs, too. Any thread.
bool areAlike(const Layer &a, const Layer &b);

}  // namespace hearth
