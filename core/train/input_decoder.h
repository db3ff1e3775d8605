// From the bytes of a data set to the values that a network takes. No LibTorch: plain memory.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/slot.h"
#include "core/model/training_spec.h"

namespace hearth {

/// Of one input. Immutable; any thread.
class InputDecoder {
  public:
    virtual ~InputDecoder() = default;
    /// For a network that takes `input` of what travels as `type`: bytes of pictures for real values of three
    /// dimensions, which `transform` is about; other numbers as they are. Error "worker.bad-deployment": no samples
    /// become that.
    static Result<std::unique_ptr<const InputDecoder>> make(const InputTransform &transform, const Slot &input,
                                                            DType type = DType::UInt8);

    /// Samples as they travel ...
    virtual const Slot &encoded() const = 0;
    /// ... and as the network takes them.
    virtual const Slot &decoded() const = 0;
    /// What is done with the bytes of pictures; null: these are numbers as they are.
    virtual const InputTransform *transform() const { return nullptr; }
    /// `samples` of them, one after the other: `from` has encoded().bytes() of each, `to` room for decoded().bytes() of
    /// each. Float32 of three dimensions comes channels last ({n, h, w, c} in memory), all else in the order of dims.
    virtual void decode(const std::byte *from, qint64 samples, std::byte *to) const = 0;
};

/// One for each input of a network.
using InputDecoders = std::vector<std::unique_ptr<const InputDecoder>>;
/// `types` as in Deployment::sampleTypes.
Result<InputDecoders> makeInputDecoders(const InputTransform &transform, const std::vector<DType> &types,
                                        const std::vector<Slot> &inputs);

}  // namespace hearth
