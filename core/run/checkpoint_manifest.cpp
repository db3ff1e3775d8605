#include "core/run/checkpoint_manifest.h"

#include <QJsonArray>
#include <algorithm>

#include "core/base/json_reader.h"

namespace hearth {
namespace {

const QString manifestFormat = QStringLiteral("hearth-checkpoint/1");
constexpr qint64 mostFileBytes = qint64{1} << 42;
constexpr int mostBuffers = 16;
constexpr qint64 mostRounds = 0xffffffffLL;

QByteArray sha256Of(JsonReader &reader, const char *key) {
    const QByteArray text = reader.string(key).toLatin1();
    const bool hex = std::all_of(text.begin(), text.end(), [](char digit) {
        return (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f');
    });
    if (reader.ok() && (text.size() != 64 || !hex))
        reader.reject(QString::fromLatin1(key), sentence("It is no SHA-256 of 64 lowercase hex digits."));
    return text;
}

Result<std::vector<CheckpointManifest::File>> filesOf(const QJsonArray &rows, const QString &source,
                                                      const QString &path) {
    std::vector<CheckpointManifest::File> files;
    for (qsizetype i = 0; i < rows.size(); ++i) {
        JsonReader row(rows.at(i), source, jsonPointer(path, i));
        CheckpointManifest::File file;
        file.name = row.choice("name", {CheckpointManifest::weightsFile(), CheckpointManifest::optimizerFile()});
        file.bytes = row.integer("bytes", 0, mostFileBytes);
        file.sha256 = sha256Of(row, "sha256");
        if (auto ok = row.finish(); !ok)
            return tl::unexpected(ok.error());
        files.push_back(std::move(file));
    }
    return files;
}

}  // namespace

qint64 CheckpointManifest::bytes() const {
    qint64 sum = 0;
    for (const File &file : files)
        sum += file.bytes;
    return sum;
}

QJsonObject CheckpointManifest::toJson() const {
    QJsonArray rows;
    for (const File &file : files)
        rows.append(QJsonObject{{QStringLiteral("name"), file.name},
                                {QStringLiteral("bytes"), file.bytes},
                                {QStringLiteral("sha256"), QString::fromLatin1(file.sha256)}});
    return {{QStringLiteral("format"), manifestFormat},
            {QStringLiteral("run"), run},
            {QStringLiteral("version"), static_cast<qint64>(version)},
            {QStringLiteral("round"), round},
            {QStringLiteral("term"), static_cast<qint64>(term)},
            {QStringLiteral("job"), job},
            {QStringLiteral("model_sha256"), QString::fromLatin1(modelSha256)},
            {QStringLiteral("precision"), precisionName(precision)},
            {QStringLiteral("optimizer_buffers"), optimizerBuffers},
            {QStringLiteral("files"), rows}};
}

Result<CheckpointManifest> CheckpointManifest::fromJson(const QJsonObject &object, const QString &source) {
    JsonReader reader(object, source);
    CheckpointManifest manifest;
    reader.choice("format", {manifestFormat});
    manifest.run = reader.string("run");
    manifest.version = static_cast<quint64>(reader.integer("version", 0, mostRounds));
    manifest.round = reader.integer("round", 0, mostRounds);
    manifest.term = static_cast<quint32>(reader.integer("term", 0, 0xffffffffLL, 0));
    manifest.job = reader.object("job");
    manifest.modelSha256 = sha256Of(reader, "model_sha256");
    const QString precision = reader.choice("precision", precisionNames());
    manifest.precision = precisionFromName(precision).value_or(Precision::Float32);
    manifest.optimizerBuffers = static_cast<int>(reader.integer("optimizer_buffers", 0, mostBuffers));
    const QJsonArray rows = reader.array("files");
    QStringList expected{weightsFile()}, names;
    if (manifest.optimizerBuffers > 0)
        expected << optimizerFile();
    for (const QJsonValue &row : rows)
        names << row.toObject().value(QStringLiteral("name")).toString();
    if (reader.ok() && names != expected)
        reader.reject(QStringLiteral("files"),
                      sentence("It lists other files than %1.").arg(expected.join(QLatin1String(", "))));
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    auto files = filesOf(rows, source, reader.pathOf(QStringLiteral("files")));
    if (!files)
        return tl::unexpected(files.error());
    manifest.files = std::move(*files);
    return manifest;
}

}  // namespace hearth
