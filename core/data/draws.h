// Internal to core/data: random numbers of one sample, taken in turn.
#pragma once

#include "core/base/generator.h"

namespace hearth {

/// Words of a stream, from the first on. Plain value.
class Draws {
  public:
    explicit Draws(const Generator &stream) : m_stream(stream) {}
    /// In [0, 1): one of 2^53.
    double share() { return static_cast<double>(m_stream.word(m_next++) >> 11) * 0x1p-53; }
    double between(double least, double most) { return least + (most - least) * share(); }
    int whole(int least, int most) {
        return least + static_cast<int>(m_stream.below(static_cast<std::uint64_t>(most - least) + 1, m_next++));
    }

  private:
    Generator m_stream;
    std::uint64_t m_next = 0;
};

}  // namespace hearth
