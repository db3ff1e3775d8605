#include "core/data/dataset.h"

#include <QDir>
#include <QFileInfo>

#include "core/base/json_reader.h"
#include "core/data/idx_dataset.h"

namespace hearth {
namespace {

constexpr qint64 descriptionBytes = 1 << 20;
constexpr int largestClassCount = 256;  // labels are single bytes

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

QStringList readClasses(JsonReader &reader) {
    QStringList names;
    const QJsonArray classes = reader.array("classes");
    for (const QJsonValue name : classes) {
        if (!name.isString())
            reader.reject(QStringLiteral("classes"), QStringLiteral("It must be a list of names."));
        names << name.toString();
    }
    if (names.isEmpty() || names.size() > largestClassCount) {
        reader.reject(QStringLiteral("classes"), QStringLiteral("There are %1 classes.").arg(names.size()),
                      QStringLiteral("Give 1 to %1 names.").arg(largestClassCount));
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

Result<IdxDescription> readDescription(const QString &path) {
    const auto object = readJsonFile(path, descriptionBytes);
    if (!object)
        return tl::unexpected(object.error());
    const QDir folder = QFileInfo(path).absoluteDir();
    JsonReader reader(*object, path);
    reader.choice("format", {QStringLiteral("hearth-data/1")});
    IdxDescription description;
    description.name = reader.string("name");
    description.labelNames = readClasses(reader);
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
    return description;
}

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
        return fail(QStringLiteral("data.unknown"), QStringLiteral("The data set \"%1\" is unknown.").arg(nameOrPath),
                    QStringLiteral("It is neither built in nor a file."), didYouMean(nameOrPath, builtinDatasets()));
    }
    const auto description = readDescription(nameOrPath);
    if (!description)
        return tl::unexpected(description.error());
    return IdxDataset::load(*description);
}

}  // namespace hearth
