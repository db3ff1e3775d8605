// What arrives for a micro-batch, put together from the frames of several senders. Internal to core/train.
#pragma once

#include <utility>
#include <vector>

#include "core/base/codec.h"
#include "core/train/decoding_thread.h"
#include "core/train/partition.h"
#include "core/train/stage_module.h"
#include "core/train/tensors.h"

namespace hearth {

/// One tensor put together from the portions that its senders send. One portion that covers everything is used where it
/// was received; several are copied into one tensor as they come.
class Assembly {
  public:
    Assembly() = default;
    Assembly(Interval mine, std::vector<Portion> portions) : m_mine(mine), m_portions(std::move(portions)) {
        m_arrived.resize(m_portions.size());
    }
    /// `slot` is what the frame must hold, written by `codec`. A gradient may lack values: `activations` are those that
    /// it belongs to, of all samples, in the host's memory.
    Result<void> add(int member, const TensorFrame &frame, const Slot &slot, at::MemoryFormat format,
                     const Codec &codec = noCodec(), const at::Tensor &activations = {});
    bool isAwaited() const { return !m_portions.empty(); }
    bool complete() const { return isAwaited() && m_count == m_portions.size(); }
    at::Tensor take() { return std::exchange(m_tensor, {}); }

  private:
    Interval m_mine;
    std::vector<Portion> m_portions;
    std::vector<bool> m_arrived;
    std::size_t m_count = 0;
    at::Tensor m_tensor;
};

/// A cut's codec is for what has a gradient: token numbers and masks cross as they are.
inline const Codec &codecFor(const Slot &slot, const Codec &codec) {
    return slot.needsGradient ? codec : noCodec();
}

/// The tensors of a cut, by slot; nothing is awaited for one that has no gradient, where gradients are.
struct CutAssembly {
    std::vector<Assembly> slots;

    CutAssembly() = default;
    /// Every tensor of `cut`, or every gradient.
    enum class Carries { Values, Gradients };
    CutAssembly(Interval mine, const std::vector<Portion> &portions, const std::vector<Slot> &cut, Carries carries);
    /// Into the slot that the frame names; `cut` as above, written by `codec`.
    Result<void> add(int member, const TensorFrame &frame, const std::vector<Slot> &cut, const Codec &codec = noCodec(),
                     const at::Tensor &activations = {});
    bool complete() const;
    /// By slot; undefined where nothing was awaited.
    Tensors take();
};

/// Samples from the coordinator, still encoded, by input of the network.
class ArrivingSamples {
  public:
    ArrivingSamples() = default;
    ArrivingSamples(Interval mine, const std::vector<Slot> &encoded);
    /// `encoded` as above.
    Result<void> add(const TensorFrame &frame, const std::vector<Slot> &encoded);
    bool complete() const { return m_checks.complete(); }
    EncodedSamples take();

  private:
    CutAssembly m_checks;
    EncodedSamples m_samples;
};

}  // namespace hearth
