#include "core/inference/picture_source.h"

#include <QDirIterator>
#include <QFileInfo>
#include <QMimeDatabase>

#include "core/data/picture_files.h"

namespace hearth {
namespace {

class PictureSource final : public SampleSource {
  public:
    PictureSource(QStringList files, PictureInput input) : m_files(std::move(files)), m_input(std::move(input)) {}

    Result<std::optional<Sample>> next() override {
        if (m_files.isEmpty())
            return std::nullopt;
        const QString file = m_files.takeFirst();
        PictureFiles one{QStringLiteral("/"), {QString()}, {}, {}, 0};
        one.splits[static_cast<std::size_t>(Split::Test)] = {{QFileInfo(file).absoluteFilePath().mid(1), 0}};
        const auto picture = fitPictures(picturesOf(file, std::move(one)), m_input);
        QByteArray bytes(picture->sample().bytes(), Qt::Uninitialized);
        const qint64 first = 0;
        const auto read = picture->readSamples(
            Split::Test, 0, std::span(&first, 1),
            std::as_writable_bytes(std::span(bytes.data(), static_cast<std::size_t>(bytes.size()))));
        if (!read)
            return Sample{{file, {}, {}, {}, {}, read.error().cause}, {}};
        return Sample{{file, pictureOf(m_input.shape, std::as_bytes(std::span(bytes))), {}, {}, {}, {}}, bytes};
    }

  private:
    QStringList m_files;
    const PictureInput m_input;
};

}  // namespace

QStringList picturesAt(const QStringList &paths, const std::function<bool()> &cancelled) {
    QStringList found;
    for (const QString &path : paths) {
        if (!QFileInfo(path).isDir()) {
            found << path;
            continue;
        }
        const QMimeDatabase kinds;
        QStringList inside;
        QDirIterator files(path, QDir::Files | QDir::Readable, QDirIterator::Subdirectories);
        while (files.hasNext() && !(cancelled && cancelled())) {
            const QString file = files.next();
            if (kinds.mimeTypeForFile(file, QMimeDatabase::MatchExtension).name().startsWith(QLatin1String("image/")))
                inside << file;
        }
        inside.sort();
        found << inside;
    }
    return found;
}

std::unique_ptr<SampleSource> pictureSource(const QStringList &files, const PictureInput &input) {
    return std::make_unique<PictureSource>(files, input);
}

}  // namespace hearth
