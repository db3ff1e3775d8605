// Between Hearth's bytes and LibTorch's tensors. Internal to core/train.
#pragma once

#include <memory>

#include "core/base/buffer.h"
#include "core/model/shapes.h"
#include "core/train/memory.h"
#include "core/train/torch_api.h"
#include "core/wire/tensor_frame.h"

namespace hearth {

inline at::ScalarType scalarType(DType type) {
    switch (type) {
        case DType::Float64:
            return at::kDouble;
        case DType::Int64:
            return at::kLong;
        case DType::Int32:
            return at::kInt;
        case DType::UInt8:
            return at::kByte;
        case DType::Float16:
            return at::kHalf;
        case DType::BFloat16:
            return at::kBFloat16;
        case DType::Float32:
            break;
    }
    return at::kFloat;
}

/// oneDNN's fast paths want channels last; they only exist in float32. Workers of one run have one precision, so both
/// ends of a link agree: 4-D activations and gradients travel in this order of memory, with dims still {n,c,h,w}.
inline at::MemoryFormat computeFormat(DType type) {
    return type == DType::Float32 ? at::MemoryFormat::ChannelsLast : at::MemoryFormat::Contiguous;
}

inline std::vector<std::int64_t> batchSizes(std::int64_t samples, const Shape &shape) {
    std::vector<std::int64_t> sizes{samples};
    sizes.insert(sizes.end(), shape.begin(), shape.end());
    return sizes;
}

inline std::vector<std::int64_t> stridesFor(const std::vector<std::int64_t> &sizes, at::MemoryFormat format) {
    if (sizes.size() == 4 && format == at::MemoryFormat::ChannelsLast)
        return {sizes[1] * sizes[2] * sizes[3], 1, sizes[3] * sizes[1], sizes[1]};
    std::vector<std::int64_t> strides(sizes.size(), 1);
    for (std::size_t i = sizes.size(); i-- > 1;)
        strides[i - 1] = strides[i] * sizes[i];
    return strides;
}

/// A tensor over a received buffer, without a copy; keeps the buffer alive.
inline at::Tensor wrapBuffer(std::shared_ptr<Buffer> buffer, const std::vector<std::int64_t> &sizes, DType type,
                             at::MemoryFormat format) {
    void *data = buffer->data();
    return at::from_blob(
        data, sizes, stridesFor(sizes, format), [owner = std::move(buffer)](void *) {},
        at::TensorOptions().dtype(scalarType(type)));
}

/// The same memory order as wrapBuffer() expects; copies only if it has another one.
inline at::Tensor inFormat(const at::Tensor &tensor, at::MemoryFormat format) {
    return tensor.dim() == 4 ? tensor.contiguous(format) : tensor.contiguous();
}

/// Keeps a tensor alive while a socket, in another thread, still reads it.
struct SentTensor {
    at::Tensor tensor;
    explicit SentTensor(at::Tensor sent) : tensor(std::move(sent)) {}
    ~SentTensor() { publishTensorUse(); }
    SentTensor(const SentTensor &) = delete;
    SentTensor &operator=(const SentTensor &) = delete;
};

/// Bytes of samples [first, first + count) of a tensor that went through inFormat(). Its storage stays alive with the
/// payload.
inline Payload samplesOf(const at::Tensor &tensor, int first, int count) {
    const auto perSample = static_cast<qint64>(tensor.nbytes()) / tensor.size(0);
    const auto *data = static_cast<const std::byte *>(tensor.data_ptr()) + first * perSample;
    return {data, count * perSample, std::make_shared<const SentTensor>(tensor.detach())};
}

}  // namespace hearth
