#include "core/base/heap_tidy.h"

#include "core/base/heap.h"

namespace hearth {

HeapTidy::HeapTidy(QObject *parent) : QTimer(parent) {
    setSingleShot(true);
    setInterval(delay);
    callOnTimeout(this, &returnFreedMemory);
}

void HeapTidy::soon() {
    if (!isActive())
        start();
}

}  // namespace hearth
