#include "core/base/files.h"

#include <QDir>
#include <QFileInfo>
#include <QSaveFile>

namespace hearth {
namespace {

Error notSaved(const QString &path, const QString &cause) {
    return {QStringLiteral("file.unwritable"), QStringLiteral("The file %1 could not be saved.").arg(path),
            cause + QLatin1Char('.'),
            QStringLiteral("Free some space or choose another folder; what was there before is unchanged.")};
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
        return fail(QStringLiteral("file.unwritable"), QStringLiteral("The file %1 could not be saved.").arg(path),
                    QStringLiteral("Something that is not a file has this name."),
                    QStringLiteral("Choose another name."));
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
    return {};
}

Result<void> makePrivateFolder(const QString &path) {
    constexpr QFileDevice::Permissions onlyOwner =
        QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner;
    if (QFileInfo(path).isDir())
        return {};
    const QFileInfo info(path);
    // Another process may make it at the same moment.
    if (!QDir().mkpath(info.absolutePath()) || (!QDir().mkdir(path, onlyOwner) && !QFileInfo(path).isDir())) {
        return fail(QStringLiteral("file.no-folder"), QStringLiteral("The folder %1 could not be made.").arg(path),
                    QStringLiteral("The place is read-only, full, or taken by a file."),
                    QStringLiteral("Choose another place with --state."));
    }
    return {};
}

}  // namespace hearth
