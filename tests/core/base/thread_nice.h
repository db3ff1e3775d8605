// The priorities of this process's threads.
#pragma once

#include <sys/resource.h>
#include <QList>

#include "core/base/priority.h"

namespace hearth::test {

/// One nice value per thread.
inline QList<int> niceOfThreads() {
    QList<int> values;
    for (const int thread : threadsOfProcess())
        values << getpriority(PRIO_PROCESS, static_cast<id_t>(thread));
    return values;
}

}  // namespace hearth::test
