#include "core/base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <cerrno>
#include <cstring>

#include "core/base/sentence.h"
#include "core/base/system_reason.h"

namespace hearth {
namespace {

constexpr QFileDevice::Permissions onlyOwner = QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner;

bool isMade(const QString &folder, QFileDevice::Permissions permissions) {
    // Another process may make it at the same moment.
    return QDir().mkdir(folder, permissions) || QFileInfo(folder).isDir();
}

/// As the umask wants them, but that nobody else may write there.
bool makeParents(const QString &folder) {
    constexpr QFileDevice::Permissions others =
        QFileDevice::ReadGroup | QFileDevice::ExeGroup | QFileDevice::ReadOther | QFileDevice::ExeOther;
    const QFileInfo info(folder);
    return info.isDir() ||
           (info.absolutePath() != folder && makeParents(info.absolutePath()) && isMade(folder, onlyOwner | others));
}

Error notSaved(const QString &path, const QString &cause) {
    return {QStringLiteral("file.unwritable"), sentence("The file %1 could not be saved.").arg(path),
            cause + QLatin1Char('.'),
            sentence("Free some space or choose another folder; what was there before is unchanged.")};
}

}  // namespace

Result<void> saveFile(const QString &path, const QByteArray &content) {
    return saveFile(path, [&content, &path](QIODevice &device) -> Result<void> {
        if (device.write(content) != content.size())
            return tl::unexpected(notSaved(path, device.errorString()));
        return {};
    });
}

Result<void> saveFile(const QString &path, const std::function<Result<void>(QIODevice &)> &write) {
    // Renaming over a device or a folder would replace the thing itself: as root, /dev/null for every program.
    if (const QFileInfo there(path); there.exists() && !there.isFile()) {
        return fail(QStringLiteral("file.unwritable"), sentence("The file %1 could not be saved.").arg(path),
                    sentence("Something that is not a file has this name."), sentence("Choose another name."));
    }
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return tl::unexpected(notSaved(path, file.errorString()));
    if (auto written = write(file); !written) {
        file.cancelWriting();
        return written;
    }
    // commit() forgets it when what is still buffered finds the disk full, and would rename half a file.
    if (!file.flush()) {
        const QString cause = file.errorString();
        file.cancelWriting();
        return tl::unexpected(notSaved(path, cause));
    }
    // It syncs before it renames, so any other error of the disk surfaces here at the latest.
    if (!file.commit())
        return tl::unexpected(notSaved(path, file.errorString()));
    // A link stays one: what was replaced is the file that it leads to.
    return syncFolder(QFileInfo(QFileInfo(path).canonicalFilePath()).absolutePath());
}

Result<void> mustBeWritable(const QString &path, const QString &code, const Sentence &what, const Sentence &advice) {
    if (path.isEmpty())
        return {};
    const QFileInfo file(path);
    const QFileInfo folder(file.absolutePath());
    if (file.exists() && !file.isFile())
        return fail(code, what, sentence("Something that is not a file has this name."), advice);
    if (!folder.isDir() || !folder.isWritable()) {
        return fail(code, what, sentence("The folder %1 does not exist or is read-only.").arg(folder.filePath()),
                    advice);
    }
    if (file.exists() && !file.isWritable())
        return fail(code, what, sentence("The file is read-only."), advice);
    return {};
}

bool isDiskFull(const Error &error) {
    const auto isFor = [&](int code) { return error.cause == Sentence(qt_error_string(code) + QLatin1Char('.')); };
    return error.code == QLatin1String("file.unwritable") && (isFor(ENOSPC) || isFor(EDQUOT));
}

Result<void> syncFolder(const QString &path) {
    const int fd = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 && errno == EACCES)
        return {};
    const bool synced = fd >= 0 && (::fsync(fd) == 0 || errno == EINVAL);
    const int code = errno;
    if (fd >= 0)
        ::close(fd);
    if (synced)
        return {};
    return fail(QStringLiteral("file.unsynced"),
                sentence("What was saved in %1 could be lost with a power cut.").arg(path), systemReason(code),
                sentence("Look at the disk, then do it again."));
}

Result<void> openPlainFile(QFile &file, bool unbuffered) {
    const QString path = file.fileName();
    const QIODevice::OpenMode mode =
        unbuffered ? QIODevice::ReadOnly | QIODevice::Unbuffered : QIODevice::OpenMode(QIODevice::ReadOnly);
    const auto unreadable = [&path](const Sentence &cause, const Sentence &advice) {
        return fail(QStringLiteral("file.unreadable"), sentence("The file %1 could not be read.").arg(path), cause,
                    advice);
    };
    const auto refused = [&unreadable](const QString &reason) {
        return unreadable(reason + QLatin1Char('.'), sentence("Check the name and the permissions."));
    };
    if (path.startsWith(QLatin1String("/dev/")) || path.startsWith(QLatin1Char(':')))
        return file.open(mode) ? Result<void>() : refused(file.errorString());
    const int fd = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return refused(QString::fromLocal8Bit(std::strerror(errno)));
    struct stat status {};
    if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        ::close(fd);
        return unreadable(sentence("It is not a regular file."), sentence("Name a regular file."));
    }
    if (!file.open(fd, mode, QFileDevice::AutoCloseHandle)) {
        ::close(fd);
        return refused(file.errorString());
    }
    return {};
}

Result<void> makePrivateFolder(const QString &path) {
    if (QFileInfo(path).isDir())
        return {};
    if (!makeParents(QFileInfo(path).absolutePath()) || !isMade(path, onlyOwner)) {
        return fail(QStringLiteral("file.no-folder"), sentence("The folder %1 could not be made.").arg(path),
                    sentence("The place is read-only, full, or taken by a file."),
                    sentence("Choose another place with --state."));
    }
    return {};
}

}  // namespace hearth
