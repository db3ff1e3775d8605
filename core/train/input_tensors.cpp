#include "core/train/input_tensors.h"

#include "core/train/tensors.h"

namespace hearth {
namespace {

/// One number for each channel, to broadcast over {n, c, h, w}.
at::Tensor perChannel(const std::vector<double> &numbers, const at::Tensor &like, ComputeDevice &device) {
    const at::Tensor plain =
        at::from_blob(const_cast<double *>(numbers.data()), {static_cast<std::int64_t>(numbers.size())}, at::kDouble);
    return device.fromHost(plain.to(like.scalar_type())).view({1, -1, 1, 1});
}

/// As PictureDecoder does, operation for operation.
at::Tensor pictures(at::Tensor x, const InputTransform &transform, const Shape &input, ComputeDevice &device) {
    const std::int64_t repeats = input[0] / x.size(1);
    x.mul_(transform.scale);
    if (repeats > 1)
        x = x.repeat({1, repeats, 1, 1});
    if (!transform.mean.empty())
        x.sub_(perChannel(transform.mean, x, device)).div_(perChannel(transform.deviation, x, device));
    const std::int64_t high = transform.pad[0], wide = transform.pad[1];
    return high > 0 || wide > 0 ? at::constant_pad_nd(x, {wide, wide, high, high}, 0) : x;
}

}  // namespace

Tensors inputTensors(ComputeDevice &device, const InputDecoders &decoders, Parts values, qint64 samples) {
    Tensors inputs;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Slot &slot = decoders[i]->decoded();
        inputs.push_back(device.fromHost(
            wrapBuffer(std::move(values[i]), batchSizes(samples, slot.shape), slot.dtype, computeFormat(slot.dtype))));
    }
    return inputs;
}

Tensors decodedTensors(ComputeDevice &device, const InputDecoders &decoders, EncodedSamples encoded) {
    if (device.isHost())
        return inputTensors(device, decoders, decoded(decoders, encoded), encoded.samples);
    const at::NoGradGuard guard;
    Tensors inputs;
    for (std::size_t i = 0; i < encoded.parts.size(); ++i) {
        const Slot &from = decoders[i]->encoded(), &to = decoders[i]->decoded();
        at::Tensor x = device
                           .fromHost(wrapBuffer(std::move(encoded.parts[i]), batchSizes(encoded.samples, from.shape),
                                                from.dtype, at::MemoryFormat::Contiguous))
                           .to(scalarType(to.dtype));
        if (const InputTransform *transform = decoders[i]->transform())
            x = pictures(x, *transform, to.shape, device);
        inputs.push_back(inFormat(x, computeFormat(to.dtype)));
    }
    return inputs;
}

}  // namespace hearth
