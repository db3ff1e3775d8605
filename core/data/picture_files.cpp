#include "core/data/picture_files.h"

#include <QDir>
#include <QImage>
#include <cstring>

#include "core/base/json_reader.h"
#include "core/data/broken_files.h"
#include "core/data/fitted_pictures.h"
#include "core/data/picture_file.h"

namespace hearth {
namespace {

/// What a set has whose network nobody named: the size that networks for photos take.
constexpr qint64 usualSide = 224;

const char *keyOf(Split split) {
    return split == Split::Train ? "train" : split == Split::Validation ? "validation" : "test";
}

std::vector<PictureEntry> readEntries(JsonReader &reader, Split split, const QStringList &classes) {
    std::vector<PictureEntry> entries;
    const QJsonObject byClass = reader.object(keyOf(split), split == Split::Train);
    qsizetype known = 0;
    for (int label = 0; label < classes.size(); ++label) {
        const QJsonValue files = byClass[classes[label]];
        known += files.isUndefined() ? 0 : 1;
        if (!files.isUndefined() && !files.isArray())
            reader.reject(QLatin1String(keyOf(split)), sentence("\"%1\" must be a list of files.").arg(classes[label]));
        for (const QJsonValue file : files.toArray()) {
            const QString path = file.toString();
            if (path.isEmpty() || QDir::isAbsolutePath(path))
                reader.reject(
                    QLatin1String(keyOf(split)),
                    sentence("A file of the class %1 is no path below the folder of the data.").arg(classes[label]));
            entries.push_back({path, label});
        }
    }
    if (known != byClass.size())
        reader.reject(QLatin1String(keyOf(split)), sentence("It names a class that \"classes\" does not."));
    return entries;
}

class PicturesDataset : public Dataset {
  public:
    PicturesDataset(const QString &name, PictureFiles files) : m_files(std::move(files)) {
        m_name = name;
        m_kind = QStringLiteral("pictures");
        m_broken = m_files.broken;
        m_fileBytes = m_files.bytes;
        m_label = {DType::Int64, {}, false};
        m_labelNames = m_files.classes;
        m_classes = static_cast<int>(m_files.classes.size());
        m_parts = {{QStringLiteral("picture"), {DType::UInt8, {3, usualSide, usualSide}, false}, {}}};
    }
    bool hasOwnSizes() const override { return true; }
    bool isDecoded() const override { return true; }
    qint64 count(Split split) const override { return static_cast<qint64>(of(split).size()); }
    Result<void> readSamples(Split split, std::size_t part, std::span<const qint64> indices,
                             std::span<std::byte> out) const override;
    Result<void> readLabels(Split split, std::span<const qint64> indices, std::span<std::byte> out) const override {
        for (std::size_t i = 0; i < indices.size(); ++i) {
            const qint64 label = entry(split, indices[i]).label;
            std::memcpy(out.data() + i * sizeof label, &label, sizeof label);
        }
        return {};
    }
    Result<QImage> readPicture(Split split, qint64 index, const ScaleChoice &scale) const override {
        return readPictureFile(fileOf(split, index), scale);
    }
    QString fileOf(Split split, qint64 index) const override {
        return m_files.folder + QLatin1Char('/') + entry(split, index).file;
    }

  private:
    const std::vector<PictureEntry> &of(Split split) const { return m_files.splits[static_cast<std::size_t>(split)]; }
    const PictureEntry &entry(Split split, qint64 index) const { return of(split)[static_cast<std::size_t>(index)]; }

    const PictureFiles m_files;
};

}  // namespace

void PictureFiles::addTo(QJsonObject &object) const {
    object[QStringLiteral("path")] = folder;
    object[QStringLiteral("classes")] = QJsonArray::fromStringList(classes);
    for (const Split split : allSplits) {
        const auto &entries = splits[static_cast<std::size_t>(split)];
        QJsonObject byClass;
        for (std::size_t i = 0; i < entries.size();) {
            const int label = entries[i].label;
            QJsonArray files;
            for (; i < entries.size() && entries[i].label == label; ++i)
                files << entries[i].file;
            byClass[classes[label]] = files;
        }
        object[QLatin1String(keyOf(split))] = byClass;
    }
    object[QStringLiteral("broken")] = brokenToJson(broken);
    object[QStringLiteral("bytes")] = bytes;
}

PictureFiles PictureFiles::read(JsonReader &reader) {
    PictureFiles files;
    files.folder = reader.string("path");
    if (reader.ok() && !QDir::isAbsolutePath(files.folder))
        reader.reject(QStringLiteral("path"), sentence("It is no absolute path."));
    for (const QJsonValue name : reader.array("classes"))
        files.classes << name.toString();
    QStringList unique = files.classes;
    if (unique.removeDuplicates() > 0 || unique.isEmpty() || unique.size() > Limits::classes)
        reader.reject(QStringLiteral("classes"),
                      sentence("It must be a list of 1 to %1 different names.").arg(Limits::classes));
    for (const Split split : allSplits)
        files.splits[static_cast<std::size_t>(split)] = readEntries(reader, split, files.classes);
    files.broken = readBroken(reader);
    files.bytes = reader.integer("bytes", 0, std::numeric_limits<qint64>::max() / 2, 0);
    return files;
}

/// Without a network: its middle, in the usual size.
Result<void> PicturesDataset::readSamples(Split split, std::size_t part, std::span<const qint64> indices,
                                          std::span<std::byte> out) const {
    const PictureInput usual{sample().shape};
    return fitPictures(std::shared_ptr<const Dataset>(std::shared_ptr<void>(), this), usual)
        ->readSamples(split, part, indices, out);
}

std::shared_ptr<const Dataset> picturesOf(const QString &name, PictureFiles files) {
    return std::make_shared<PicturesDataset>(name, std::move(files));
}

}  // namespace hearth
