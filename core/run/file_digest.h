// The SHA-256 of a file of any size.
#pragma once

#include <QByteArray>
#include <QString>

#include "core/base/error.h"
#include "core/base/files.h"

namespace hearth {

struct FileDigest {
    qint64 bytes = 0;
    QByteArray sha256;  // 64 lowercase hex digits
};

/// Reads the file once, in pieces (Sha256): for hundreds of megabytes. `between` follows every piece. Error
/// "file.unreadable". Any thread.
Result<FileDigest> digestOf(const QString &path, const BetweenPieces &between = {});

}  // namespace hearth
