#include "core/data/preparation.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>

#include "core/base/files.h"
#include "core/base/json_reader.h"
#include "core/data/data_registry.h"
#include "core/data/tokenizer.h"

namespace hearth {
namespace {

const QString tokenizerKey = QStringLiteral("tokenizer");
constexpr qint64 mostBytes = 64 << 20;

/// That of a file, or of whatever tokenizer lies in a folder.
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

Result<void> copy(const QString &from, const QString &folder) {
    QFile file(from);
    if (auto opened = openPlainFile(file); !opened)
        return opened;
    return saveFile(folder + QLatin1Char('/') + QFileInfo(from).fileName(), file.read(Tokenizer::Limits::fileBytes));
}

}  // namespace

Result<void> savePreparation(const QString &name, const QString &folder) {
    if (!registeredDatasets().contains(name))
        return {};
    const auto path = pathOfDataset(name);
    // A list of pictures may be much larger, and says nothing of what became of them.
    if (!path || QFileInfo(*path).size() > mostBytes)
        return {};
    auto object = readJsonFile(*path, mostBytes);
    if (!object)
        return tl::unexpected(object.error());
    const QString kind = object->value(QStringLiteral("kind")).toString();
    if (kind != QLatin1String("table") && kind != QLatin1String("text"))
        return {};
    const QString tokenizer = object->value(tokenizerKey).toString();
    if (QFileInfo::exists(tokenizer)) {
        const QString own = folder + QLatin1Char('/') + tokenizerKey;
        if (auto made = makePrivateFolder(own); !made)
            return made;
        for (const QString &file : tokenizerFiles(tokenizer)) {
            if (auto copied = copy(file, own); !copied)
                return copied;
        }
        object->insert(tokenizerKey, tokenizerKey);
    }
    return saveFile(folder + QStringLiteral("/data.json"), QJsonDocument(*object).toJson());
}

}  // namespace hearth
