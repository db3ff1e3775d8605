// What this machine has.
#pragma once

#include <QString>

namespace hearth {

/// Read from /proc. Memory is what is installed, clipped by this process's cgroup.
struct HostResources {
    qint64 memoryBytes = 0;
    int cores = 1;
    QString processor;
};
HostResources hostResources();

}  // namespace hearth
