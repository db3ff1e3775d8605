// Internal to core/model/import: a folder for a network that is written.
#pragma once

#include <QStringList>
#include <memory>

#include "core/base/error.h"

namespace hearth::detail {

/// It keeps its files when keep() was called; else, when this is destroyed, they go again, and so does the folder where
/// it was made for them. Blocks; one thread.
class NewFolder {
  public:
    /// Errors: it is there and has files, it cannot be made.
    static Result<std::unique_ptr<NewFolder>> make(const QString &path);
    ~NewFolder();
    Q_DISABLE_COPY_MOVE(NewFolder)

    /// The path of a file of this name, which is about to be written.
    QString add(const QString &name);
    void keep() { m_isKept = true; }

  private:
    NewFolder(QString path, bool isMade) : m_path(std::move(path)), m_isMade(isMade) {}

    const QString m_path;
    const bool m_isMade;
    QStringList m_files;
    bool m_isKept = false;
};

}  // namespace hearth::detail
