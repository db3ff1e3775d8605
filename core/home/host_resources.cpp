#include <unistd.h>
#include <QFile>
#include <QThread>
#include <algorithm>

#include "core/home/device_info.h"

namespace hearth {
namespace {

QByteArray firstLine(const QString &path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return file.readLine(4096).trimmed();
}

/// The tightest limit of this process's cgroup and its parents (version 2), or 0 where there is none.
qint64 cgroupLimit() {
    QFile membership(QStringLiteral("/proc/self/cgroup"));
    if (!membership.open(QIODevice::ReadOnly))
        return 0;
    qint64 limit = 0;
    for (const QByteArray &line : membership.readAll().split('\n')) {
        if (!line.startsWith("0::"))
            continue;
        QString path = QString::fromUtf8(line.mid(3).trimmed());
        while (true) {
            bool ok = false;
            const qint64 bytes =
                firstLine(QStringLiteral("/sys/fs/cgroup") + path + QStringLiteral("/memory.max")).toLongLong(&ok);
            if (ok && bytes > 0)
                limit = limit == 0 ? bytes : std::min(limit, bytes);
            const qsizetype slash = path.lastIndexOf(QLatin1Char('/'));
            if (slash < 0 || path == QLatin1String("/"))
                break;
            path = path.left(slash);
        }
    }
    return limit;
}

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
    if (const qint64 limit = cgroupLimit(); limit > 0)
        resources.memoryBytes = std::min(resources.memoryBytes, limit);
    resources.cores = std::max(1, QThread::idealThreadCount());
    resources.processor = processorName();
    return resources;
}

}  // namespace hearth
