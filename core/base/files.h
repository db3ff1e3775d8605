// Files written whole or not at all.
#pragma once

#include <QByteArray>
#include <functional>

#include "core/base/error.h"

class QFile;
class QIODevice;

namespace hearth {

/// Called between the pieces of a long work: for whoever must not be in the way of others.
using BetweenPieces = std::function<void()>;

/// Writes through a temporary file in the same folder, syncs it, renames it over `path` and syncs the folder: after any
/// failure (disk full, no permission, crash) the old file stays as it was, and what was saved outlives a power cut.
/// Error "file.unsynced": it is there, and the disk does not say whether it stays. Parent folders are not made. Any
/// thread.
Result<void> saveFile(const QString &path, const QByteArray &content);
/// The same for contents too large for one array; `write` returns an error to give up.
Result<void> saveFile(const QString &path, const std::function<Result<void>(QIODevice &)> &write);

/// That a file could be saved as `path`; an empty path is none. For what is written much later, so that a wrong name is
/// told at once. The error has `code`, `what`, which names the path, and `advice`. Any thread.
Result<void> mustBeWritable(const QString &path, const QString &code, const Sentence &what, const Sentence &advice);

/// What saveFile() says where the disk, or the user's part of it, has no room for the file.
bool isDiskFull(const Error &error);

/// What lies in a folder after a power cut is what was synced. Where a file system syncs no folders, or this user may
/// not read it, that is no error. Error "file.unsynced". Any thread.
Result<void> syncFolder(const QString &path);

/// Opens it for reading if it is a plain file: to open a pipe that nobody writes takes for ever, and whoever may write
/// in a folder can make one there. What a person names below /dev ("/dev/fd/63", from a shell) and resources are opened
/// as they are. `unbuffered` is QFile's; an open one tells no name. Error "file.unreadable", whose cause is a sentence.
/// Any thread.
Result<void> openPlainFile(QFile &file, bool unbuffered = false);

/// Makes `path` with mode 0700, and its parents, which nobody else may write.
Result<void> makePrivateFolder(const QString &path);

}  // namespace hearth
