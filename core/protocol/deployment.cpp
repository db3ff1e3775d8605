#include "core/protocol/deployment.h"

#include <QJsonArray>
#include <QSet>
#include <algorithm>
#include <climits>

#include "core/base/json_reader.h"
#include "core/model/model.h"
#include "core/plan/gradient_codec.h"
#include "core/plan/plan.h"
#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

constexpr int fingerprintLength = 64;
constexpr int longestFabricDeadlineMs = 3'600'000;

tl::unexpected<Error> invalid(const QString &where, const Sentence &cause) {
    return fail(QStringLiteral("deployment.invalid"), sentence("The deployment is not valid: \"%1\".").arg(where),
                cause);
}

/// Also what a SHA-256 looks like.
bool isFingerprint(const QString &text) {
    if (text.size() != fingerprintLength)
        return false;
    return std::all_of(text.begin(), text.end(), [](QChar c) {
        return (c >= QLatin1Char('0') && c <= QLatin1Char('9')) || (c >= QLatin1Char('a') && c <= QLatin1Char('f'));
    });
}

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

Result<Deployment::Peer> peerFromJson(const QJsonObject &object, const QString &source, const QString &path) {
    JsonReader reader(object, source, path);
    Deployment::Peer peer;
    peer.device = reader.string("device");
    peer.address = reader.string("address");
    peer.port = static_cast<quint16>(reader.integer("port", 0, 65535));
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

Result<void> checkFabric(const QString &name, const QString &where) {
    if (name != Deployment::builtinFabric() && name != QLatin1String("gloo"))
        return invalid(where, sentence("The fabric \"%1\" is unknown.").arg(name.left(60)));
    return {};
}

/// Intervals must lie side by side and cover the micro-batch.
/// `returning`: whether a device may have another stage, too.
Result<void> checkMembers(const Deployment::Stage &stage, int microBatch, QSet<QString> &used, bool returning,
                          const QString &where) {
    int next = 0;
    for (const Deployment::Member &member : stage.members) {
        if (!isFingerprint(member.device))
            return invalid(where, sentence("\"%1\" is no fingerprint.").arg(member.device.left(80)));
        if (used.contains(member.device) && !returning)
            return invalid(where, sentence("%1 is used twice.").arg(member.device));
        if (member.samples < 1 || member.firstSample != next || member.samples > microBatch - next)
            return invalid(where, sentence("The sample intervals do not lie side by side."));
        used.insert(member.device);
        next += member.samples;
    }
    if (next != microBatch)
        return invalid(where, sentence("The members take %1 of %2 samples.").arg(next).arg(microBatch));
    return {};
}

}  // namespace

Result<void> Deployment::validate() const {
    if (run.isEmpty() || run.size() > ProfileLimits::idLength)
        return invalid(QStringLiteral("/run"), sentence("It is empty or too long."));
    if (firstRound < 1)
        return invalid(QStringLiteral("/first_round"), sentence("Rounds count from 1."));
    if (batch < 1 || microBatch < 1 || microBatches < 1 || qint64{microBatch} * microBatches != batch)
        return invalid(QStringLiteral("/batch"), sentence("The micro-batches do not make up the batch."));
    if (!Schedule::byName(schedule))
        return invalid(QStringLiteral("/schedule"), sentence("\"%1\" is unknown.").arg(schedule.left(60)));
    if (!isFingerprint(coordinator))
        return invalid(QStringLiteral("/coordinator"), sentence("It is no fingerprint."));
    if (stages.empty() || model.isEmpty())
        return invalid(QStringLiteral("/stages"), sentence("There are no stages, or there is no model."));
    if (fabricDeadlineMs < 1 || fabricDeadlineMs > longestFabricDeadlineMs)
        return invalid(QStringLiteral("/fabric_deadline_ms"), sentence("It is not within one hour."));
    if (auto ok = checkFabric(tiedFabric, QStringLiteral("/tied_fabric")); !ok)
        return ok;
    if (training.localSteps && (stages.size() != 1 || schedule != Schedule::OneForwardOneBackward.name() ||
                                microBatches != training.localSteps->every)) {
        return invalid(QStringLiteral("/training/local_steps"),
                       sentence("Its devices need one stage, and %1 micro-batches, one after the other.")
                           .arg(training.localSteps->every));
    }
    // Interleaved: see Plan::validate().
    const bool returning = !training.asynchronous &&
                           std::ranges::all_of(stages, [](const Stage &stage) { return stage.members.size() == 1; });
    QSet<QString> used;
    int next = 0;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const QString where = jsonPointer(QStringLiteral("/stages"), i);
        if (stages[i].firstLayer != next || stages[i].lastLayer <= next)
            return invalid(where, sentence("The layers are not contiguous."));
        if (stages[i].inFlight < 1)
            return invalid(where, sentence("The in-flight limit is less than 1."));
        if (auto ok = checkFabric(stages[i].fabric, where); !ok)
            return ok;
        next = stages[i].lastLayer;
        if (auto ok = checkMembers(stages[i], microBatch, used, returning, where); !ok)
            return ok;
        if (i > 0 && returning && stages[i].members.front().device == stages[i - 1].members.front().device)
            return invalid(where, sentence("The stage before it is of the same device."));
    }
    QSet<QString> listed;
    for (const Peer &peer : peers) {
        if (!isFingerprint(peer.device) || listed.contains(peer.device))
            return invalid(QStringLiteral("/peers"), sentence("A peer is listed twice or has no fingerprint."));
        listed.insert(peer.device);
    }
    if (!listed.contains(used))
        return invalid(QStringLiteral("/peers"), sentence("A member of a stage is not among the peers."));
    if (auto ok = checkCodecChanges(codecChanges, firstRound, stages.size() - 1, QStringLiteral("The deployment")); !ok)
        return ok;
    if (auto ok = checkFrozen(); !ok)
        return ok;
    return checkStates(listed);
}

