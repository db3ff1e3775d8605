// Where fuzz programs put what is read as a file.
#pragma once

#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>

namespace hearth {

/// For QTemporaryDir. In memory where there is such a place: writing a file over and over waits for a disk most of the
/// time.
inline QString fuzzFolderTemplate() {
    const QString memory = QStringLiteral("/dev/shm");
    return (QFileInfo(memory).isWritable() ? memory : QDir::tempPath()) + QStringLiteral("/hearth-fuzz");
}

}  // namespace hearth
