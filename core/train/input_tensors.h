// Samples as tensors of a device. Internal to core/train.
#pragma once

#include "core/train/compute_device.h"
#include "core/train/decoding_thread.h"
#include "core/train/stage_module.h"

namespace hearth {

/// What a network takes of samples that are decoded, by input.
Tensors inputTensors(ComputeDevice &device, const InputDecoders &decoders, Parts values, qint64 samples);
/// The same of samples as they travel: a device that is not the host decodes them itself, to the same bits, since they
/// are smaller than their values.
Tensors decodedTensors(ComputeDevice &device, const InputDecoders &decoders, EncodedSamples encoded);

}  // namespace hearth
