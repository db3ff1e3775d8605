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
constexpr qsizetype mostNameLetters = 80;  // as isName() says

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

/// What a "hearth-data/1" file says of data that nobody described.
Result<QJsonObject> described(const QString &path, const CheckProgress &progress, const DataChoice &choice) {
    if (!QFileInfo::exists(path)) {
        return fail(QStringLiteral("data.missing"), sentence("There is nothing at %1.").arg(path), {},
                    sentence("Check the path."));
    }
    QString kind = kindOfData(path);
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
    QJsonObject object{{QStringLiteral("kind"), kind}};
    const bool areRows = kind == QLatin1String("table") || kind == QLatin1String("text");
    if (areRows && !choice.task.isEmpty())
        object[QStringLiteral("task")] = choice.task;
    if (kind == QLatin1String("text") || (areRows && !(choice.texts.isEmpty() && choice.tokenizer.isEmpty()))) {
        const auto facts = findTexts(path, choice, progress);
        if (!facts)
            return tl::unexpected(facts.error());
        // As below: what has a name can be used.
        if (const auto data = textsOf({}, *facts, progress); !data)
            return tl::unexpected(data.error());
        object[QStringLiteral("kind")] = QStringLiteral("text");
        facts->addTo(object);
        return object;
    }
    if (areRows) {
        const auto facts = findTable(path, choice, progress);
        if (!facts)
            return tl::unexpected(facts.error());
        facts->addTo(object);
        return object;
    }
    if (choice != DataChoice()) {
        return fail(QStringLiteral("data.no-choice"), sentence("%1 has no columns to choose from.").arg(path), {},
                    sentence("Leave out what is only for tables and texts."));
    }
    if (kind != QLatin1String("pictures")) {
        // It is read before it has a name, so that what has one can be used.
        if (const auto data = loadDataset(path, progress); !data)
            return tl::unexpected(data.error());
        object[QStringLiteral("path")] = path;
        return object;
    }
    const auto files = findPictures(path, progress);
    if (!files)
        return tl::unexpected(files.error());
    files->addTo(object);
    return object;
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
    auto object = described(path, progress, choice);
    if (!object)
        return tl::unexpected(object.error());
    // Arrays are read without asking.
    if (auto on = mayGoOn(progress, 0); !on)
        return tl::unexpected(on.error());
    object->insert(QStringLiteral("format"), QStringLiteral("hearth-data/1"));
    object->insert(QStringLiteral("name"), name);
    object->insert(QStringLiteral("from"), path);
    if (auto made = makePrivateFolder(registryFolder()); !made)
        return tl::unexpected(made.error());
    const QByteArray text = QJsonDocument(*object).toJson(QJsonDocument::Compact) + '\n';
    return saveFile(fileOf(name), text).and_then([&] { return loadDataset(fileOf(name)); });
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
    const auto object = readJsonFile(fileOf(name), qint64{1} << 30);
    if (!object)
        return tl::unexpected(object.error());
    const QString from = object->value(QStringLiteral("from")).toString();
    return from.isEmpty() ? loadDataset(name) : write(name, from, progress, choiceIn(*object));
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
