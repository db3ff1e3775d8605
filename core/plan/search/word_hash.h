// Hashes of keys made of whole numbers.
#pragma once

#include <QtGlobal>
#include <cstddef>

namespace hearth {

/// FNV-1a over words instead of bytes.
template <class Words>
std::size_t hashOfWords(const Words &words) {
    quint64 hash = 1469598103934665603ULL;
    for (const int word : words)
        hash = (hash ^ static_cast<quint64>(static_cast<unsigned>(word))) * 1099511628211ULL;
    return static_cast<std::size_t>(hash ^ (hash >> 29));
}

}  // namespace hearth
