// Internal to core/data: a file whose samples are read while a run goes on.
#pragma once

#include <QByteArray>
#include <QDateTime>
#include <QFile>
#include <memory>
#include <mutex>
#include <span>

#include "core/base/error.h"

namespace hearth {

/// Stays open. Where reading fails it is opened again by its path: a disk that was away comes back as another one. Any
/// thread, also several at once.
class DataFile {
  public:
    explicit DataFile(QString path) : m_path(std::move(path)) {}

    const QString &path() const { return m_path; }
    /// Error "file.unreadable" (openPlainFile()).
    Result<void> open();
    /// When it was opened first.
    qint64 size() const { return m_size; }
    /// Since it was opened first: it is gone, or was written.
    bool hasChanged() const;
    /// Fills `out`. Error "data.unreadable": it is not there, or not as long as it was; perhaps later.
    Result<void> read(qint64 offset, std::span<std::byte> out) const;

  private:
    std::shared_ptr<const QFile> opened() const;

    QString m_path;
    qint64 m_size = 0;
    QDateTime m_written;  // when it was opened first
    mutable std::mutex m_mutex;
    mutable std::shared_ptr<const QFile> m_file;
};

inline std::span<std::byte> bytesOf(QByteArray &bytes) {
    return std::as_writable_bytes(std::span(bytes.data(), static_cast<std::size_t>(bytes.size())));
}

}  // namespace hearth
