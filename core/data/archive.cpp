#include "core/data/archive.h"

#include <archive.h>
#include <archive_entry.h>

#include <QFile>
#include <memory>

#include "core/base/files.h"

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

}  // namespace

Result<QByteArray> ArchivedFile::read(qint64 limit) {
    QByteArray content;
    while (content.size() < limit) {
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

Result<void> readArchive(const QString &path, const std::function<Result<void>(ArchivedFile &file)> &take) {
    QFile file(path);
    if (auto opened = openPlainFile(file, true); !opened)
        return opened;
    const std::unique_ptr<archive, decltype(&archive_read_free)> from(archive_read_new(), archive_read_free);
    archive_read_support_filter_gzip(from.get());
    archive_read_support_format_tar(from.get());
    archive_read_support_format_zip(from.get());
    if (archive_read_open_fd(from.get(), file.handle(), blockBytes) != ARCHIVE_OK)
        return damaged(path, from.get());
    for (int files = 0; files < mostFiles; ++files) {
        archive_entry *entry = nullptr;
        const int status = archive_read_next_header(from.get(), &entry);
        if (status == ARCHIVE_EOF)
            return {};
        if (status != ARCHIVE_OK && status != ARCHIVE_WARN)
            return damaged(path, from.get());
        if (archive_entry_filetype(entry) != AE_IFREG)
            continue;
        const char *name = archive_entry_pathname_utf8(entry);
        ArchivedFile inside(from.get(), path, QString::fromUtf8(name != nullptr ? name : ""));
        if (auto taken = take(inside); !taken)
            return taken;
    }
    return damaged(path, from.get());
}

}  // namespace hearth
