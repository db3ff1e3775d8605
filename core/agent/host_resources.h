// What this machine has.
#pragma once

#include <QString>

#include "core/home/device_kind.h"

namespace hearth {

/// Read from /proc and /sys. Memory is what is installed, clipped by this process's cgroup.
struct HostResources {
    qint64 memoryBytes = 0;
    int cores = 1;
    QString processor;
    DeviceKind kind = DeviceKind::Unknown;
};
HostResources hostResources();

}  // namespace hearth
