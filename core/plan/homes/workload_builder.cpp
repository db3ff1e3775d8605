#include "core/plan/homes/workload_builder.h"

#include <algorithm>

namespace hearth::detail {
namespace {

constexpr qint64 elementBytes = 4;

}  // namespace

LayerCounter::LayerCounter(QString name) {
    m_layer.facts.name = std::move(name);
}

LayerCounter &LayerCounter::op(double flops, qint64 in, qint64 out, qint64 kept) {
    const qint64 moved = elementBytes * (in + out);
    m_layer.flops += flops;
    m_layer.work += std::max(flops, flopsPerByte * static_cast<double>(moved));
    m_layer.facts.savedBytes += elementBytes * kept;
    m_layer.facts.workspaceBytes = std::max(m_layer.facts.workspaceBytes, moved);
    ++m_layer.kernels;
    return *this;
}

LayerCounter &LayerCounter::parameters(qint64 count, qint64 buffers) {
    m_layer.facts.parameterBytes += elementBytes * count;
    m_layer.facts.trainableBytes = m_layer.facts.parameterBytes;
    m_layer.facts.bufferBytes += elementBytes * buffers;
    return *this;
}

LayerCounter &LayerCounter::macs(qint64 count) {
    m_layer.macs += count;
    return *this;
}

LayerCounter &LayerCounter::minimumSamples(int samples) {
    m_layer.facts.minimumSamples = std::max(m_layer.facts.minimumSamples, samples);
    return *this;
}

WorkloadLayer LayerCounter::finish(qint64 outputElements) {
    m_layer.facts.outputBytes = elementBytes * outputElements;
    m_layer.facts.gradientBytes = m_layer.facts.outputBytes;
    return std::move(m_layer);
}

}  // namespace hearth::detail
