// What somebody asks a network about samples: which of its outputs, and how many numbers that are.
#pragma once

#include <optional>

#include "core/base/error.h"
#include "core/model/shapes.h"

namespace hearth {

/// Of each sample. Plain value.
struct AskedOutputs {
    /// Of a network that gives `output` per sample. Error "answer.bad-row": it has no such row.
    static Result<AskedOutputs> of(const Shape &output, std::optional<qint64> row);

    qint64 count = 0;                // numbers
    std::optional<qint64> row = {};  // of outputs {rows, …} those of this one alone
};

/// How many samples of `each` bytes these are. Error "answer.bad-samples": none, or no whole number.
Result<qint64> countSamples(qint64 bytes, qint64 each);

}  // namespace hearth
