// Tensors that cross cuts made shorter without loss, behind their codec.
#pragma once

#include "core/wire/tensor_frame.h"

namespace hearth {

/// Sets encodedBytes. Makes the payload shorter by zstd over its byte planes, and says so in the header, whose codec
/// wrote it; false, and nothing changes, where there is nothing to save. Of kinds that mayBePacked(). Any thread.
bool packTensor(TensorHeader &header, Payload &payload);
/// What a frame that arrived holds: unpacked, and decoded. Errors: "wire.bad-tensor", it does not unpack to as many
/// bytes as its header says. Any thread.
Result<std::shared_ptr<Buffer>> valuesOf(const TensorFrame &frame);

}  // namespace hearth
