// Which elements stay in a pass with dropout: a pure function of a salt. Internal to core/train.
#pragma once

#include "core/train/compute_device.h"
#include "core/train/torch_api.h"

namespace hearth {

/// One byte per element, 1 where it stays, in the memory of the device. Drawn on the host with Hearth's own generator:
/// the same on every kind of device and with every version of the library. `probability` is that of 0.
at::Tensor randomMask(const std::vector<std::int64_t> &sizes, const std::vector<std::int64_t> &strides,
                      double probability, std::uint64_t salt, ComputeDevice &device);

/// x · mask / (1 - probability). The mask has x's shape, in any order of memory; outside of autograd.
at::Tensor scaleKept(const at::Tensor &x, const at::Tensor &mask, double probability);

/// The same with a backward pass, which keeps the mask alone; it may also be one number per sample, {n, 1, …}.
at::Tensor dropWithMask(const at::Tensor &x, const at::Tensor &mask, double probability);

}  // namespace hearth
