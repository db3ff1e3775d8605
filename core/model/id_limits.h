// How large ids may be.
#pragma once

#include <vector>

#include "core/model/model.h"

namespace hearth {

/// By value that crosses the cut before layer `layer`: the least number of rows of the embeddings that look it up,
/// which its numbers have to stay below; 0 where none does (masks, and all that is real). Any thread.
std::vector<qint64> idLimits(const Model &model, std::size_t layer);

}  // namespace hearth
