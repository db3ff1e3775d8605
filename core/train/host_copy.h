// Values on their way from a device into the host's memory. Internal to core/train.
#pragma once

#include <memory>

#include "core/train/compute_device.h"
#include "core/train/torch_api.h"

namespace hearth {

/// Plain value.
struct HostCopy {
    at::Tensor tensor;                  // in the host's memory
    std::shared_ptr<const Mark> there;  // when they may be read; null: now
};

/// What a device has written by a codec, on its way likewise. Plain value.
struct CodedCopy {
    HostCopy bytes;
    at::Tensor refused;  // one int32, there with the bytes: not 0 where the codec cannot write one of the values
};

}  // namespace hearth
