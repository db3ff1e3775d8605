#include "core/base/chunk_packing.h"

#include <algorithm>

namespace hearth {

double ChunkPacking::paysBelow(double part, double secondsPerByte) {
    const double saved = 1 - part;
    return saved >= leastSaved ? std::min(saved / (faster * secondsPerByte), fastLink) : 0;
}

bool ChunkPacking::pays(double linkBytesPerSecond) const {
    const double most = m_against == Against::Sending ? 1 : m_savedPart;
    return linkBytesPerSecond > 0 && m_secondsPerByte > 0 && m_savedPart >= leastSaved &&
           faster * m_secondsPerByte * linkBytesPerSecond < most;
}

bool ChunkPacking::mayPack(double linkBytesPerSecond) const {
    return linkBytesPerSecond > 0 && linkBytesPerSecond < fastLink &&
           (m_tries > 0 || m_untried >= m_pause || pays(linkBytesPerSecond));
}

bool ChunkPacking::packsNext(double linkBytesPerSecond) {
    if (linkBytesPerSecond <= 0 || linkBytesPerSecond >= fastLink)
        return false;
    if (pays(linkBytesPerSecond)) {
        m_pause = pause;
        return true;
    }
    if (m_tries == 0 && ++m_untried > m_pause) {
        m_untried = 0;
        m_tries = tried;
        m_pause = std::min(2 * m_pause, longestPause);
    }
    return m_tries > 0;
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
