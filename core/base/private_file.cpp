#include "core/base/private_file.h"

#include <sys/stat.h>
#include <unistd.h>
#include <QFile>
#include <QFileDevice>
#include <QJsonDocument>
#include <cerrno>

#include "core/base/files.h"
#include "core/base/json_reader.h"
#include "core/base/sentence.h"
#include "core/base/system_reason.h"

namespace hearth {
namespace {

tl::unexpected<Error> notPrivate(const QString &path, const Sentence &cause) {
    return fail(QStringLiteral("file.not-private"), sentence("The file %1 cannot be used.").arg(path), cause,
                sentence("Restore the file from a backup, or remove it."));
}

/// Whether it is there; an error where it is not what it should be.
Result<bool> checkPrivate(const QString &path) {
    struct stat info {};
    if (::lstat(QFile::encodeName(path).constData(), &info) != 0) {
        if (errno == ENOENT)
            return false;
        return notPrivate(path, systemReason(errno));
    }
    if (!S_ISREG(info.st_mode) || info.st_uid != ::geteuid() || (info.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
        return notPrivate(path, sentence("It is not a plain file that belongs to you and that only you may write."));
    }
    return true;
}

}  // namespace

Result<std::optional<QJsonObject>> readPrivateJson(const QString &path, qint64 maximumBytes) {
    const auto there = checkPrivate(path);
    if (!there)
        return tl::unexpected(there.error());
    if (!*there)
        return std::nullopt;
    auto object = readJsonFile(path, maximumBytes);
    if (!object)
        return tl::unexpected(object.error());
    return std::optional(std::move(*object));
}

Result<void> savePrivateJson(const QString &path, const QJsonObject &object) {
    if (const auto there = checkPrivate(path); !there)
        return tl::unexpected(there.error());
    const QByteArray text = QJsonDocument(object).toJson();
    return saveFile(path, [&](QIODevice &file) -> Result<void> {
        if (auto *plain = qobject_cast<QFileDevice *>(&file))
            plain->setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
        if (file.write(text) != text.size()) {
            return fail(QStringLiteral("file.unwritable"), sentence("The file %1 could not be saved.").arg(path),
                        file.errorString() + QLatin1Char('.'), sentence("Free some space; nothing has changed."));
        }
        return {};
    });
}

}  // namespace hearth
