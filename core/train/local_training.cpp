#include "core/train/local_training.h"

namespace hearth {

LocalTraining::LocalTraining(const Deployment &deployment, int samples, StageModule &module, ComputeDevice &device,
                             const FlatOptimizer &optimizer, at::Tensor &state)
    : m_steps(*deployment.training.localSteps),
      m_clipNorm(deployment.training.optimizer.clipNorm),
      m_share(static_cast<double>(samples) / deployment.microBatch),
      m_isMeanItself(samples == deployment.microBatch && m_steps.outerRate == 1 && m_steps.outerMomentum <= 0),
      m_module(module),
      m_device(device),
      m_optimizer(optimizer),
      m_state(state),
      m_innerFirst(m_steps.outerMomentum > 0 ? module.parameters().numel() : 0),
      m_anchor(at::empty_like(module.parameters())) {
    m_innerAnchor = at::empty_like(inner());
}

void LocalTraining::begin() {
    const at::NoGradGuard guard;
    m_anchor.copy_(m_module.parameters());
    m_innerAnchor.copy_(inner());
}

void LocalTraining::step(quint64 version, int microBatch) {
    const at::NoGradGuard guard;
    clip();
    at::Tensor state = inner();
    const quint64 before = version * static_cast<quint64>(m_steps.every) + static_cast<quint64>(microBatch);
    m_device.update(m_optimizer, m_module.parameters(), m_module.gradients(), state, before + 1);
    m_module.zeroGradients();
}

/// As torch.nn.utils.clip_grad_norm_, of this device's own gradients.
void LocalTraining::clip() {
    if (m_clipNorm <= 0)
        return;
    const double length =
        at::linalg_vector_norm(m_module.gradients(), 2, at::OptionalIntArrayRef(), false, at::kDouble).item<double>();
    const double factor = m_clipNorm / (length + 1e-6);
    if (!(factor >= 1))
        m_module.gradients().mul_(factor);  // also where it is no number, so that the loss tells
}

void LocalTraining::endSteps() {
    if (m_isMeanItself)
        return;
    const at::NoGradGuard guard;
    at::sub_out(m_module.gradients(), m_anchor, m_module.parameters()).mul_(m_share);
}

void LocalTraining::average() {
    if (m_isMeanItself)
        return;
    const at::NoGradGuard guard;
    const at::Tensor &moved = m_module.gradients();
    at::Tensor &weights = m_module.parameters();
    weights.copy_(m_anchor).sub_(moved, m_steps.outerRate);
    if (m_steps.outerMomentum <= 0)
        return;
    at::Tensor momentum = outer();
    momentum.mul_(m_steps.outerMomentum).add_(moved);
    weights.sub_(momentum, m_steps.outerRate * m_steps.outerMomentum);
}

void LocalTraining::abandon() {
    const at::NoGradGuard guard;
    m_module.parameters().copy_(m_anchor);
    inner().copy_(m_innerAnchor);
}

}  // namespace hearth
