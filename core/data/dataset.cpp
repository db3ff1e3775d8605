#include "core/data/dataset.h"

#include <QDir>
#include <QFileInfo>

#include "core/base/json_reader.h"
#include "core/data/arrays_dataset.h"
#include "core/data/idx_dataset.h"

namespace hearth {
namespace {

constexpr qint64 descriptionBytes = 1 << 20;
constexpr int largestByteCount = 256;      // of classes whose labels are single bytes
constexpr int largestClassCount = 10'000;  // that anybody names
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
        reader.reject(QStringLiteral("classes"), sentence("There are %1 classes.").arg(names.size()),
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

Result<std::shared_ptr<const Dataset>> loadImages(JsonReader &reader, const QString &name, const QDir &folder) {
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
    return IdxDataset::load(description);
}

Result<std::shared_ptr<const Dataset>> loadArrays(JsonReader &reader, const QString &name, const QDir &folder) {
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
    return ArraysDataset::load(description);
}

Result<std::shared_ptr<const Dataset>> loadDescribed(const QString &path) {
    const auto object = readJsonFile(path, descriptionBytes);
    if (!object)
        return tl::unexpected(object.error());
    const QDir folder = QFileInfo(path).absoluteDir();
    JsonReader reader(*object, path);
    reader.choice("format", {QStringLiteral("hearth-data/1")});
    const QString name = reader.string("name");
    const QString kind =
        reader.choice("kind", {QStringLiteral("images"), QStringLiteral("arrays")}, QStringLiteral("images"));
    return kind == QLatin1String("arrays") ? loadArrays(reader, name, folder) : loadImages(reader, name, folder);
}

class SomeParts : public Dataset {
  public:
    SomeParts(std::shared_ptr<const Dataset> data, std::vector<std::size_t> parts)
        : m_data(std::move(data)), m_order(std::move(parts)) {
        m_name = m_data->name();
        m_label = m_data->label();
        m_classes = m_data->classes();
        m_labelNames = m_data->labelNames();
        for (const std::size_t part : m_order)
            m_parts.push_back(m_data->parts()[part]);
    }
    qint64 count(Split split) const override { return m_data->count(split); }
    Result<void> readSamples(Split split, std::size_t part, std::span<const qint64> indices,
                             std::span<std::byte> out) const override {
        return m_data->readSamples(split, m_order[part], indices, out);
    }
    Result<void> readLabels(Split split, std::span<const qint64> indices, std::span<std::byte> out) const override {
        return m_data->readLabels(split, indices, out);
    }

  private:
    const std::shared_ptr<const Dataset> m_data;
    const std::vector<std::size_t> m_order;
};

}  // namespace

QStringList builtinDatasets() {
    return {fashionMnistName()};
}

QString datasetFolder(const QString &builtinName) {
    return QStringLiteral("/usr/share/datasets/") + builtinName;
}

Result<std::shared_ptr<const Dataset>> loadFashionMnist(const QString &folder) {
    return IdxDataset::load(fashionMnist(folder));
}

Result<std::shared_ptr<const Dataset>> loadDataset(const QString &nameOrPath) {
    if (nameOrPath == fashionMnistName())
        return loadFashionMnist(datasetFolder(nameOrPath));
    if (!QFileInfo(nameOrPath).isFile()) {
        return fail(QStringLiteral("data.unknown"), sentence("The data set \"%1\" is unknown.").arg(nameOrPath),
                    sentence("It is neither built in nor a file."), didYouMean(nameOrPath, builtinDatasets()));
    }
    return loadDescribed(nameOrPath);
}

qint64 Dataset::sampleBytes() const {
    qint64 bytes = 0;
    for (const DataPart &part : m_parts)
        bytes += part.slot.bytes();
    return bytes;
}

std::shared_ptr<const Dataset> withParts(std::shared_ptr<const Dataset> data, std::vector<std::size_t> parts) {
    return std::make_shared<SomeParts>(std::move(data), std::move(parts));
}

}  // namespace hearth
