#include "core/data/dataset.h"

#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <algorithm>

#include "core/base/foreign_file.h"
#include "core/base/json_reader.h"
#include "core/data/arrays_dataset.h"
#include "core/data/cifar.h"
#include "core/data/data_registry.h"
#include "core/data/dataset_view.h"
#include "core/data/idx_files.h"
#include "core/data/numpy_pairs.h"
#include "core/data/picture_files.h"
#include "core/data/split_files.h"
#include "core/data/table_columns.h"
#include "core/data/texts.h"

namespace hearth {
namespace {

constexpr qint64 descriptionBytes = qint64{1} << 30;  // a list of a million pictures has some 30 MB
constexpr int largestByteCount = 256;                 // of classes whose labels are single bytes
constexpr int largestClassCount = 10'000;             // that anybody names
constexpr int largestPartCount = 16;

const QString &fashionMnistName() {
    static const QString name = QStringLiteral("fashion-mnist");
    return name;
}

IdxDescription fashionMnist(const QString &path) {
    const QString folder = path + QLatin1Char('/');
    IdxDescription description;
    description.name = fashionMnistName();
    description.package = QStringLiteral("dataset-fashion-mnist");
    description.labelNames = {QStringLiteral("T-shirt/top"), QStringLiteral("Trouser"), QStringLiteral("Pullover"),
                              QStringLiteral("Dress"),       QStringLiteral("Coat"),    QStringLiteral("Sandal"),
                              QStringLiteral("Shirt"),       QStringLiteral("Sneaker"), QStringLiteral("Bag"),
                              QStringLiteral("Ankle boot")};
    description.train = {folder + QStringLiteral("train-images-idx3-ubyte.gz"),
                         folder + QStringLiteral("train-labels-idx1-ubyte.gz")};
    description.test = {folder + QStringLiteral("t10k-images-idx3-ubyte.gz"),
                        folder + QStringLiteral("t10k-labels-idx1-ubyte.gz")};
    return description;
}

QStringList readClasses(JsonReader &reader, bool required, int most) {
    QStringList names;
    const QJsonArray classes = reader.array("classes", required);
    for (const QJsonValue name : classes) {
        if (!name.isString())
            reader.reject(QStringLiteral("classes"), sentence("It must be a list of names."));
        names << name.toString();
    }
    if ((required && names.isEmpty()) || names.size() > most) {
        reader.reject(QStringLiteral("classes"), sentence("There {1|is|are} %1 {1|class|classes}.").arg(names.size()),
                      sentence("Give 1 to %1 names.").arg(most));
    }
    return names;
}

Result<IdxFiles> readFiles(JsonReader &parent, const char *key, const QDir &folder) {
    JsonReader reader(parent.object(key), parent.source(), parent.pathOf(QLatin1String(key)));
    const QString images = reader.string("images");
    const QString labels = reader.string("labels");
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    return IdxFiles{folder.absoluteFilePath(images), folder.absoluteFilePath(labels)};
}

Result<ArrayFiles> readArrays(JsonReader &parent, const char *key, const QDir &folder) {
    JsonReader reader(parent.object(key), parent.source(), parent.pathOf(QLatin1String(key)));
    const QJsonObject inputs = reader.object("inputs");
    const QString labels = reader.string("labels");
    if (reader.ok() && (inputs.isEmpty() || inputs.size() > largestPartCount)) {
        reader.reject(QStringLiteral("inputs"), sentence("There are %1.").arg(inputs.size()),
                      sentence("Name 1 to %1 files.").arg(largestPartCount));
    }
    ArrayFiles files;
    files.labels = folder.absoluteFilePath(labels);
    for (auto input = inputs.begin(); input != inputs.end(); ++input) {
        if (!input->isString())
            reader.reject(QStringLiteral("inputs"),
                          sentence("\"%1\" must be the path of a file.").arg(input.key().left(60)));
        files.inputs[input.key()] = folder.absoluteFilePath(input->toString());
    }
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    return files;
}

Result<std::shared_ptr<const Dataset>> loadImages(JsonReader &reader, const QString &name, const QDir &folder,
                                                  const CheckProgress &progress) {
    IdxDescription description;
    description.name = name;
    description.labelNames = readClasses(reader, true, largestByteCount);
    if (!reader.ok())
        return tl::unexpected(reader.finish().error());
    auto train = readFiles(reader, "train", folder);
    if (!train)
        return tl::unexpected(train.error());
    auto test = readFiles(reader, "test", folder);
    if (!test)
        return tl::unexpected(test.error());
    description.train = *train;
    description.test = *test;
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    return loadIdx(description, progress);
}

Result<std::shared_ptr<const Dataset>> loadArrays(JsonReader &reader, const QString &name, const QDir &folder,
                                                  const CheckProgress &progress) {
    ArraysDescription description;
    description.name = name;
    description.labelNames = readClasses(reader, false, largestClassCount);
    if (!reader.ok())
        return tl::unexpected(reader.finish().error());
    auto train = readArrays(reader, "train", folder);
    if (!train)
        return tl::unexpected(train.error());
    auto test = readArrays(reader, "test", folder);
    if (!test)
        return tl::unexpected(test.error());
    const auto partNames = [](const ArrayFiles &files) {
        QStringList names;
        for (const auto &[part, path] : files.inputs)
            names << part;
        return names;
    };
    if (partNames(*train) != partNames(*test)) {
        reader.reject(QStringLiteral("test"),
                      sentence("Its inputs are called %1.").arg(partNames(*test).join(QStringLiteral(", "))),
                      sentence("Name the same as for training: %1.").arg(partNames(*train).join(QStringLiteral(", "))));
    }
    description.train = std::move(*train);
    description.test = std::move(*test);
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    return ArraysDataset::load(description, progress);
}

Result<std::shared_ptr<const Dataset>> loadPictures(JsonReader &reader, const QString &name) {
    PictureFiles files = PictureFiles::read(reader);
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    return picturesOf(name, std::move(files));
}

Result<std::shared_ptr<const Dataset>> loadTable(JsonReader &reader, const QString &name,
                                                 const CheckProgress &progress) {
    const TableFacts facts = TableFacts::read(reader);
    reader.string("task", {});  // that was chosen: for whoever looks again
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    return tableOf(name, facts, progress);
}

Result<std::shared_ptr<const Dataset>> loadTexts(JsonReader &reader, const QString &name,
                                                 const CheckProgress &progress) {
    const TextFacts facts = TextFacts::read(reader);
    reader.string("task", {});
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    return textsOf(name, facts, progress);
}

Result<std::shared_ptr<const Dataset>> loadDescribed(const QString &path, const CheckProgress &progress,
                                                     bool isNested = false);

Result<std::shared_ptr<const Dataset>> loadAtPath(JsonReader &reader, const QString &kind, const QString &name,
                                                  const QDir &folder, const CheckProgress &progress) {
    const QString path = reader.string("path");
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    return loadAsFound(kind, name, folder.absoluteFilePath(path), progress);
}

/// What another file describes; `name` is only what it is called here.
Result<std::shared_ptr<const Dataset>> loadOther(JsonReader &reader, const QDir &folder, const CheckProgress &progress,
                                                 bool isNested) {
    const QString path = reader.string("path");
    if (isNested)
        reader.reject(QStringLiteral("kind"), sentence("It names a file that names another one."));
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    return loadDescribed(folder.absoluteFilePath(path), progress, true);
}

Result<std::shared_ptr<const Dataset>> loadDescribed(const QString &path, const CheckProgress &progress,
                                                     bool isNested) {
    const auto object = readJsonFile(path, descriptionBytes);
    if (!object)
        return tl::unexpected(object.error());
    if (auto on = mayGoOn(progress, 0); !on)
        return tl::unexpected(on.error());
    const QDir folder = QFileInfo(path).absoluteDir();
    JsonReader reader(*object, path);
    reader.choice("format", {QStringLiteral("hearth-data/1")});
    const QString name = reader.string("name");
    reader.string("from", {});  // what was registered: for whoever looks again
    reader.ignore("found");     // what was found then: for lists
    const QString images = QStringLiteral("images"), arrays = QStringLiteral("arrays"),
                  pictures = QStringLiteral("pictures"), cifar = QStringLiteral("cifar"),
                  described = QStringLiteral("described"), table = QStringLiteral("table"),
                  text = QStringLiteral("text");
    const QString kind = reader.choice("kind", {images, arrays, pictures, cifar, described, table, text}, images);
    if (kind == described)
        return loadOther(reader, folder, progress, isNested);
    if (kind == pictures)
        return loadPictures(reader, name);
    if (kind == table)
        return loadTable(reader, name, progress);
    if (kind == text)
        return loadTexts(reader, name, progress);
    if (kind == cifar || (kind == arrays && reader.has("path")))
        return loadAtPath(reader, kind, name, folder, progress);
    return kind == arrays ? loadArrays(reader, name, folder, progress) : loadImages(reader, name, folder, progress);
}

/// A folder or file that nobody described.
Result<std::shared_ptr<const Dataset>> loadFound(const QString &path, const CheckProgress &progress) {
    const QString name = QFileInfo(QDir::cleanPath(path)).completeBaseName();
    const QString kind = kindOfData(path, progress);
    if (kind.isEmpty())
        return loadDescribed(path, progress);
    if (kind == QLatin1String("table") || kind == QLatin1String("text")) {
        if (auto known = refuseForeign(path); !known)
            return tl::unexpected(known.error());
    }
    if (kind == QLatin1String("text"))
        return readTexts(name, path, {}, progress);
    if (kind == QLatin1String("table"))
        return readTable(name, path, {}, progress);
    if (kind != QLatin1String("pictures"))
        return loadAsFound(kind, name, path, progress);
    return findPictures(path, progress).transform([&](PictureFiles files) {
        return picturesOf(name, std::move(files));
    });
}

/// A table, or a folder with one to train with, that names no pictures.
bool isTableAt(const QString &path, const CheckProgress &progress) {
    const QString table = QFileInfo(path).isDir() ? tableIn(path, Split::Train) : path;
    return areRows(table) && !holdsPictures(table, progress);
}

class SomeParts : public DatasetView {
  public:
    SomeParts(std::shared_ptr<const Dataset> data, std::vector<std::size_t> parts)
        : DatasetView(std::move(data)), m_order(std::move(parts)) {
        m_parts.clear();
        for (const std::size_t part : m_order)
            m_parts.push_back(shown().parts()[part]);
    }
    Result<void> readSamples(Split split, std::size_t part, std::span<const qint64> indices,
                             std::span<std::byte> out) const override {
        return shown().readSamples(split, m_order[part], indices, out);
    }
    Result<void> readEpoch(qint64 epoch, std::size_t part, std::span<const qint64> indices,
                           std::span<std::byte> out) const override {
        return shown().readEpoch(epoch, m_order[part], indices, out);
    }

