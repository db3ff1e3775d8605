// How much memory the system grants to this process's group.
#pragma once

#include <QString>

namespace hearth {

/// Bytes: the tightest limit of this process's cgroup and its parents, of version 1 or 2; 0 where there is none. Any
/// thread. Source: cgroups(7), the kernel's cgroup-v1/memory.rst and cgroup-v2.rst. The folders are arguments for
/// tests.
qint64 cgroupMemoryLimit(const QString &membership = QStringLiteral("/proc/self/cgroup"),
                         const QString &root = QStringLiteral("/sys/fs/cgroup"));

}  // namespace hearth
