#include "core/train/averaged_weights.h"

#include <algorithm>
#include <utility>

namespace hearth {

AveragedWeights::AveragedWeights(at::Tensor weights, at::Tensor average)
    : m_weights(std::move(weights)), m_average(std::move(average)) {
    swap();
}

/// Piece by piece: no memory for a copy of all is foreseen.
void AveragedWeights::swap() {
    constexpr qint64 piece = 1 << 18;
    if (!m_weights.defined())
        return;
    const at::NoGradGuard guard;
    for (qint64 first = 0; first < m_weights.numel(); first += piece) {
        const qint64 count = std::min(piece, m_weights.numel() - first);
        at::Tensor weights = m_weights.narrow(0, first, count), average = m_average.narrow(0, first, count);
        const at::Tensor kept = weights.clone();
        weights.copy_(average);
        average.copy_(kept);
    }
}

}  // namespace hearth
