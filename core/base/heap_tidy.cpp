#include "core/base/heap_tidy.h"

#include "core/base/heap.h"

namespace hearth {

HeapTidy::HeapTidy(std::chrono::milliseconds after) {
    setSingleShot(true);
    setInterval(after);
    callOnTimeout(this, &returnFreedMemory);
}

void HeapTidy::soon() {
    if (!isActive())
        start();
}

}  // namespace hearth
