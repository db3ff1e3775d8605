// Internal to core/data: files within .tar, .tar.gz and .zip, read by libarchive without unpacking.
#pragma once

#include <QByteArray>
#include <QString>
#include <functional>

#include "core/data/check_progress.h"

struct archive;

namespace hearth {

/// A file in an archive that is being read.
class ArchivedFile {
  public:
    ArchivedFile(archive *from, QString archiveName, QString name, const CheckProgress &progress)
        : m_from(from), m_archive(std::move(archiveName)), m_name(std::move(name)), m_progress(progress) {}
    const QString &name() const { return m_name; }
    /// Its content from where it was read to, at most `limit` bytes of it, whatever sizes the archive tells. Errors:
    /// "data.malformed": it is damaged; "data.given-up".
    Result<QByteArray> read(qint64 limit);

  private:
    archive *m_from;
    QString m_archive, m_name;
    const CheckProgress &m_progress;
};

/// Calls `take` for every regular file, in order; its error ends the reading. Nothing is written, so names are only
/// names. Errors: "data.unreadable", "data.malformed", "data.given-up". Blocks.
Result<void> readArchive(const QString &path, const std::function<Result<void>(ArchivedFile &file)> &take,
                         const CheckProgress &progress);

}  // namespace hearth
