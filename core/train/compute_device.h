// What a worker computes on: its memory, the way to it and back, and its clock.
#pragma once

#include <QString>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/dtype.h"
#include "core/train/flat_math.h"
#include "core/train/memory.h"

namespace at {
class Tensor;
}

namespace hearth {

/// Tensors that the executor and the profiler compute with lie in a device's memory; bytes that come from a socket or
/// go to one lie in the host's. What computes is expressed in LibTorch's operations, which run wherever their tensors
/// lie; all else is asked of the device. Everything but name() on the compute thread. Errors: LibTorch's exceptions and
/// MemoryRefused.
class ComputeDevice {
  public:
    virtual ~ComputeDevice() = default;

    /// "cpu". Stable: what one kind of device measured says nothing about another.
    virtual QString name() const = 0;

    /// Uninitialised memory.
    virtual at::Tensor allocate(const std::vector<std::int64_t> &sizes, const std::vector<std::int64_t> &strides,
                                DType type) = 0;
    /// The values where the host can read them, in the same order: the tensor itself if it lies there.
    virtual at::Tensor toHost(const at::Tensor &tensor) = 0;
    /// The other way.
    virtual at::Tensor fromHost(const at::Tensor &tensor) = 0;

    /// One optimizer step in place; three flat tensors of this device, `state` as FlatOptimizer wants it.
    virtual void update(const FlatOptimizer &optimizer, at::Tensor &parameters, const at::Tensor &gradients,
                        at::Tensor &state, quint64 step) = 0;

    /// How many times as fast as in float32 it computes large products in bfloat16, rounding included: measured at the
    /// first call, which takes some milliseconds.
    virtual double bfloat16Gain() = 0;

    /// Seconds that this device has worked for the caller since some moment, all that was asked of it included: what
    /// else the machine does is not in it. For differences.
    virtual double clock() = 0;

    virtual TensorMemory memory() = 0;
    /// Its peak counts from now on.
    virtual void resetPeak() = 0;
    /// An allocation beyond it throws; 0 is none.
    virtual void setMemoryLimit(qint64 bytes) = 0;
};

/// The processor: its memory is the host's, so nothing is copied. One for the process, as its memory is counted.
std::shared_ptr<ComputeDevice> processor();

}  // namespace hearth
