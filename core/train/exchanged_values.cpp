#include "core/train/exchanged_values.h"

#include <algorithm>
#include <utility>

namespace hearth {

ExchangedValues::ExchangedValues(at::Tensor values, at::Tensor others)
    : m_values(std::move(values)), m_others(std::move(others)) {
    swap();
}

/// Piece by piece: no memory for a copy of all is foreseen.
void ExchangedValues::swap() {
    constexpr qint64 piece = 1 << 18;
    if (!m_values.defined())
        return;
    const at::NoGradGuard guard;
    for (qint64 first = 0; first < m_values.numel(); first += piece) {
        const qint64 count = std::min(piece, m_values.numel() - first);
        at::Tensor values = m_values.narrow(0, first, count), others = m_others.narrow(0, first, count);
        const at::Tensor kept = values.clone();
        values.copy_(others);
        others.copy_(kept);
    }
}

}  // namespace hearth
