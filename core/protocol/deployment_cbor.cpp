// Deployments as they travel: CBOR, read strictly.
#include <QJsonArray>
#include <climits>

#include "core/base/json_reader.h"
#include "core/model/model.h"
#include "core/plan/gradient_codec.h"
#include "core/profile/profile_limits.h"
#include "core/protocol/deployment.h"

namespace hearth {
namespace {

QJsonObject stageToJson(const Deployment::Stage &stage) {
    QJsonArray members;
    for (const auto &member : stage.members)
        members.append(QJsonObject{{QStringLiteral("device"), member.device},
                                   {QStringLiteral("first_sample"), member.firstSample},
                                   {QStringLiteral("samples"), member.samples}});
    return {{QStringLiteral("first_layer"), stage.firstLayer},
            {QStringLiteral("last_layer"), stage.lastLayer},
            {QStringLiteral("members"), members},
            {QStringLiteral("in_flight"), stage.inFlight},
            {QStringLiteral("recompute"), stage.recompute},
            {QStringLiteral("codec"), stage.codec.toJson()},
            {QStringLiteral("fabric"), stage.fabric}};
}

Result<Deployment::Stage> stageFromJson(const QJsonObject &object, const QString &source, const QString &path) {
    JsonReader reader(object, source, path);
    Deployment::Stage stage;
    stage.firstLayer = static_cast<int>(reader.integer("first_layer", 0, ProfileLimits::layers));
    stage.lastLayer = static_cast<int>(reader.integer("last_layer", 0, ProfileLimits::layers));
    stage.inFlight = static_cast<int>(reader.integer("in_flight", 1, ProfileLimits::batch));
    stage.recompute = reader.boolean("recompute", false);
    auto codec = CutCodec::fromJson(reader.value("codec"), source, reader.pathOf(QStringLiteral("codec")));
    stage.fabric = reader.string("fabric", Deployment::builtinFabric());
    const QJsonArray members = reader.array("members");
    if (members.size() > ProfileLimits::devices)
        reader.reject(QStringLiteral("members"), sentence("There are too many."));
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    if (!codec)
        return tl::unexpected(codec.error());
    stage.codec = *codec;
    for (qsizetype i = 0; i < members.size(); ++i) {
        JsonReader inner(members[i], source, jsonPointer(jsonPointer(path, QStringLiteral("members")), i));
        Deployment::Member member;
        member.device = inner.string("device");
        member.firstSample = static_cast<int>(inner.integer("first_sample", 0, ProfileLimits::batch));
        member.samples = static_cast<int>(inner.integer("samples", 1, ProfileLimits::batch));
        if (auto ok = inner.finish(); !ok)
            return tl::unexpected(ok.error());
        stage.members.push_back(std::move(member));
    }
    return stage;
}

QJsonObject peerToJson(const Deployment::Peer &peer) {
    QJsonObject object{{QStringLiteral("device"), peer.device},
                       {QStringLiteral("address"), peer.address},
                       {QStringLiteral("port"), peer.port}};
    if (!peer.elsewhere.isEmpty())
        object[QStringLiteral("elsewhere")] = peer.elsewhere;
    return object;
}

Result<Deployment::Peer> peerFromJson(const QJsonObject &object, const QString &source, const QString &path) {
    JsonReader reader(object, source, path);
    Deployment::Peer peer;
    peer.device = reader.string("device");
    peer.address = reader.string("address");
    peer.port = static_cast<quint16>(reader.integer("port", 0, 65535));
    peer.elsewhere = reader.string("elsewhere", {});
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    return peer;
}

QJsonObject moveToJson(const Deployment::Move &move) {
    return {
        {QStringLiteral("layer"), move.layer}, {QStringLiteral("from"), move.from}, {QStringLiteral("to"), move.to}};
}

Result<Deployment::Move> moveFromJson(const QJsonObject &object, const QString &source, const QString &path) {
    JsonReader reader(object, source, path);
    Deployment::Move move;
    move.layer = static_cast<int>(reader.integer("layer", 0, ProfileLimits::layers));
    move.from = reader.string("from");
    move.to = reader.string("to");
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    return move;
}

QJsonObject backupToJson(const Deployment::Backup &backup) {
    return {{QStringLiteral("first_layer"), backup.firstLayer},
            {QStringLiteral("last_layer"), backup.lastLayer},
            {QStringLiteral("from"), backup.from},
            {QStringLiteral("to"), backup.to}};
}

Result<Deployment::Backup> backupFromJson(const QJsonObject &object, const QString &source, const QString &path) {
    JsonReader reader(object, source, path);
    Deployment::Backup backup;
    backup.firstLayer = static_cast<int>(reader.integer("first_layer", 0, ProfileLimits::layers));
    backup.lastLayer = static_cast<int>(reader.integer("last_layer", 0, ProfileLimits::layers));
    backup.from = reader.string("from");
    backup.to = reader.string("to");
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    return backup;
}

QJsonObject frozenToJson(const Deployment::Frozen &frozen) {
    QJsonArray holders;
    for (const int holder : frozen.holders)
        holders.append(holder);
    return {{QStringLiteral("layer"), frozen.layer},
            {QStringLiteral("sha256"), frozen.sha256},
            {QStringLiteral("holders"), holders}};
}

Result<Deployment::Frozen> frozenFromJson(const QJsonObject &object, const QString &source, const QString &path) {
    JsonReader reader(object, source, path);
    Deployment::Frozen frozen;
    frozen.layer = static_cast<int>(reader.integer("layer", 0, ProfileLimits::layers));
    frozen.sha256 = reader.string("sha256");
    const QJsonArray holders = reader.array("holders");
    if (holders.size() > ProfileLimits::devices)
        reader.reject(QStringLiteral("holders"), sentence("There are too many."));
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    for (const auto &holder : holders)
        frozen.holders.push_back(holder.toInt(-1));
    return frozen;
}

/// Reads every entry of a list by `read`.
template <class T, class Read>
Result<std::vector<T>> listFromJson(const QJsonArray &array, const QString &source, const QString &path, Read read) {
    std::vector<T> list;
    for (qsizetype i = 0; i < array.size(); ++i) {
        auto entry = read(array[i].toObject(), source, jsonPointer(path, i));
        if (!entry)
            return tl::unexpected(entry.error());
        list.push_back(std::move(*entry));
    }
    return list;
}

}  // namespace

QCborMap Deployment::toCbor() const {
    QJsonArray stageRows, peerRows, moveRows, backupRows, frozenRows;
    for (const Frozen &each : frozen)
        frozenRows.append(frozenToJson(each));
    for (const Move &move : moves)
        moveRows.append(moveToJson(move));
    for (const Backup &backup : backups)
        backupRows.append(backupToJson(backup));
    for (const Stage &stage : stages)
        stageRows.append(stageToJson(stage));
    for (const Peer &peer : peers)
        peerRows.append(peerToJson(peer));
    QJsonArray types;
    for (const DType type : sampleTypes)
        types.append(safetensorsName(type));
    return QCborMap::fromJsonObject({{QStringLiteral("run"), run},
                                     {QStringLiteral("term"), static_cast<qint64>(term)},
                                     {QStringLiteral("first_round"), static_cast<qint64>(firstRound)},
                                     {QStringLiteral("batch"), batch},
                                     {QStringLiteral("micro_batch"), microBatch},
                                     {QStringLiteral("micro_batches"), microBatches},
                                     {QStringLiteral("schedule"), schedule},
                                     {QStringLiteral("stages"), stageRows},
                                     {QStringLiteral("codec_changes"), toJson(codecChanges)},
                                     {QStringLiteral("peers"), peerRows},
                                     {QStringLiteral("coordinator"), coordinator},
                                     {QStringLiteral("model"), model},
                                     {QStringLiteral("training"), training.toJson()},
                                     {QStringLiteral("input"), input.toJson()},
                                     {QStringLiteral("sample_types"), types},
                                     {QStringLiteral("gradient_codec"), QString::fromLatin1(gradientCodec->name)},
                                     {QStringLiteral("tied_fabric"), tiedFabric},
                                     {QStringLiteral("fabric_deadline_ms"), fabricDeadlineMs},
                                     {QStringLiteral("weights_streamed"), weightsStreamed},
                                     {QStringLiteral("states_held"), statesHeld},
                                     {QStringLiteral("frozen"), frozenRows},
                                     {QStringLiteral("moves"), moveRows},
                                     {QStringLiteral("backups"), backupRows},
                                     {QStringLiteral("snapshot_every"), snapshotEvery},
                                     {QStringLiteral("trace"), trace}});
}

Result<Deployment> Deployment::fromCbor(const QCborMap &map) {
    const QString source = QStringLiteral("The deployment");
    JsonReader reader(map.toJsonObject(), source);
    constexpr qint64 most = 0xffffffffLL;
    Deployment result;
    result.run = reader.string("run");
    result.term = static_cast<quint32>(reader.integer("term", 0, most));
    result.firstRound = static_cast<quint32>(reader.integer("first_round", 1, most));
    result.batch = static_cast<int>(reader.integer("batch", 1, ProfileLimits::batch));
    result.microBatch = static_cast<int>(reader.integer("micro_batch", 1, ProfileLimits::batch));
    result.microBatches = static_cast<int>(reader.integer("micro_batches", 1, ProfileLimits::batch));
    result.schedule = reader.string("schedule");
    result.coordinator = reader.string("coordinator");
    result.model = reader.object("model");
    result.gradientCodec = &GradientCodec::read(reader);
    result.tiedFabric = reader.string("tied_fabric", builtinFabric());
    result.fabricDeadlineMs =
        static_cast<int>(reader.integer("fabric_deadline_ms", 1, longestFabricDeadlineMs, result.fabricDeadlineMs));
    result.weightsStreamed = reader.boolean("weights_streamed", false);
    result.trace = reader.boolean("trace", false);
    result.statesHeld = reader.boolean("states_held", false);
    result.snapshotEvery = static_cast<int>(reader.integer("snapshot_every", 0, INT_MAX, 0));
    const QJsonArray moveRows = reader.array("moves"), backupRows = reader.array("backups"),
                     frozenRows = reader.array("frozen", false);
    const QJsonArray stageRows = reader.array("stages"), changeRows = reader.array("codec_changes", false);
    const QJsonArray peerRows = reader.array("peers");
    const QJsonObject training = reader.object("training");
    const QJsonObject input = reader.object("input");
    const QJsonArray types = reader.array("sample_types", false);
    for (qsizetype i = 0; i < types.size() && reader.ok(); ++i) {
        const auto type = dtypeFromSafetensors(types[i].toString());
        if (!type || i >= ModelLimits::inputs)
            reader.reject(QStringLiteral("sample_types"), sentence("They are not types of a model's inputs."));
        result.sampleTypes.push_back(type.value_or(DType::UInt8));
    }
    if (stageRows.size() > ProfileLimits::layers || peerRows.size() > ProfileLimits::devices ||
        moveRows.size() > qsizetype{ProfileLimits::layers} * ProfileLimits::devices ||
        backupRows.size() > ProfileLimits::layers || frozenRows.size() > ProfileLimits::layers)
        reader.reject(QStringLiteral("stages"), sentence("There are too many."));
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    auto readStages = listFromJson<Stage>(stageRows, source, QStringLiteral("/stages"), stageFromJson);
    auto readPeers = listFromJson<Peer>(peerRows, source, QStringLiteral("/peers"), peerFromJson);
    auto readMoves = listFromJson<Move>(moveRows, source, QStringLiteral("/moves"), moveFromJson);
    auto readBackups = listFromJson<Backup>(backupRows, source, QStringLiteral("/backups"), backupFromJson);
    auto readFrozen = listFromJson<Frozen>(frozenRows, source, QStringLiteral("/frozen"), frozenFromJson);
    if (!readStages)
        return tl::unexpected(readStages.error());
    auto readChanges =
        codecChangesFromJson(changeRows, result.firstRound, readStages->empty() ? 0 : readStages->size() - 1, source,
                             QStringLiteral("/codec_changes"));
    if (!readChanges)
        return tl::unexpected(readChanges.error());
    result.codecChanges = std::move(*readChanges);
    if (!readPeers)
        return tl::unexpected(readPeers.error());
    if (!readMoves)
        return tl::unexpected(readMoves.error());
    if (!readBackups)
        return tl::unexpected(readBackups.error());
    if (!readFrozen)
        return tl::unexpected(readFrozen.error());
    result.stages = std::move(*readStages);
    result.peers = std::move(*readPeers);
    result.moves = std::move(*readMoves);
    result.backups = std::move(*readBackups);
    result.frozen = std::move(*readFrozen);
    auto spec = TrainingSpec::fromJson(training, source, QStringLiteral("training"));
    if (!spec)
        return tl::unexpected(spec.error());
    auto transform = InputTransform::fromJson(input, source, QStringLiteral("input"));
    if (!transform)
        return tl::unexpected(transform.error());
    result.training = *spec;
    result.input = *transform;
    if (auto ok = result.validate(); !ok)
        return tl::unexpected(ok.error());
    return result;
}

}  // namespace hearth
