#include "core/protocol/codec_changes.h"

#include "core/base/json_reader.h"

namespace hearth {
namespace {

/// A run is told of the next few only.
constexpr qsizetype mostChanges = 4096;

}  // namespace

QJsonArray toJson(const std::vector<CodecChange> &changes) {
    QJsonArray rows;
    for (const CodecChange &change : changes) {
        QJsonArray cuts;
        for (const CutCodec &cut : change.cuts)
            cuts.append(cut.toJson());
        rows.append(
            QJsonObject{{QStringLiteral("round"), static_cast<qint64>(change.round)}, {QStringLiteral("cuts"), cuts}});
    }
    return rows;
}

Result<void> checkCodecChanges(const std::vector<CodecChange> &changes, quint32 begun, std::size_t cuts,
                               const QString &source) {
    for (const CodecChange &change : changes) {
        if (change.round <= begun || change.cuts.size() != cuts)
            return fail(
                QStringLiteral("codecs.invalid"), sentence("%1 is not valid.").arg(source),
                sentence(
                    "Codecs change in round %1 for %2 {2|cut|cuts}; after round %3, %4 {4|cut|cuts} can be changed.")
                    .arg(change.round)
                    .arg(change.cuts.size())
                    .arg(begun)
                    .arg(cuts));
        begun = change.round;
    }
    return {};
}

Result<std::vector<CodecChange>> codecChangesFromJson(const QJsonArray &rows, quint32 begun, std::size_t cuts,
                                                      const QString &source, const QString &path) {
    std::vector<CodecChange> changes;
    for (qsizetype i = 0; i < std::min(rows.size(), mostChanges); ++i) {
        JsonReader reader(rows[i], source, jsonPointer(path, i));
        CodecChange change;
        change.round = static_cast<quint32>(reader.integer("round", 1, 0xffffffffLL));
        const QJsonArray all = reader.array("cuts");
        if (auto ok = reader.finish(); !ok)
            return tl::unexpected(ok.error());
        for (qsizetype cut = 0; cut < std::min(all.size(), static_cast<qsizetype>(cuts) + 1); ++cut) {
            auto codec = CutCodec::fromJson(all[cut], source, jsonPointer(reader.pathOf(QStringLiteral("cuts")), cut));
            if (!codec)
                return tl::unexpected(codec.error());
            change.cuts.push_back(*codec);
        }
        changes.push_back(std::move(change));
    }
    if (auto ok = checkCodecChanges(changes, begun, cuts, source); !ok)
        return tl::unexpected(ok.error());
    return changes;
}

}  // namespace hearth
