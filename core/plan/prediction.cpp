#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/base/json_reader.h"
#include "core/plan/plan.h"
#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

constexpr double most = std::numeric_limits<double>::max();
constexpr double newsworthy = 0.05;

const std::array<QString, 6> &kindNames() {
    static const std::array<QString, 6> names{QStringLiteral("forward"),   QStringLiteral("backward"),
                                              QStringLiteral("weights"),   QStringLiteral("transfer"),
                                              QStringLiteral("allreduce"), QStringLiteral("update")};
    return names;
}

/// In the order of RoundLimit::Kind.
const QStringList &limitNames() {
    static const QStringList names{QStringLiteral("step"), QStringLiteral("feed"), QStringLiteral("card"),
                                   QStringLiteral("device")};
    return names;
}

QJsonObject bytesToJson(const QMap<QString, qint64> &bytes) {
    QJsonObject object;
    for (auto it = bytes.constBegin(); it != bytes.constEnd(); ++it)
        object[it.key()] = it.value();
    return object;
}

QMap<QString, qint64> bytesFromJson(JsonReader &reader, const char *key) {
    QMap<QString, qint64> bytes;
    const QJsonObject object = reader.object(key, false);
    for (auto it = object.constBegin(); it != object.constEnd() && reader.ok(); ++it) {
        const qint64 count = it.value().toInteger(-1);
        if (count < 0)
            reader.rejectAt(jsonPointer(reader.pathOf(QLatin1String(key)), it.key()),
                            sentence("Bytes must be whole numbers."));
        bytes.insert(it.key(), count);
    }
    return bytes;
}

Result<void> tasksFromJson(std::vector<ScheduledTask> &tasks, const QJsonArray &rows, const QString &source,
                           const QString &path) {
    const QStringList kinds(kindNames().begin(), kindNames().end());
    for (qsizetype i = 0; i < rows.size(); ++i) {
        JsonReader reader(rows[i], source, jsonPointer(path, i));
        ScheduledTask task;
        task.lane = reader.string("lane");
        task.kind =
            static_cast<ScheduledTask::Kind>(std::max<qsizetype>(0, kinds.indexOf(reader.choice("kind", kinds))));
        task.stage = static_cast<int>(reader.integer("stage", 0, ProfileLimits::layers));
        task.microBatch = static_cast<int>(reader.integer("micro_batch", 0, ProfileLimits::batch));
        task.startSeconds = reader.number("start_s", 0, most);
        task.endSeconds = reader.number("end_s", 0, most);
        task.bytes = reader.integer("bytes", 0, std::numeric_limits<qint64>::max(), 0);
        if (auto ok = reader.finish(); !ok)
            return ok;
        tasks.push_back(std::move(task));
    }
    return {};
}

}  // namespace

QString taskKindName(ScheduledTask::Kind kind) {
    return kindNames()[static_cast<std::size_t>(kind)];
}

std::optional<double> Prediction::playedLonger() const {
    if (!playedRoundSeconds || roundSeconds <= 0)
        return std::nullopt;
    const double longer = *playedRoundSeconds / roundSeconds - 1;
    return std::abs(longer) > newsworthy ? std::optional(longer) : std::nullopt;
}

double Prediction::sentBytes() const {
    double all = 0;
    for (const qint64 bytes : roundBytes)
        all += static_cast<double>(bytes);
    return all;
}

QJsonObject Prediction::toJson() const {
    QJsonArray rows;
    for (const Violation &violation : violations)
        rows.append(QJsonObject{{QStringLiteral("device"), violation.device},
                                {QStringLiteral("needed_bytes"), violation.neededBytes},
                                {QStringLiteral("available_bytes"), violation.availableBytes}});
    QJsonObject object{{QStringLiteral("round_s"), roundSeconds},
                       {QStringLiteral("model_round_s"), modelRoundSeconds},
                       {QStringLiteral("samples_per_s"), samplesPerSecond},
                       {QStringLiteral("dominant_step"), dominantStep},
                       {QStringLiteral("limit"), limitNames()[static_cast<int>(limit.kind)]},
                       {QStringLiteral("fits"), fits},
                       {QStringLiteral("violations"), rows},
                       {QStringLiteral("memory_bytes"), bytesToJson(memoryBytes)},
                       {QStringLiteral("round_bytes"), bytesToJson(roundBytes)},
                       {QStringLiteral("proved_optimal"), provedOptimal}};
    if (!limit.device.isEmpty())
        object[QStringLiteral("limit_device")] = limit.device;
    if (!delays.empty()) {
        QJsonArray updates;
        for (const int delay : delays)
            updates.append(delay);
        object[QStringLiteral("delays")] = updates;
    }
    if (playedRoundSeconds)
        object[QStringLiteral("played_round_s")] = *playedRoundSeconds;
    if (gap)
        object[QStringLiteral("gap")] = *gap;
    if (planningSeconds)
        object[QStringLiteral("planning_s")] = *planningSeconds;
    if (codecGain)
        object[QStringLiteral("codec_gain")] = *codecGain;
    if (localStepsGain)
        object[QStringLiteral("local_steps_gain")] = QJsonObject{{QStringLiteral("every"), localStepsGain->every},
                                                                 {QStringLiteral("factor"), localStepsGain->factor}};
    if (relativeError)
        object[QStringLiteral("relative_error")] = *relativeError;
    if (!schedule.empty()) {
        QJsonArray tasks;
        for (const ScheduledTask &task : schedule)
            tasks.append(QJsonObject{{QStringLiteral("lane"), task.lane},
                                     {QStringLiteral("kind"), taskKindName(task.kind)},
                                     {QStringLiteral("stage"), task.stage},
                                     {QStringLiteral("micro_batch"), task.microBatch},
                                     {QStringLiteral("start_s"), task.startSeconds},
                                     {QStringLiteral("end_s"), task.endSeconds},
                                     {QStringLiteral("bytes"), task.bytes}});
        object[QStringLiteral("schedule")] = tasks;
    }
    return object;
}

