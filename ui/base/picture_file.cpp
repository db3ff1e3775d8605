#include "ui/base/picture_file.h"

#include "core/base/files.h"

namespace hearth {

void PictureFile::save(const QImage &picture, const QString &path) {
    if (isSaving())
        return;
    const Error notWritten{QStringLiteral("picture.not-written"),
                           tr("The picture could not be written to %1.").arg(path), QString(),
                           tr("Choose another place.")};
    m_task = std::make_unique<BackgroundTask>();
    m_task->start<QString>(
        this,
        [picture, path, notWritten]() -> Result<QString> {
            const auto write = [&](QIODevice &file) -> Result<void> {
                return picture.save(&file, "PNG") ? Result<void>() : tl::unexpected(notWritten);
            };
            return saveFile(path, write).map([&] { return path; });
        },
        [this](const QString &where) { Q_EMIT saved(where); }, [this](const Error &error) { Q_EMIT failed(error); });
}

}  // namespace hearth
