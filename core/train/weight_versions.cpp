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
      m_current(first) {}

void WeightVersions::drop(quint64 before) {
    while (!m_older.empty() && m_older.front().version < before) {
        m_spare.push_back(std::move(m_older.front().weights));
        m_older.pop_front();
    }
}

void WeightVersions::beginUpdate() {
    Q_ASSERT(isFree());
    const quint64 needed = versionFor(m_current + 1);
    drop(needed);
    if (needed > m_current)
        return;
    const at::NoGradGuard guard;
    at::Tensor &newest = m_module.parameters();
    m_older.push_back({m_current, newest});
    at::Tensor next;
    if (m_spare.empty()) {
        next = m_device.allocate({newest.numel()}, {1}, m_module.dtype());
    } else {
        next = std::move(m_spare.back());
        m_spare.pop_back();
    }
    next.copy_(newest, /*non_blocking=*/true);
    m_module.setParameters(std::move(next));
}

void WeightVersions::endUpdate() {
    ++m_current;
    if (m_averageEvery == 0 || m_current % m_averageEvery != 0 || m_older.empty())
        return;
    const at::NoGradGuard guard;
    at::Tensor &newest = m_module.parameters();
    for (const Version &older : m_older)
        newest.add_(older.weights);
    newest.div_(static_cast<double>(m_older.size() + 1));
}

WeightVersions::Use::Use(WeightVersions &versions, quint64 version) {
    if (version == versions.m_current)
        return;
    const auto found = std::ranges::find(versions.m_older, version, &Version::version);
    Q_ASSERT(found != versions.m_older.end());
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
