#include "core/base/heap.h"

#include <malloc.h>

#include <climits>

namespace hearth {

void keepFreedMemory() {
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    mallopt(M_TOP_PAD, 64 << 20);
    // Heaps of other threads than the main one are cut into pieces of 64 MiB, whose ends stay unused.
    mallopt(M_ARENA_MAX, 1);
}

void keepHeapsSmall() {
    mallopt(M_ARENA_MAX, 2);
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
}

void returnFreedMemory() {
    malloc_trim(0);
}

}  // namespace hearth
