#include "core/model/import/new_folder.h"

#include <QDir>
#include <QFile>

namespace hearth::detail {

Result<std::unique_ptr<NewFolder>> NewFolder::make(const QString &path) {
    const QDir folder(path);
    const bool isMade = !folder.exists();
    if (!folder.mkpath(QStringLiteral("."))) {
        return fail(QStringLiteral("file.unwritable"), sentence("The folder %1 could not be made.").arg(path), {},
                    sentence("Choose a folder that you may write."));
    }
    if (!folder.isEmpty()) {
        return fail(QStringLiteral("file.exists"), sentence("The folder %1 is not empty.").arg(path),
                    sentence("A network is only written to a folder of its own."), sentence("Choose another name."));
    }
    return std::unique_ptr<NewFolder>(new NewFolder(path, isMade));
}

NewFolder::~NewFolder() {
    if (m_isKept)
        return;
    for (const QString &file : std::as_const(m_files))
        QFile::remove(file);
    if (m_isMade)
        QDir().rmdir(m_path);
}

QString NewFolder::add(const QString &name) {
    m_files << QDir(m_path).filePath(name);
    return m_files.constLast();
}

}  // namespace hearth::detail
