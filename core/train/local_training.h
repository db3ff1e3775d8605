// Optimizer steps of one device between two means of the weights. Internal to core/train.
#pragma once

#include "core/model/local_steps.h"
#include "core/protocol/deployment.h"
#include "core/train/compute_device.h"
#include "core/train/stage_module.h"

namespace hearth {

/// Local SGD (Stich 2019) and DiLoCo (Douillard et al. 2023). A stage that is the whole network takes an optimizer step
/// after every micro-batch, by the gradients of its own samples. At the end of the round the module's gradients become
/// what the weights have moved by (anchor - weights), in the proportion of this member's samples, which the group sums
/// as it sums all gradients; then d is that sum and
///
///     u = momentum * u + d;  weights = anchor - rate * (d + momentum * u)    (without momentum: anchor - rate * d)
///
/// All members start from the same anchor and get the same sum, so they end a round with the same bits. The inner
/// optimizer's state stays each device's own; u, the first copy of the state, is the same everywhere. Statistics are
/// each device's own as in every group. A member alone whose outer step takes the mean (rate 1, no momentum) is where
/// that mean is, and trains to the bit as without local steps: nothing is done at the end of its rounds. The compute
/// thread; what it is given outlives it.
class LocalTraining {
  public:
    /// `samples` of each micro-batch are this member's. `state` has the copies of TrainingSpec::state().
    LocalTraining(const Deployment &deployment, int samples, StageModule &module, ComputeDevice &device,
                  const FlatOptimizer &optimizer, at::Tensor &state);

    /// Of the loss of this member's samples of one micro-batch: their part of the round's.
    double normaliser(double ofRound) const { return ofRound * m_share / m_steps.every; }
    /// Keeps what the round begins with.
    void begin();
    /// After the backward pass of a micro-batch in the round after `version`. Gradients are zero afterwards.
    void step(quint64 version, int microBatch);
    /// After the last one: the module's gradients are what the group is to sum.
    void endSteps();
    /// Once they are summed.
    void average();
    /// Weights and optimizer are as they were at begin().
    void abandon();

  private:
    void clip();
    /// Views.
    at::Tensor outer() { return m_state.narrow(0, 0, m_module.parameters().numel()); }
    at::Tensor inner() { return m_state.narrow(0, m_innerFirst, m_state.numel() - m_innerFirst); }

    LocalSteps m_steps;
    double m_clipNorm;
    double m_share;       // of every micro-batch
    bool m_isMeanItself;  // these weights are all that there is to average
    StageModule &m_module;
    ComputeDevice &m_device;
    const FlatOptimizer &m_optimizer;
    at::Tensor &m_state;
    qint64 m_innerFirst = 0;  // where in it that of the inner optimizer begins
    at::Tensor m_anchor;      // the weights when the round began
    at::Tensor m_innerAnchor;
};

}  // namespace hearth