Result<Prediction> Prediction::fromJson(const QJsonObject &object, const QString &source, const QString &path) {
    JsonReader reader(object, source, path);
    Prediction prediction;
    prediction.roundSeconds = reader.number("round_s", 0, most);
    prediction.modelRoundSeconds = reader.number("model_round_s", 0, most, 0);
    prediction.samplesPerSecond = reader.number("samples_per_s", 0, most, 0);
    prediction.dominantStep = static_cast<int>(reader.integer("dominant_step", 0, 2 * ProfileLimits::layers, 0));
    const QString limit = reader.choice("limit", limitNames(), limitNames().front());
    prediction.limit.kind = static_cast<RoundLimit::Kind>(std::max<qsizetype>(0, limitNames().indexOf(limit)));
    prediction.limit.device = reader.string("limit_device", QString());
    prediction.fits = reader.boolean("fits", true);
    prediction.provedOptimal = reader.boolean("proved_optimal", false);
    prediction.memoryBytes = bytesFromJson(reader, "memory_bytes");
    prediction.roundBytes = bytesFromJson(reader, "round_bytes");
    if (reader.has("played_round_s"))
        prediction.playedRoundSeconds = reader.number("played_round_s", 0, most);
    reader.ignore("played_round_s");
    if (reader.has("gap"))
        prediction.gap = reader.number("gap", 0, most);
    reader.ignore("gap");
    if (reader.has("planning_s"))
        prediction.planningSeconds = reader.number("planning_s", 0, most);
    reader.ignore("planning_s");
    if (reader.has("codec_gain"))
        prediction.codecGain = reader.number("codec_gain", 1, most);
    reader.ignore("codec_gain");
    if (reader.has("local_steps_gain")) {
        JsonReader gain(reader.object("local_steps_gain"), source, reader.pathOf(QStringLiteral("local_steps_gain")));
        prediction.localStepsGain =
            LocalStepsGain{static_cast<int>(gain.integer("every", LocalSteps::leastEvery, LocalSteps::mostEvery)),
                           gain.number("factor", 1, most)};
        if (auto ok = gain.finish(); !ok)
            return tl::unexpected(ok.error());
    }
    reader.ignore("local_steps_gain");
    if (reader.has("relative_error"))
        prediction.relativeError = reader.number("relative_error", 0, most);
    reader.ignore("relative_error");
    const QJsonArray delays = reader.array("delays", false);
    for (qsizetype i = 0; i < delays.size(); ++i) {
        const int delay = delays[i].toInt(-1);
        if (delay < 0)
            reader.rejectAt(jsonPointer(reader.pathOf(QStringLiteral("delays")), i),
                            sentence("Delays are whole numbers of updates."));
        prediction.delays.push_back(delay);
    }
    const QJsonArray violations = reader.array("violations", false);
    const QJsonArray tasks = reader.array("schedule", false);
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    for (qsizetype i = 0; i < violations.size(); ++i) {
        JsonReader inner(violations[i], source, jsonPointer(jsonPointer(path, QStringLiteral("violations")), i));
        Violation violation;
        violation.device = inner.string("device");
        violation.neededBytes = inner.integer("needed_bytes", 0, std::numeric_limits<qint64>::max());
        violation.availableBytes = inner.integer("available_bytes", 0, std::numeric_limits<qint64>::max());
        if (auto ok = inner.finish(); !ok)
            return tl::unexpected(ok.error());
        prediction.violations.push_back(std::move(violation));
    }
    if (auto ok = tasksFromJson(prediction.schedule, tasks, source, jsonPointer(path, QStringLiteral("schedule"))); !ok)
        return tl::unexpected(ok.error());
    return prediction;
}

}  // namespace hearth
