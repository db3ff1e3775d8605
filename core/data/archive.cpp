#include "core/data/archive.h"

#include <archive.h>
#include <archive_entry.h>

#include <cstdio>
#include <memory>

#include "core/base/files.h"
#include "core/data/watched_file.h"

namespace hearth {
namespace {

constexpr std::size_t blockBytes = 1 << 18;
/// Files of an archive that are looked at: one that holds a data set has some dozens.
constexpr int mostFiles = 100'000;

tl::unexpected<Error> damaged(const QString &path, archive *from) {
    const char *text = archive_error_string(from);
    return fail(QStringLiteral("data.malformed"), sentence("The archive %1 cannot be read.").arg(path),
                text != nullptr ? Sentence(QString::fromUtf8(text) + QLatin1Char('.')) : Sentence(),
                sentence("Download or copy it again."));
}

/// What libarchive reads from.
struct ArchiveSource {
    WatchedFile &file;
    QByteArray block = QByteArray(static_cast<qsizetype>(blockBytes), Qt::Uninitialized);
};

la_ssize_t readBlock(archive *, void *client, const void **block) {
    auto &source = *static_cast<ArchiveSource *>(client);
    *block = source.block.constData();
    return static_cast<la_ssize_t>(source.file.read(source.block.data(), source.block.size()));
}

la_int64_t seekTo(archive *, void *client, la_int64_t offset, int whence) {
    WatchedFile &file = static_cast<ArchiveSource *>(client)->file;
    const qint64 from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file.pos() : file.size();
    return file.seek(from + offset) ? file.pos() : ARCHIVE_FATAL;
}

}  // namespace

Result<QByteArray> ArchivedFile::read(qint64 limit) {
    QByteArray content;
    while (content.size() < limit) {
        if (auto on = mayGoOn(m_progress, 0); !on)
            return tl::unexpected(on.error());
        const qsizetype before = content.size();
        const qint64 piece = std::min<qint64>(limit - before, static_cast<qint64>(blockBytes));
        content.resize(before + piece);
        const la_ssize_t got = archive_read_data(m_from, content.data() + before, static_cast<std::size_t>(piece));
        if (got < 0)
            return damaged(m_archive, m_from);
        content.resize(before + got);
        if (got == 0)
            break;
    }
    return content;
}

Result<void> readArchive(const QString &path, const std::function<Result<void>(ArchivedFile &file)> &take,
                         const CheckProgress &progress) {
    WatchedFile file(path, progress);
    if (auto opened = openPlainFile(file, true); !opened)
        return opened;
    ArchiveSource source{file};
    const std::unique_ptr<archive, decltype(&archive_read_free)> from(archive_read_new(), archive_read_free);
    archive_read_support_filter_gzip(from.get());
    archive_read_support_format_tar(from.get());
    archive_read_support_format_zip(from.get());
    archive_read_set_callback_data(from.get(), &source);
    archive_read_set_read_callback(from.get(), readBlock);
    archive_read_set_seek_callback(from.get(), seekTo);
    const auto wrong = [&] { return file.isGivenUp() ? lookGivenUp() : damaged(path, from.get()); };
    if (archive_read_open1(from.get()) != ARCHIVE_OK)
        return wrong();
    for (int files = 0; files < mostFiles; ++files) {
        archive_entry *entry = nullptr;
        const int status = archive_read_next_header(from.get(), &entry);
        if (status == ARCHIVE_EOF)
            return {};
        if (status != ARCHIVE_OK && status != ARCHIVE_WARN)
            return wrong();
        if (archive_entry_filetype(entry) != AE_IFREG)
            continue;
        const char *name = archive_entry_pathname_utf8(entry);
        ArchivedFile inside(from.get(), path, QString::fromUtf8(name != nullptr ? name : ""), progress);
        if (auto taken = take(inside); !taken)
            return file.isGivenUp() ? lookGivenUp() : taken;
    }
    return damaged(path, from.get());
}

}  // namespace hearth
