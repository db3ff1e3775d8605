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

LayerCounter &LayerCounter::linear(qint64 in, qint64 out, qint64 positions, bool bias) {
    const qint64 count = in * out * positions;
    parameters(in * out + (bias ? out : 0)).macs(count);
    return op(2 * static_cast<double>(count), in * positions, out * positions, in * positions);
}

LayerCounter &LayerCounter::batchNorm(qint64 channels, qint64 positions) {
    const qint64 elements = channels * positions;
    parameters(2 * channels, 2 * channels);
    if (positions == 1)
        minimumSamples(2);
    return op(4 * static_cast<double>(elements), elements, elements, elements);
}

LayerCounter &LayerCounter::elementwise(double flopsPerElement, qint64 elements) {
    return op(flopsPerElement * static_cast<double>(elements), elements, elements, elements);
}

LayerCounter &LayerCounter::add(qint64 elements) {
    return op(static_cast<double>(elements), 2 * elements, elements, 0);
}

WorkloadLayer LayerCounter::finish(qint64 outputElements) {
    m_layer.facts.outputBytes = elementBytes * outputElements;
    m_layer.facts.gradientBytes = m_layer.facts.outputBytes;
    return std::move(m_layer);
}

}  // namespace hearth::detail
