#include "core/data/data_file.h"

#include <unistd.h>

#include <QFileInfo>
#include <cerrno>

#include "core/base/files.h"

namespace hearth {
namespace {

/// False: fewer bytes are there, or errno says why none can be had.
bool readAll(const QFile &file, qint64 offset, std::span<std::byte> out) {
    errno = 0;
    for (std::size_t done = 0; done < out.size();) {
        const auto got = ::pread(file.handle(), out.data() + done, out.size() - done,
                                 static_cast<off_t>(offset + static_cast<qint64>(done)));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        done += static_cast<std::size_t>(got);
    }
    return true;
}

Result<std::shared_ptr<const QFile>> openNow(const QString &path) {
    auto file = std::make_shared<QFile>(path);
    if (auto opened = openPlainFile(*file, true); !opened)
        return tl::unexpected(opened.error());
    return file;
}

}  // namespace

Result<void> DataFile::open() {
    auto file = openNow(m_path);
    if (!file)
        return tl::unexpected(file.error());
    m_size = (*file)->size();
    m_written = (*file)->fileTime(QFileDevice::FileModificationTime);
    m_file = std::move(*file);
    return {};
}

bool DataFile::hasChanged() const {
    const QFileInfo now(m_path);
    return !now.exists() || now.size() != m_size || now.lastModified() != m_written;
}

std::shared_ptr<const QFile> DataFile::opened() const {
    const std::lock_guard lock(m_mutex);
    return m_file;
}

Result<void> DataFile::read(qint64 offset, std::span<std::byte> out) const {
    const auto unreadable = [this](const Sentence &cause) {
        return fail(QStringLiteral("data.unreadable"), sentence("The file %1 could not be read.").arg(m_path), cause,
                    sentence("Check whether its disk is there, and whether somebody changes it."));
    };
    if (readAll(*opened(), offset, out))
        return {};
    auto again = openNow(m_path);
    if (!again)
        return unreadable(again.error().cause);
    if ((*again)->size() != m_size)
        return unreadable(sentence("It is not as long as it was."));
    if (!readAll(**again, offset, out))
        return unreadable(errno ? Sentence(qt_error_string(errno) + QLatin1Char('.'))
                                : sentence("It is not as long as it was."));
    const std::lock_guard lock(m_mutex);
    m_file = std::move(*again);
    return {};
}

}  // namespace hearth
