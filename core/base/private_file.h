// Small JSON files that only their user may read or write.
#pragma once

#include <QJsonObject>
#include <QString>
#include <optional>

#include "core/base/error.h"

namespace hearth {

/// Nothing where there is no such file. One that is a link or no plain file, that belongs to somebody else, or that
/// others may write is an error ("file.not-private"), and so is one that is too large or not a JSON object.
Result<std::optional<QJsonObject>> readPrivateJson(const QString &path, qint64 maximumBytes);

/// Whole or not at all, with mode 0600 from its first byte on. Errors: "file.not-private" where a link or something
/// that is no plain file has this name, "file.unwritable".
Result<void> savePrivateJson(const QString &path, const QJsonObject &object);

}  // namespace hearth
