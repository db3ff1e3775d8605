// The length of the gradients of all stages together, and what follows from it. Internal to core/train.
#pragma once

#include <functional>
#include <optional>

#include "core/protocol/deployment.h"
#include "core/train/stage_module.h"
#include "core/wire/tensor_frame.h"

namespace hearth {

/// What is known of one round's length: each first member adds what is its stage's own and hands the sum on, from the
/// last stage, which ends its backward passes first, to the first one; the sum of all comes back the same way and to
/// the members of every group, the same bits for everyone. Neighbours alone talk, and the way back is taken by the next
/// round's samples, too, so nobody waits for it.
struct NormSum {
    std::optional<double> own;     // squares of this stage, each tied tensor with the first stage that has it
    std::optional<double> behind;  // of all stages behind this one
    std::optional<double> whole;
    bool handedOn = false;
};

/// One member's part in that, round by round; it does nothing where the optimizer clips nothing. One thread. What it is
/// given outlives it.
class GradientNorm {
  public:
    using Send = std::function<void(const QString &device, const TensorHeader &header, Payload payload)>;

    GradientNorm(const Deployment &deployment, const QString &self, int place, StageModule &module, Send send);

    /// Of AllReduce frames: they are beyond those of all sums of gradients.
    static bool hasSlot(quint16 slot) { return slot == behindSlot || slot == wholeSlot; }
    /// Error "worker.bad-frame".
    Result<void> deliver(NormSum &norm, const QString &from, const TensorFrame &frame);
    /// Once the gradients are summed; true when the optimizer may take its step.
    bool isKnown(NormSum &norm, quint32 round);
    /// What the length is before it is clipped; nothing where nobody clips.
    static std::optional<double> lengthOf(const NormSum &norm);
    /// As torch.nn.utils.clip_grad_norm_, its 1e-6 included; nothing where the length is not known.
    void clip(const NormSum &norm);

  private:
    static constexpr quint16 behindSlot = 0xfff8, wholeSlot = 0xfff9;

    /// With local steps each member does so by itself (LocalTraining).
    bool clips() const { return m_deployment.training.optimizer.clipNorm > 0 && !m_deployment.training.localSteps; }
    bool isFirst() const { return m_place == 0; }
    bool isLast() const { return m_place == static_cast<int>(m_deployment.stages.size()) - 1; }
    const std::vector<Deployment::Member> &members(int stage) const {
        return m_deployment.stages[static_cast<std::size_t>(stage)].members;
    }
    double ownSquares();
    void take(NormSum &norm, quint32 round, double squares);
    void send(quint16 slot, int stage, const QString &device, quint32 round, double squares);

    const Deployment &m_deployment;
    StageModule &m_module;
    Send m_send;
    int m_place;
    int m_member;
};

}  // namespace hearth
