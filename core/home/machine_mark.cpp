#include "core/home/machine_mark.h"

#include <QCryptographicHash>
#include <QFile>

namespace hearth {

QString machineMark() {
    QFile boot(QStringLiteral("/proc/sys/kernel/random/boot_id"));
    QByteArray mark = boot.open(QIODevice::ReadOnly) ? boot.readAll() : QByteArray();
    mark += QFile::symLinkTarget(QStringLiteral("/proc/self/ns/pid")).toUtf8();
    return QString::fromLatin1(QCryptographicHash::hash(mark, QCryptographicHash::Sha256).toHex().left(32));
}

}  // namespace hearth
