#include "core/data/data_registry.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QStandardPaths>

#include "core/base/files.h"
#include "core/base/foreign_file.h"
#include "core/base/json_reader.h"
#include "core/data/table_columns.h"
#include "core/data/texts.h"

namespace hearth {
namespace {

const QString descriptionSuffix = QStringLiteral(".json");
constexpr qsizetype mostNameLetters = 80;                 // as isName() says
constexpr qint64 mostDescriptionBytes = qint64{1} << 30;  // loadDataset() reads no more, either

bool isName(const QString &text) {
    static const QRegularExpression pattern(QStringLiteral("^[\\p{L}\\p{N}][\\p{L}\\p{N} ._-]{0,79}$"),
                                            QRegularExpression::UseUnicodePropertiesOption);
    return pattern.match(text).hasMatch() && !text.endsWith(descriptionSuffix);
}

QString fileOf(const QString &name) {
    return registryFolder() + QLatin1Char('/') + name + descriptionSuffix;
}

bool isRegistered(const QString &name) {
    return isName(name) && QFileInfo(fileOf(name)).isFile();
}

tl::unexpected<Error> unknown(const QString &name) {
    return fail(QStringLiteral("data.unknown"), sentence("The data set \"%1\" is unknown.").arg(name.left(200)),
                sentence("It is neither built in, nor registered, nor a file or folder."),
                didYouMean(name, builtinDatasets() + registeredDatasets()));
}

tl::unexpected<Error> nothingAt(const QString &path) {
    return fail(QStringLiteral("data.missing"), sentence("There is nothing at %1.").arg(path), {},
                sentence("Check the path."));
}

/// Data that nobody described, and what a "hearth-data/1" file says of them.
struct FoundData {
    QJsonObject description;
    std::shared_ptr<const Dataset> set;
};

Result<FoundData> foundAt(const QString &path, const QString &name, const CheckProgress &progress,
                          const DataChoice &choice) {
    if (!QFileInfo::exists(path))
        return nothingAt(path);
    QString kind = kindOfData(path, progress);
    if (kind.isEmpty() && QFileInfo(path).suffix() == QLatin1String("json"))
        kind = QStringLiteral("described");
    // Archives of known data are read as they are.
    if (kind != QLatin1String("cifar") && kind != QLatin1String("arrays")) {
        if (auto known = refuseForeign(path); !known)
            return tl::unexpected(known.error());
    }
    if (kind.isEmpty()) {
        return fail(QStringLiteral("data.unknown-kind"), sentence("Nobody knows what kind of data %1 are.").arg(path),
                    sentence("It is neither a folder of pictures, nor a table, nor texts, nor CIFAR, nor NumPy's."),
                    sentence("The manual's page \"Models and data\" says what can be read."));
    }
    if (kind == QLatin1String("table") || kind == QLatin1String("text")) {
        const bool areTexts = kind == QLatin1String("text") || !choice.texts.isEmpty() || !choice.tokenizer.isEmpty();
        const auto set = areTexts ? readTexts(name, path, choice, progress) : readTable(name, path, choice, progress);
        if (!set)
            return tl::unexpected(set.error());
        FoundData found{(*set)->preparation(), *set};
        if (!choice.task.isEmpty())
            found.description[QStringLiteral("task")] = choice.task;
        return found;
    }
    if (choice != DataChoice()) {
        return fail(QStringLiteral("data.no-choice"), sentence("%1 has no columns to choose from.").arg(path), {},
                    sentence("Leave out what is only for tables and texts."));
    }
    QJsonObject description{{QStringLiteral("kind"), kind}};
    if (kind != QLatin1String("pictures")) {
        description[QStringLiteral("path")] = path;
        return loadAsFound(kind, name, path, progress).map([&](const auto &set) {
            return FoundData{description, set};
        });
    }
    return findPictures(path, progress).map([&](PictureFiles files) {
        files.addTo(description);
        return FoundData{description, picturesOf(name, std::move(files))};
    });
}

/// What was chosen then. What labels were found to be stays as well: what learns from them knows them so.
DataChoice choiceIn(const QJsonObject &description) {
    const auto text = [&](const char *key) { return description.value(QLatin1String(key)).toString(); };
    DataChoice choice{text("label"), text("task"), {}, text("tokenizer")};
    for (const QJsonValue column : description.value(QStringLiteral("texts")).toArray())
        choice.texts << column.toString();
    if (choice.label.isEmpty()) {
        choice.task.clear();  // earlier versions kept one of plain texts, where it says nothing
    } else if (choice.task.isEmpty()) {
        choice.task = description.contains(QStringLiteral("classes")) ? QStringLiteral("classification")
                                                                      : QStringLiteral("regression");
    }
    return choice;
}

Result<std::shared_ptr<const Dataset>> write(const QString &name, const QString &path, const CheckProgress &progress,
                                             const DataChoice &choice) {
    auto found = foundAt(path, name, progress, choice);
    if (!found)
        return tl::unexpected(found.error());
    // Nobody asks while pictures are sorted.
    if (auto on = mayGoOn(progress, 0); !on)
        return tl::unexpected(on.error());
    QJsonObject &description = found->description;
    description[QStringLiteral("format")] = QStringLiteral("hearth-data/1");
    description[QStringLiteral("name")] = name;
    description[QStringLiteral("from")] = path;
    description[QStringLiteral("found")] = DataSummary::of(*found->set).toJson();
    if (auto made = makePrivateFolder(registryFolder()); !made)
        return tl::unexpected(made.error());
    const QByteArray text = QJsonDocument(description).toJson(QJsonDocument::Compact) + '\n';
    if (text.size() > mostDescriptionBytes) {
        return fail(QStringLiteral("data.too-many"), sentence("%1 is too large for one data set.").arg(path),
                    sentence("The list of its files has more than %1 bytes.").arg(mostDescriptionBytes),
                    sentence("Name a folder with less in it."));
    }
    return saveFile(fileOf(name), text).map([&found] { return std::move(found->set); });
}

}  // namespace

QString registryFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/hearth/data");
}

