// Indexes are int where they are counted and subtracted; containers want std::size_t.
#pragma once

#include <cstddef>

namespace hearth {

/// `values[at(i - 1)]`. The index is not negative.
constexpr std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

}  // namespace hearth