/// Each layer once, and whoever has it is a peer.
Result<void> Deployment::checkFrozen() const {
    int next = 0;
    for (const Frozen &each : frozen) {
        if (each.layer < next || each.layer >= stages.back().lastLayer || !isFingerprint(each.sha256))
            return invalid(QStringLiteral("/frozen"), sentence("A layer is listed twice or has no hash."));
        next = each.layer + 1;
        std::vector<int> holders = each.holders;
        std::sort(holders.begin(), holders.end());
        if (std::adjacent_find(holders.begin(), holders.end()) != holders.end() ||
            (!holders.empty() && (holders.front() < 0 || holders.back() >= static_cast<int>(peers.size()))))
            return invalid(QStringLiteral("/frozen"), sentence("A holder is listed twice or is no peer."));
    }
    return {};
}

/// Whoever moves or keeps a state is known, and the layers exist.
Result<void> Deployment::checkStates(const QSet<QString> &known) const {
    const int layers = stages.back().lastLayer;
    for (const Move &move : moves) {
        const bool owner = hasLayers(move.to);
        if (!statesHeld || move.layer < 0 || move.layer >= layers || !owner || move.from == move.to ||
            (!move.from.isEmpty() && !known.contains(move.from)))
            return invalid(QStringLiteral("/moves"), sentence("A layer moves from or to nobody."));
    }
    for (const Backup &backup : backups) {
        if (backup.firstLayer < 0 || backup.lastLayer <= backup.firstLayer || backup.lastLayer > layers ||
            backup.from == backup.to || !known.contains(backup.from) || !known.contains(backup.to))
            return invalid(QStringLiteral("/backups"), sentence("A copy goes from or to nobody."));
    }
    if (snapshotEvery < 0 || backupEvery < 0 || (backupEvery > 0 && (snapshotEvery < 1 || backupEvery % snapshotEvery)))
        return invalid(QStringLiteral("/backup_every"), sentence("It is no multiple of \"snapshot_every\"."));
    if (statesHeld && weightsStreamed)
        return invalid(QStringLiteral("/weights_streamed"), sentence("The states are held already."));
    return {};
}

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
        peerRows.append(QJsonObject{{QStringLiteral("device"), peer.device},
                                    {QStringLiteral("address"), peer.address},
                                    {QStringLiteral("port"), peer.port}});
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
                                     {QStringLiteral("backup_every"), backupEvery},
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
    result.backupEvery = static_cast<int>(reader.integer("backup_every", 0, INT_MAX, 0));
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

std::vector<int> Deployment::stagesOf(const QString &device) const {
    std::vector<int> own;
    for (int s = 0; s < static_cast<int>(stages.size()); ++s) {
        if (memberOf(s, device) >= 0)
            own.push_back(s);
    }
    return own;
}

int Deployment::memberOf(int stage, const QString &device) const {
    const auto &members = stages[static_cast<std::size_t>(stage)].members;
    const auto found = std::ranges::find(members, device, &Member::device);
    return found == members.end() ? -1 : static_cast<int>(found - members.begin());
}

const CutCodec &Deployment::codecAfter(std::size_t stage, quint32 round) const {
    const CutCodec *codec = &stages[stage].codec;
    for (const CodecChange &change : codecChanges) {
        if (change.round > round)
            break;
        codec = &change.cuts[stage];
    }
    return *codec;
}

bool Deployment::isChecked(quint32 round) const {
    bool isLossy = false;
    for (std::size_t s = 0; s + 1 < stages.size() && !isLossy; ++s)
        isLossy = codecAfter(s, round) != CutCodec();
    return isLossy && isCheckedRound(round);
}

const Deployment::Frozen *Deployment::frozenOf(int layer) const {
    const auto found = std::ranges::lower_bound(frozen, layer, {}, &Frozen::layer);
    return found == frozen.end() || found->layer != layer ? nullptr : &*found;
}

std::vector<Deployment::Stage> deploymentStages(const Plan &plan) {
    std::vector<Deployment::Stage> stages;
    for (const PlanStage &from : plan.stages) {
        Deployment::Stage stage{from.firstLayer, from.lastLayer, {}, from.inFlight, from.recompute, from.codec};
        int next = 0;
        for (const Share &share : from.shares) {
            stage.members.push_back({share.device, next, share.samples});
            next += share.samples;
        }
        stages.push_back(std::move(stage));
    }
    return stages;
}

}  // namespace hearth
