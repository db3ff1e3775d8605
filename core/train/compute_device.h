// What a worker computes on: its memory, the way to it and back, and its clock.
#pragma once

#include <QString>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/codec.h"
#include "core/base/dtype.h"
#include "core/train/flat_math.h"
#include "core/train/memory.h"

namespace at {
class Tensor;
}

namespace hearth {

struct CodedCopy;
struct HostCopy;

/// The moment at which a device has done all that was asked of it before. Any thread; what waits throws what ended the
/// device.
class Mark {
  public:
    using TimePoint = std::chrono::steady_clock::time_point;
    virtual ~Mark() = default;

    virtual void wait() const = 0;
    /// When that was. Waits. Exact to some tens of microseconds.
    virtual TimePoint when() const = 0;
    /// Seconds from an earlier mark of the same device to this one. Waits.
    virtual double secondsSince(const Mark &earlier) const = 0;
    /// Of these, how long the device worked for the caller, all that was asked of it included: what else the machine
    /// does is not in it.
    virtual double workSince(const Mark &earlier) const = 0;
};

/// Tensors that the executor and the profiler compute with lie in a device's memory; bytes that come from a socket or
/// go to one lie in the host's. What computes is expressed in LibTorch's operations, which run wherever their tensors
/// lie, in the order in which they are asked for, and may end after their call; all else is asked of the device.
/// Everything but name() and what says otherwise on the compute thread. Errors: LibTorch's exceptions and
/// MemoryRefused.
class ComputeDevice {
  public:
    virtual ~ComputeDevice() = default;

    /// "cpu". Stable: what one kind of device measured says nothing about another.
    virtual QString name() const = 0;
    /// Its memory is the host's: nothing is copied, and what was asked for is done when the call ends.
    virtual bool isHost() const = 0;
    /// Makes the calling thread one that computes on it.
    virtual void enterThread() = 0;
    /// What a run of this precision allows its products from now on: nothing but Bfloat16 rounds, and in Float64 the
    /// same product gives the same bits.
    virtual void computeIn(Precision precision) = 0;

    /// Uninitialised memory.
    virtual at::Tensor allocate(const std::vector<std::int64_t> &sizes, const std::vector<std::int64_t> &strides,
                                DType type) = 0;
    /// The values where the host can read them, in the same order: the tensor itself if it lies there.
    virtual at::Tensor toHost(const at::Tensor &tensor) = 0;
    /// The same beside what is computed, into memory that toHost() gave, where the tensor does not lie there; it must
    /// not change until the values are there. Also on a thread of a pass back.
    virtual HostCopy startToHost(const at::Tensor &tensor, const at::Tensor *into = nullptr) = 0;
    /// Samples {n, …} of a dense tensor of this device, each by itself as the codec writes it, likewise. Nothing:
    /// writing is left to the host.
    virtual std::optional<CodedCopy> startCoded(const at::Tensor &samples, const Codec &codec, Rounding rounding) = 0;
    /// The other way, beside what is computed; what is asked for after it finds the values there.
    virtual at::Tensor fromHost(const at::Tensor &tensor) = 0;

    /// Fills a dense tensor of bytes, in its order of memory, as drawKept() does.
    virtual void drawMask(at::Tensor &mask, double probability, std::uint64_t salt) = 0;

    /// One optimizer step in place; three flat tensors of this device, `state` as FlatOptimizer wants it.
    virtual void update(const FlatOptimizer &optimizer, at::Tensor &parameters, const at::Tensor &gradients,
                        at::Tensor &state, quint64 step) = 0;

    /// How many times as fast as in float32 it computes large products in bfloat16, rounding included: measured at the
    /// first call, which takes some milliseconds.
    virtual double bfloat16Gain() = 0;

    virtual std::shared_ptr<const Mark> mark() = 0;
    /// The same, which knows of the device's work: Mark::workSince() is for these. A processor's costs a call of the
    /// system, at which the scheduler likes to stop a thread.
    virtual std::shared_ptr<const Mark> workMark() { return mark(); }

    virtual TensorMemory memory() = 0;
    /// Its peak counts from now on.
    virtual void resetPeak() = 0;
    /// What it takes besides tensors: measured after warmUpComputeThread(), while no layers are held, and after much
    /// was tried.
    virtual void measureRuntime() = 0;
    /// 0 before that. Any thread.
    virtual qint64 runtimeBytes() const = 0;
    /// All of its memory that counts, the runtime's included, at its highest since the last call.
    virtual qint64 takePeakBytes() = 0;
    /// Of the memory that tensors lie in, whoever uses it.
    virtual qint64 physicalBytes() = 0;
    /// An allocation beyond it throws; 0 is none.
    virtual void setMemoryLimit(qint64 bytes) = 0;
};

/// The processor: its memory is the host's, so nothing is copied. One for the process, as its memory is counted.
std::shared_ptr<ComputeDevice> processor();

}  // namespace hearth