  private:
    const std::vector<std::size_t> m_order;
};

}  // namespace

QString kindOfData(const QString &path, const CheckProgress &progress) {
    if (isCifar(path))
        return QStringLiteral("cifar");
    if (isNumpyPair(path))
        return QStringLiteral("arrays");
    if (isPlainText(path))
        return QStringLiteral("text");
    if (isTableAt(path, progress)) {
        const auto rows = RowFiles::open(path, {}, progress);
        return rows && haveTexts((*rows)->columns()) ? QStringLiteral("text") : QStringLiteral("table");
    }
    return holdsPictures(path, progress) ? QStringLiteral("pictures") : QString();
}

Result<std::shared_ptr<const Dataset>> loadAsFound(const QString &kind, const QString &name, const QString &path,
                                                   const CheckProgress &progress) {
    if (kind == QLatin1String("described"))
        return loadDescribed(path, progress, true);
    return kind == QLatin1String("cifar") ? loadCifar(name, path, progress) : loadNumpyPair(name, path, progress);
}

QStringList builtinDatasets() {
    return {fashionMnistName()};
}

QString datasetFolder(const QString &builtinName) {
    return QStringLiteral("/usr/share/datasets/") + builtinName;
}

Result<std::shared_ptr<const Dataset>> loadFashionMnist(const QString &folder) {
    return loadIdx(fashionMnist(folder));
}

Result<std::shared_ptr<const Dataset>> loadDataset(const QString &nameOrPath, const CheckProgress &progress) {
    if (nameOrPath == fashionMnistName())
        return loadIdx(fashionMnist(datasetFolder(nameOrPath)), progress);
    const auto path = pathOfDataset(nameOrPath);
    return path ? loadFound(*path, progress) : tl::unexpected(path.error());
}

qint64 Dataset::countBroken(BrokenFile::Fate fate) const {
    return std::ranges::count(m_broken, fate, &BrokenFile::fate);
}

qint64 Dataset::sampleBytes() const {
    qint64 bytes = 0;
    for (const DataPart &part : m_parts)
        bytes += part.slot.bytes();
    return bytes;
}

Result<void> Dataset::readEpoch(qint64, std::size_t part, std::span<const qint64> indices,
                                std::span<std::byte> out) const {
    return readSamples(Split::Train, part, indices, out);
}

QString Dataset::fileOf(Split, qint64) const {
    return {};
}

Result<QStringList> Dataset::readFields(Split, qint64) const {
    return QStringList();
}

bool Dataset::arePictures() const {
    const std::vector<qint64> &shape = sample().shape;
    return m_parts.size() == 1 && sample().dtype == DType::UInt8 && shape.size() == 3 &&
           (shape[0] == 1 || shape[0] == 3);
}

Result<QImage> Dataset::readPicture(Split split, qint64 index, const ScaleChoice &scale) const {
    Q_ASSERT(arePictures());
    const std::vector<qint64> &shape = sample().shape;
    std::vector<std::byte> bytes(static_cast<std::size_t>(sample().bytes()));
    if (auto read = readSamples(split, 0, std::span(&index, 1), bytes); !read)
        return tl::unexpected(read.error());
    scale(QSize(static_cast<int>(shape[2]), static_cast<int>(shape[1])));
    return pictureOf(shape, bytes);
}

QImage pictureOf(const std::vector<qint64> &shape, std::span<const std::byte> bytes) {
    const auto height = static_cast<int>(shape[1]), width = static_cast<int>(shape[2]);
    const std::size_t plane = shape[0] == 1 ? 0 : static_cast<std::size_t>(shape[1] * shape[2]);
    QImage picture(width, height, QImage::Format_RGB888);
    const auto *from = reinterpret_cast<const uchar *>(bytes.data());
    for (int y = 0; y < height; ++y) {
        uchar *to = picture.scanLine(y);
        for (int x = 0; x < width; ++x, ++from) {
            for (std::size_t c = 0; c < 3; ++c)
                *to++ = from[c * plane];
        }
    }
    return picture;
}

std::shared_ptr<const Dataset> withParts(std::shared_ptr<const Dataset> data, std::vector<std::size_t> parts) {
    return std::make_shared<SomeParts>(std::move(data), std::move(parts));
}

}  // namespace hearth
