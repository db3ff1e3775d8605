// Files of other programs, known by how they begin: what a person does with what is in them.
#pragma once

#include <QByteArray>
#include <optional>

#include "core/base/error.h"

namespace hearth {

/// A sentence each. Plain value.
struct ForeignFile {
    Sentence what;  // "It is an archive."
    Sentence cure;

    struct Limits {
        static constexpr qsizetype begin = 512, end = 64 << 10;  // bytes of a file that tell what it is
    };

    /// Error "file.foreign".
    Error refusal(const QString &path) const;
};

/// `begin` and, which matters for ZIP alone, `end` are the first and last bytes of a file, as many as Limits says or
/// all that it has. Nothing where it may be a file of Hearth, or nobody knows what it is. Any thread.
std::optional<ForeignFile> foreignContent(const QByteArray &begin, const QByteArray &end = {});
/// Of a file; nothing where it is none, or cannot be read. Any thread; blocks.
std::optional<ForeignFile> foreignFile(const QString &path);
/// The refusal of such a file. Any thread; blocks.
Result<void> refuseForeign(const QString &path);

}  // namespace hearth
