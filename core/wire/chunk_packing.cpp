#include "core/wire/chunk_packing.h"

#include <algorithm>

namespace hearth {

bool ChunkPacking::pays(double linkBytesPerSecond) const {
    return linkBytesPerSecond > 0 && m_secondsPerByte > 0 && m_savedPart >= leastSaved &&
           faster * m_secondsPerByte * linkBytesPerSecond < 1;
}

bool ChunkPacking::packsNext(double linkBytesPerSecond) {
    if (linkBytesPerSecond <= 0)
        return false;
    if (m_tries == 0 && ++m_untried > pause) {
        m_untried = 0;
        m_tries = tried;
    }
    return m_tries > 0 || pays(linkBytesPerSecond);
}

void ChunkPacking::packed(qint64 raw, qint64 packed, std::chrono::nanoseconds took) {
    if (raw <= 0)
        return;
    constexpr double weight = 0.5;  // of the newest
    const auto bytes = static_cast<double>(raw);
    const double secondsPerByte = std::chrono::duration<double>(took).count() / bytes;
    const double savedPart = static_cast<double>(raw - packed) / bytes;
    const double share = m_secondsPerByte > 0 ? weight : 1;
    m_secondsPerByte += share * (secondsPerByte - m_secondsPerByte);
    m_savedPart += share * (savedPart - m_savedPart);
    m_tries = std::max(0, m_tries - 1);
    m_untried = 0;
}

}  // namespace hearth
