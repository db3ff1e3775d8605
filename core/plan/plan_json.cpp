// The written form of plans (hearth-plan/1, hearth-comparison/1).
#include <algorithm>
#include <cmath>

#include "core/base/json_reader.h"
#include "core/plan/plan.h"
#include "core/plan/problem.h"
#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

QJsonObject stageToJson(const PlanStage &stage) {
    QJsonObject shares;
    for (const Share &share : stage.shares)
        shares[share.device] = share.samples;
    return {{QStringLiteral("layers"), QJsonArray{stage.firstLayer, stage.lastLayer}},
            {QStringLiteral("shares"), shares},
            {QStringLiteral("in_flight"), stage.inFlight},
            {QStringLiteral("recompute"), stage.recompute},
            {QStringLiteral("codec"), stage.codec.toJson()}};
}

QJsonArray stagesToJson(const std::vector<PlanStage> &stages) {
    QJsonArray rows;
    for (const PlanStage &stage : stages)
        rows.append(stageToJson(stage));
    return rows;
}

/// A whole number in 0..most, or -1.
qint64 wholeOr(const QJsonValue &value, qint64 most) {
    const double number = value.toDouble(-1);
    const bool whole = number >= 0 && number <= static_cast<double>(most) && number == std::floor(number);
    return whole ? static_cast<qint64>(number) : -1;
}

Result<PlanStage> stageFromJson(const QJsonValue &value, const QString &source, const QString &path, int microBatches,
                                qsizetype stagesToEnd) {
    JsonReader reader(value, source, path);
    PlanStage stage;
    const QJsonArray layers = reader.array("layers");
    const qint64 first = layers.size() == 2 ? wholeOr(layers[0], ProfileLimits::layers) : -1;
    const qint64 last = layers.size() == 2 ? wholeOr(layers[1], ProfileLimits::layers) : -1;
    if (reader.ok() && (first < 0 || last < 0)) {
        reader.reject(QStringLiteral("layers"), sentence("It must be two layer indexes."),
                      sentence("Write [first, last], the last one not included."));
    }
    stage.firstLayer = static_cast<int>(first);
    stage.lastLayer = static_cast<int>(last);
    const QJsonObject shares = reader.object("shares");
    if (shares.size() > ProfileLimits::devices)
        reader.reject(QStringLiteral("shares"), sentence("There are too many devices."));
    for (auto it = shares.constBegin(); it != shares.constEnd() && reader.ok(); ++it) {
        const qint64 samples = wholeOr(it.value(), ProfileLimits::batch);
        if (samples < 0) {
            reader.rejectAt(jsonPointer(reader.pathOf(QStringLiteral("shares")), it.key()),
                            sentence("It must be a whole number of samples."));
        }
        stage.shares.push_back({it.key(), static_cast<int>(samples)});
    }
    // Left out, it is what the 1F1B schedule of Asteroid allows.
    const qint64 usual = std::clamp<qint64>(2 * stagesToEnd - 1, 1, std::max(1, microBatches));
    stage.inFlight = static_cast<int>(reader.integer("in_flight", 1, ProfileLimits::batch, usual));
    stage.recompute = reader.boolean("recompute", false);
    auto codec = CutCodec::fromJson(reader.value("codec"), source, reader.pathOf(QStringLiteral("codec")));
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    if (!codec)
        return tl::unexpected(codec.error());
    stage.codec = *codec;
    stage.sortShares();
    return stage;
}

Result<std::vector<PlanStage>> stagesFromJson(const QJsonArray &rows, const QString &source, const QString &path,
                                              int microBatches) {
    std::vector<PlanStage> stages;
    for (qsizetype i = 0; i < rows.size(); ++i) {
        auto stage = stageFromJson(rows[i], source, jsonPointer(path, i), microBatches, rows.size() - i);
        if (!stage)
            return tl::unexpected(stage.error());
        stages.push_back(std::move(*stage));
    }
    return stages;
}

Result<void> pipelinesFromJson(Plan &plan, const QJsonArray &rows, const QString &source) {
    for (qsizetype i = 0; i < rows.size(); ++i) {
        const QString path = jsonPointer(QStringLiteral("/pipelines"), i);
        JsonReader reader(rows[i], source, path);
        Plan::Pipeline pipeline;
        pipeline.samples = static_cast<int>(reader.integer("samples", 1, ProfileLimits::batch));
        const QJsonArray stages = reader.array("stages");
        if (auto ok = reader.finish(); !ok)
            return ok;
        auto read = stagesFromJson(stages, source, jsonPointer(path, QStringLiteral("stages")),
                                   pipeline.samples / plan.microBatch);
        if (!read)
            return tl::unexpected(read.error());
        pipeline.stages = std::move(*read);
        plan.pipelines.push_back(std::move(pipeline));
    }
    return {};
}

}  // namespace

