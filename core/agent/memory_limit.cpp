#include "core/agent/memory_limit.h"

#include <QFile>
#include <algorithm>
#include <limits>

namespace hearth {
namespace {

// Version 1 says "none" as the largest number of pages.
constexpr qint64 unlimited = std::numeric_limits<qint64>::max() / 2;

/// 0 where the file is not there or says that there is no limit.
qint64 limitIn(const QString &path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    bool ok = false;
    const qint64 bytes = file.readLine(4096).trimmed().toLongLong(&ok);
    return ok && bytes > 0 && bytes < unlimited ? bytes : 0;
}

/// Of a group and all above it.
qint64 tightest(const QString &hierarchy, QString group, const QString &fileName) {
    qint64 limit = 0;
    while (true) {
        if (group.endsWith(QLatin1Char('/')))
            group.chop(1);
        if (const qint64 bytes = limitIn(hierarchy + group + QLatin1Char('/') + fileName); bytes > 0)
            limit = limit == 0 ? bytes : std::min(limit, bytes);
        if (group.isEmpty())
            return limit;
        group.truncate(std::max<qsizetype>(0, group.lastIndexOf(QLatin1Char('/'))));
    }
}

}  // namespace

qint64 cgroupMemoryLimit(const QString &membership, const QString &root) {
    QFile file(membership);
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    qint64 limit = 0;
    // Lines are "number:controllers:group"; version 2 has number 0 and no controllers.
    for (const QByteArray &line : file.readAll().split('\n')) {
        const qsizetype first = line.indexOf(':');
        const qsizetype second = line.indexOf(':', first + 1);
        if (first < 0 || second < 0)
            continue;
        const QByteArray controllers = line.mid(first + 1, second - first - 1);
        const QString group = QFile::decodeName(line.mid(second + 1));
        qint64 bytes = 0;
        if (controllers.isEmpty())
            bytes = tightest(root, group, QStringLiteral("memory.max"));
        else if (controllers.split(',').contains("memory"))
            bytes = tightest(root + QStringLiteral("/memory"), group, QStringLiteral("memory.limit_in_bytes"));
        if (bytes > 0)
            limit = limit == 0 ? bytes : std::min(limit, bytes);
    }
    return limit;
}

}  // namespace hearth
