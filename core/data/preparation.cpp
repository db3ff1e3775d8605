#include "core/data/preparation.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>

#include "core/base/files.h"
#include "core/base/json_reader.h"
#include "core/data/text_coder.h"

namespace hearth {
namespace {

const QString tokenizerField = QStringLiteral("tokenizer"), ofBytes = QStringLiteral("bytes");

Result<void> copy(const QString &from, const QString &folder) {
    QFile file(from);
    if (auto opened = openPlainFile(file); !opened)
        return opened;
    return saveFile(folder + QLatin1Char('/') + QFileInfo(from).fileName(), file.read(Tokenizer::Limits::fileBytes));
}

/// What data.json then calls it.
Result<QString> saveTokenizer(const QString &path, const QString &folder) {
    const QStringList files = tokenizerFiles(path);
    if (files.isEmpty()) {
        return fail(QStringLiteral("data.no-tokenizer"), sentence("The tokenizer %1 cannot be kept.").arg(path),
                    sentence("It is not there any more."), sentence("Bring it back, and begin again."));
    }
    const QString own = folder + QLatin1Char('/') + tokenizerField;
    if (auto made = makePrivateFolder(own); !made)
        return tl::unexpected(made.error());
    for (const QString &file : files) {
        if (auto copied = copy(file, own); !copied)
            return tl::unexpected(copied.error());
    }
    return QFileInfo(path).isDir() ? tokenizerField : tokenizerField + QLatin1Char('/') + QFileInfo(path).fileName();
}

}  // namespace

QStringList tokenizerFiles(const QString &path) {
    const QFileInfo given(path);
    QStringList names{QStringLiteral("tokenizer.json"),  QStringLiteral("tokenizer_config.json"),
                      QStringLiteral("vocab.txt"),       QStringLiteral("vocab.json"),
                      QStringLiteral("merges.txt"),      QStringLiteral("spiece.model"),
                      QStringLiteral("tokenizer.model"), QStringLiteral("sentencepiece.bpe.model")};
    if (!given.isDir())
        names = {given.fileName(), QStringLiteral("tokenizer_config.json"), QStringLiteral("merges.txt")};
    const QDir folder(given.isDir() ? path : given.absolutePath());
    QStringList files;
    for (const QString &name : std::as_const(names)) {
        if (folder.exists(name))
            files << folder.filePath(name);
    }
    return files;
}

Result<void> savePreparation(const Dataset &data, const QString &folder) {
    QJsonObject object = data.preparation();
    const QString path = folder + QLatin1Char('/') + Preparation::fileName();
    if (object.isEmpty() || QFileInfo::exists(path))
        return {};
    const QString tokenizer = object.value(tokenizerField).toString();
    if (!tokenizer.isEmpty() && tokenizer != ofBytes) {
        const auto saved = saveTokenizer(tokenizer, folder);
        if (!saved)
            return tl::unexpected(saved.error());
        object[tokenizerField] = *saved;
    }
    return saveFile(path, QJsonDocument(object).toJson());
}

Result<std::shared_ptr<const Tokenizer>> tokenizerOfPlainTexts(const Dataset &data) {
    const QJsonObject &object = data.preparation();
    const bool arePlain = object.value(QLatin1String("kind")) == QLatin1String("text") &&
                          object.value(QLatin1String("texts")).toArray().isEmpty();
    if (!arePlain)
        return std::shared_ptr<const Tokenizer>();
    return Tokenizer::load(object.value(tokenizerField).toString());
}

Result<std::shared_ptr<const Preparation>> Preparation::load(const QString &folder) {
    const QString path = folder + QLatin1Char('/') + fileName();
    if (!QFileInfo::exists(path)) {
        return fail(QStringLiteral("run.no-preparation"),
                    sentence("The run does not say how rows and texts become samples."),
                    sentence("%1 is missing: an older version of Hearth trained it, or on arrays.").arg(path),
                    sentence("Train it again to try it; \"hearth export\" writes it for other programs."));
    }
    const auto object = readJsonFile(path);
    if (!object)
        return tl::unexpected(object.error());
    JsonReader reader(*object, path);
    reader.choice("format", {QStringLiteral("hearth-data/1")});
    reader.string("name");
    for (const char *about : {"from", "task"})
        reader.ignore(about);
    const QString table = QStringLiteral("table"), text = QStringLiteral("text");
    if (reader.choice("kind", {table, text}) == table) {
        const TableFacts facts = TableFacts::read(reader);
        const auto done = reader.finish();
        return done ? ofTable(facts) : tl::unexpected(done.error());
    }
    const TextFacts facts = TextFacts::read(reader);
    const auto done = reader.finish();
    return done ? ofTexts(facts, folder) : tl::unexpected(done.error());
}

Result<std::shared_ptr<const Preparation>> Preparation::ofTable(const TableFacts &facts) {
    auto made = std::make_shared<Preparation>();
    for (const TableColumn &column : facts.columns)
        made->m_columns << column.name;
    made->m_labels = facts.labels;
    made->m_tableColumns = facts.columns;
    made->m_table = coderOf(facts);
    return made;
}

Result<std::shared_ptr<const Preparation>> Preparation::ofTexts(const TextFacts &facts, const QString &folder) {
    auto tokenizer = Tokenizer::load(facts.tokenizer == ofBytes ? ofBytes : QDir(folder).filePath(facts.tokenizer));
    if (!tokenizer)
        return tl::unexpected(tokenizer.error());
    auto made = std::make_shared<Preparation>();
    made->m_kind = facts.texts.isEmpty() ? Kind::PlainTexts : Kind::Texts;
    made->m_columns = facts.texts;
    made->m_labels = facts.labels;
    made->m_tokenizer = std::move(*tokenizer);
    return made;
}

std::shared_ptr<const RowCoder> Preparation::coder(qint64 length) const {
    if (m_kind == Kind::Texts)
        return std::make_shared<TextCoder>(m_tokenizer, m_columns.size(), length);
    return m_table;
}

}  // namespace hearth