QJsonObject Plan::toJson() const {
    QJsonObject object{{QStringLiteral("format"), QStringLiteral("hearth-plan/1")},
                       {QStringLiteral("model"), QJsonObject{{QStringLiteral("name"), modelName},
                                                             {QStringLiteral("sha256"), modelSha256},
                                                             {QStringLiteral("layers"), layerCount}}},
                       {QStringLiteral("planner"), planner},
                       {QStringLiteral("batch"), batch},
                       {QStringLiteral("micro_batch"), microBatch},
                       {QStringLiteral("schedule"), schedule.name()}};
    if (pipelines.empty()) {
        object[QStringLiteral("stages")] = stagesToJson(stages);
    } else {
        QJsonArray rows;
        for (const Pipeline &pipeline : pipelines)
            rows.append(QJsonObject{{QStringLiteral("samples"), pipeline.samples},
                                    {QStringLiteral("stages"), stagesToJson(pipeline.stages)}});
        object[QStringLiteral("pipelines")] = rows;
    }
    if (prediction)
        object[QStringLiteral("prediction")] = prediction->toJson();
    return object;
}

Result<Plan> Plan::fromJson(const QJsonObject &object, const QString &source) {
    JsonReader reader(object, source);
    reader.choice("format", {QStringLiteral("hearth-plan/1")});
    Plan plan;
    const QJsonObject model = reader.object("model", false);
    plan.planner = reader.string("planner", QString());
    plan.batch = static_cast<int>(reader.integer("batch", 1, ProfileLimits::batch));
    plan.microBatch = static_cast<int>(reader.integer("micro_batch", 1, ProfileLimits::batch));
    const QString schedule = reader.choice("schedule", Schedule::names(), plan.schedule.name());
    plan.schedule = Schedule::byName(schedule).value_or(plan.schedule);
    const bool several = reader.has("pipelines");
    const QJsonArray stages = reader.array("stages", !several);
    const QJsonArray pipelines = reader.array("pipelines", false);
    const bool predicted = reader.has("prediction");
    const QJsonObject prediction = reader.object("prediction", false);
    reader.ignore("whole_job");  // is of a job, and told beside its plan
    if (stages.size() > ProfileLimits::layers || pipelines.size() > ProfileLimits::devices)
        reader.reject(QStringLiteral("stages"), sentence("There are too many."));
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());

    JsonReader inner(model, source, QStringLiteral("/model"));
    plan.modelName = inner.string("name", QString());
    plan.modelSha256 = inner.string("sha256", QString());
    plan.layerCount = static_cast<int>(inner.integer("layers", 0, ProfileLimits::layers, 0));
    if (auto ok = inner.finish(); !ok)
        return tl::unexpected(ok.error());
    auto read = stagesFromJson(stages, source, QStringLiteral("/stages"), plan.microBatches());
    if (!read)
        return tl::unexpected(read.error());
    plan.stages = std::move(*read);
    if (auto ok = pipelinesFromJson(plan, pipelines, source); !ok)
        return tl::unexpected(ok.error());
    if (predicted) {
        auto known = Prediction::fromJson(prediction, source, QStringLiteral("/prediction"));
        if (!known)
            return tl::unexpected(known.error());
        plan.prediction = std::move(*known);
    }
    if (auto ok = plan.validate(source); !ok)
        return tl::unexpected(ok.error());
    if (plan.layerCount == 0)
        plan.layerCount = (several ? plan.pipelines.front().stages : plan.stages).back().lastLayer;
    return plan;
}

void sortByRoundTime(std::vector<Plan> &plans) {
    const auto seconds = [](const Plan &plan) { return plan.prediction.value_or(Prediction{}).roundSeconds; };
    std::stable_sort(plans.begin(), plans.end(), [&](const Plan &a, const Plan &b) { return seconds(a) < seconds(b); });
}

QJsonObject comparisonToJson(std::vector<Plan> plans) {
    sortByRoundTime(plans);
    QJsonArray rows;
    for (const Plan &plan : plans)
        rows.append(plan.toJson());
    return {{QStringLiteral("format"), QStringLiteral("hearth-comparison/1")}, {QStringLiteral("plans"), rows}};
}

}  // namespace hearth
