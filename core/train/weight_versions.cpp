#include "core/train/weight_versions.h"

#include <algorithm>
#include <utility>

#include "core/train/stage_module.h"

namespace hearth {

WeightVersions::WeightVersions(StageModule &module, ComputeDevice &device, quint64 first, int delay,
                               const std::optional<Asynchrony> &asynchronous)
    : m_module(module),
      m_device(device),
      m_first(first),
      m_delay(static_cast<quint64>(delay)),
      m_averageEvery(asynchronous ? static_cast<quint64>(asynchronous->averageEvery) : 0),
      m_ahead(asynchronous ? asynchronous->predict * delay : 0),
      m_current(first) {}

void WeightVersions::drop(quint64 before) {
    while (!m_kept.empty() && m_kept.front().version < before) {
        m_spare.push_back(std::move(m_kept.front().weights));
        m_kept.pop_front();
    }
}

at::Tensor WeightVersions::copyOf(const at::Tensor &weights) {
    at::Tensor copy;
    if (m_spare.empty()) {
        copy = m_device.allocate({weights.numel()}, {1}, m_module.dtype());
    } else {
        copy = std::move(m_spare.back());
        m_spare.pop_back();
    }
    copy.copy_(weights, /*non_blocking=*/true);
    return copy;
}

void WeightVersions::beginUpdate() {
    Q_ASSERT(isFree());
    const quint64 needed = versionFor(m_current + 1);
    drop(needed);
    if (needed > m_current)
        return;
    const at::NoGradGuard guard;
    at::Tensor &newest = m_module.parameters();
    if (m_ahead > 0)
        m_before = copyOf(newest);
    if (m_kept.empty() || m_kept.back().version != m_current) {  // passes see the newest as they are
        m_kept.push_back({m_current, newest});
        m_module.setParameters(copyOf(newest));
    }
}

void WeightVersions::endUpdate() {
    ++m_current;
    const at::NoGradGuard guard;
    at::Tensor &newest = m_module.parameters();
    if (m_before.defined()) {
        m_before.mul_(-m_ahead).add_(newest, 1 + m_ahead);
        m_kept.push_back({m_current, std::exchange(m_before, {})});
    }
    if (m_averageEvery == 0 || m_current % m_averageEvery != 0 || m_kept.empty())
        return;
    for (const Version &older : m_kept)
        newest.add_(older.weights);
    newest.div_(static_cast<double>(m_kept.size() + 1));
}

WeightVersions::Use::Use(WeightVersions &versions, quint64 version) {
    const auto found = std::ranges::find(versions.m_kept, version, &Version::version);
    if (found == versions.m_kept.end()) {
        Q_ASSERT(version == versions.m_current);
        return;
    }
    m_module = &versions.m_module;
    m_module->computeWith(found->weights);
}

WeightVersions::Use::~Use() {
    if (m_module)
        m_module->computeWith(m_module->parameters());
}

void RoundBeginning::keep(const at::Tensor &parameters, const at::Tensor &optimizer) {
    const at::NoGradGuard guard;
    if (!m_parameters.defined()) {
        m_parameters = at::empty_like(parameters);
        m_optimizer = at::empty_like(optimizer);
    }
    m_parameters.copy_(parameters);
    m_optimizer.copy_(optimizer);
    m_isKept = true;
}

void RoundBeginning::restore(at::Tensor &parameters, at::Tensor &optimizer) {
    if (!std::exchange(m_isKept, false))
        return;
    const at::NoGradGuard guard;
    parameters.copy_(m_parameters);
    optimizer.copy_(m_optimizer);
}

}  // namespace hearth
