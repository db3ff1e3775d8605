#include "core/data/told_preparation.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>

#include "core/base/files.h"
#include "core/base/json_reader.h"
#include "core/data/preparation.h"
#include "core/data/table_columns.h"
#include "core/data/tokenizer.h"

namespace hearth {
namespace {

const QString tokenizerKey = QStringLiteral("tokenizer"), pathKey = QStringLiteral("path"),
              brokenKey = QStringLiteral("broken"), digestMark = QStringLiteral("sha256:"),
              bytesName = QStringLiteral("bytes");

Result<QString> digestOf(const QString &tokenizer) {
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const QString &path : tokenizerFiles(tokenizer)) {
        QFile file(path);
        if (auto opened = openPlainFile(file); !opened)
            return tl::unexpected(opened.error());
        // The length as well: where one file ends and the next begins is a part of what is compared.
        const QByteArray content = file.read(Tokenizer::Limits::fileBytes);
        hash.addData(QFileInfo(path).fileName().toUtf8() + '\n' + QByteArray::number(content.size()) + '\n');
        hash.addData(content);
    }
    return digestMark + QString::fromLatin1(hash.result().toHex());
}

Result<TableFacts> tableFactsOf(const QJsonObject &preparation) {
    JsonReader reader(preparation, QStringLiteral("the preparation of the data"));
    for (const char *about : {"format", "name", "kind", "from", "task"})
        reader.ignore(about);
    TableFacts facts = TableFacts::read(reader);
    if (auto done = reader.finish(); !done)
        return tl::unexpected(done.error());
    return facts;
}

bool isTable(const QJsonObject &preparation) {
    return preparation.value(QLatin1String("kind")) == QLatin1String("table");
}

/// Nothing of where the data lie.
QJsonObject withoutPlaces(QJsonObject preparation) {
    preparation.remove(QStringLiteral("from"));
    preparation.remove(brokenKey);
    preparation[pathKey] = QString();
    return preparation;
}

}  // namespace

bool isTokenizerElsewhere(const QJsonObject &preparation) {
    return preparation.value(tokenizerKey).toString().startsWith(digestMark);
}

bool namesFiles(const QJsonObject &told) {
    const QString tokenizer = told.value(tokenizerKey).toString();
    return !told.value(pathKey).toString().isEmpty() ||
           !(tokenizer.isEmpty() || tokenizer == bytesName || isTokenizerElsewhere(told));
}

Result<QJsonObject> preparationToTell(const Dataset &data) {
    if (data.preparation().isEmpty())
        return QJsonObject();
    QJsonObject told = withoutPlaces(data.preparation());
    const QString tokenizer = told.value(tokenizerKey).toString();
    if (tokenizer.isEmpty() || tokenizer == bytesName || isTokenizerElsewhere(told))
        return told;
    return digestOf(tokenizer).map([&told](const QString &digest) {
        told[tokenizerKey] = digest;
        return told;
    });
}

QJsonObject comparablePreparation(QJsonObject told) {
    for (const char *own : {"format", "name", "classes", "task"})
        told.remove(QLatin1String(own));
    return told;
}

Result<QJsonObject> keptTable(const QString &runFolder) {
    const QString path = runFolder + QLatin1Char('/') + Preparation::fileName();
    if (!QFileInfo::exists(path))
        return QJsonObject();
    return readJsonFile(path).map(
        [](const QJsonObject &kept) { return isTable(kept) ? withoutPlaces(kept) : QJsonObject(); });
}

Result<std::shared_ptr<const Dataset>> preparedAs(std::shared_ptr<const Dataset> data, const QJsonObject &told) {
    if (!isTable(data->preparation()) || !isTable(told))
        return data;
    auto own = tableFactsOf(data->preparation());
    if (!own)
        return tl::unexpected(own.error());
    const auto given = tableFactsOf(told);
    if (!given)
        return tl::unexpected(given.error());
    if (own->labels.column != given->labels.column ||
        own->labels.classes.isEmpty() != given->labels.classes.isEmpty()) {
        return fail(QStringLiteral("data.join"),
                    sentence("The table %1 cannot be prepared as another one was.").arg(data->name()),
                    sentence("It does not teach the same: \"%1\" there, \"%2\" here, as classes or as quantities.")
                        .arg(given->labels.column.left(80), own->labels.column.left(80)),
                    sentence("Add it again with --label and --task as there."));
    }
    if (own->columns == given->columns && own->labels.mean == given->labels.mean &&
        own->labels.deviation == given->labels.deviation)
        return data;
    own->columns = given->columns;
    own->labels.mean = given->labels.mean;
    own->labels.deviation = given->labels.deviation;
    return tableOf(data->name(), *own);
}

}  // namespace hearth
