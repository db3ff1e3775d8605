// A parameter or buffer with its bytes.
#pragma once

#include <memory>

#include "core/base/buffer.h"
#include "core/model/shapes.h"

namespace hearth {

/// `data` holds spec.bytes(dtype) bytes, little-endian, contiguous in the spec's shape (slowest dimension first).
struct NamedTensor {
    TensorSpec spec;
    DType dtype = DType::Float32;
    std::shared_ptr<Buffer> data;
};

}  // namespace hearth