QStringList registeredDatasets() {
    QStringList names;
    for (const QString &file :
         QDir(registryFolder()).entryList({QLatin1Char('*') + descriptionSuffix}, QDir::Files, QDir::Name))
        names << file.chopped(descriptionSuffix.size());
    return names;
}

QString nameForData(const QString &text) {
    constexpr auto option = QRegularExpression::UseUnicodePropertiesOption;
    static const QRegularExpression others(QStringLiteral("[^\\p{L}\\p{N} ._-]+"), option);
    static const QRegularExpression beginning(QStringLiteral("^[^\\p{L}\\p{N}]+"), option);
    // A letter with its accent is one, also where a disk tells them apart.
    QString name = text.normalized(QString::NormalizationForm_C).replace(others, QStringLiteral(" ")).simplified();
    name = name.remove(beginning).left(mostNameLetters).trimmed();
    if (name.endsWith(descriptionSuffix))
        name.chop(descriptionSuffix.size());
    return name;
}

QString shownDataset(const QString &nameOrPath) {
    const QFileInfo file(nameOrPath);
    const bool isRegistered =
        file.isAbsolute() && file.path() == registryFolder() && file.suffix() == QLatin1String("json");
    return isRegistered ? file.completeBaseName() : nameOrPath;
}

QString shownDatasets(QStringList namesOrPaths) {
    for (QString &name : namesOrPaths)
        name = shownDataset(name);
    return namesOrPaths.join(QStringLiteral(", "));
}

Result<QString> pathOfDataset(const QString &nameOrPath) {
    if (isRegistered(nameOrPath))
        return fileOf(nameOrPath);
    const QFileInfo file(nameOrPath);
    return file.isFile() || file.isDir() ? Result<QString>(file.absoluteFilePath()) : unknown(nameOrPath);
}

DataBeginning beginningOf(const QString &path, const CheckProgress &progress) {
    constexpr qsizetype shown = 5;
    DataBeginning beginning;
    const QString kind = kindOfData(path, progress);
    beginning.arePlainTexts = kind == QLatin1String("text") && isPlainText(path);
    if (beginning.arePlainTexts || (kind != QLatin1String("table") && kind != QLatin1String("text")))
        return beginning;
    const auto rows = RowFiles::open(path, {}, progress);
    if (!rows)
        return beginning;
    beginning.columns = (*rows)->columns();
    beginning.label = haveTexts(beginning.columns) ? labelColumn(beginning.columns) : beginning.columns.last();
    beginning.texts = textColumns(beginning.columns);
    beginning.rows = (*rows)->beginning(shown, progress);
    return beginning;
}

Result<std::shared_ptr<const Dataset>> registerDataset(const QString &name, const QString &path, bool again,
                                                       const CheckProgress &progress, const DataChoice &choice) {
    if (!isName(name)) {
        return fail(QStringLiteral("data.bad-name"), sentence("\"%1\" is no name for data.").arg(name.left(200)), {},
                    sentence("Use up to 80 letters, digits, spaces, points and dashes; begin with a letter or digit."));
    }
    const bool isBuiltin = builtinDatasets().contains(name);
    if (isBuiltin || (isRegistered(name) && !again)) {
        return fail(QStringLiteral("data.taken"), sentence("There is a data set \"%1\" already.").arg(name), {},
                    isBuiltin
                        ? sentence("Choose another name.")
                        : sentence("Choose another name, or remove that one: hearth data remove \"%1\"").arg(name));
    }
    return write(name, QDir::cleanPath(QFileInfo(path).absoluteFilePath()), progress, choice);
}

Result<std::shared_ptr<const Dataset>> checkDataset(const QString &name, const CheckProgress &progress) {
    if (!isRegistered(name))
        return unknown(name);
    const auto object = readJsonFile(fileOf(name), mostDescriptionBytes);
    if (!object)
        return tl::unexpected(object.error());
    const QString from = object->value(QStringLiteral("from")).toString();
    return from.isEmpty() ? loadDataset(name, progress) : write(name, from, progress, choiceIn(*object));
}

Result<std::optional<DataSummary>> summaryOf(const QString &name) {
    if (!isRegistered(name))
        return unknown(name);
    const auto description = readJsonFile(fileOf(name), mostDescriptionBytes);
    if (!description)
        return tl::unexpected(description.error());
    const QJsonValue found = description->value(QStringLiteral("found"));
    if (found.isUndefined())
        return std::nullopt;
    JsonReader reader(found, fileOf(name), QStringLiteral("/found"));
    const DataSummary summary = DataSummary::read(reader);
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    const QString from = description->value(QStringLiteral("from")).toString();
    if (summary.kind != QLatin1String("pictures") && !QFileInfo::exists(from))
        return nothingAt(from);
    return summary;
}

Result<void> unregisterDataset(const QString &name) {
    if (builtinDatasets().contains(name)) {
        return fail(QStringLiteral("data.builtin"), sentence("The data set \"%1\" is built in.").arg(name), {},
                    sentence("Only names that were added can be removed."));
    }
    if (!isRegistered(name))
        return unknown(name);
    if (!QFile::remove(fileOf(name))) {
        return fail(QStringLiteral("file.unwritable"), sentence("The file %1 could not be removed.").arg(fileOf(name)),
                    {}, sentence("Check the permissions."));
    }
    return {};
}

}  // namespace hearth
