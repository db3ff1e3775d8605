#include "core/agent/host_resources.h"

#include <unistd.h>
#include <QFile>
#include <QThread>
#include <algorithm>

#include "core/agent/memory_limit.h"

namespace hearth {
namespace {

QString processorName() {
    QFile file(QStringLiteral("/proc/cpuinfo"));
    if (file.open(QIODevice::ReadOnly)) {
        // /proc files have no size, so the end is only known by an empty line read.
        for (QByteArray line = file.readLine(); !line.isEmpty(); line = file.readLine()) {
            for (const char *key : {"model name", "Model", "Hardware"}) {
                if (line.startsWith(key) && line.contains(':'))
                    return QString::fromUtf8(line.mid(line.indexOf(':') + 1).trimmed()).left(120);
            }
        }
    }
    return QSysInfo::currentCpuArchitecture();
}

}  // namespace

HostResources hostResources() {
    HostResources resources;
    resources.memoryBytes = static_cast<qint64>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
    if (const qint64 limit = cgroupMemoryLimit(); limit > 0)
        resources.memoryBytes = std::min(resources.memoryBytes, limit);
    resources.cores = std::max(1, QThread::idealThreadCount());
    resources.processor = processorName();
    resources.kind = deviceKind();
    return resources;
}

}  // namespace hearth
