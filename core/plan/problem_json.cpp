// hearth-problem/1.
#include <QJsonArray>
#include <algorithm>

#include "core/base/json_reader.h"
#include "core/plan/gradient_codec.h"
#include "core/plan/problem_checks.h"
#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

/// "times" by device: every device must have its own, and none may be of a stranger.
Result<void> readTimes(PlanningProblem &problem, const QJsonObject &times, const QString &source) {
    const QStringList ids = problem.deviceIds();
    for (const QString &id : times.keys()) {
        if (!ids.contains(id)) {
            return invalidProblem(source, jsonPointer(QStringLiteral("/times"), id),
                                  sentence("There is no device \"%1\".").arg(id.left(60)), didYouMean(id, ids));
        }
    }
    for (const QString &id : ids) {
        if (!times.value(id).isObject()) {
            return invalidProblem(source, jsonPointer(QStringLiteral("/times"), id),
                                  sentence("The device %1 has no times.").arg(id),
                                  sentence("Profile it, or leave it out of \"devices\"."));
        }
        auto table = TimeTable::fromJson(times.value(id).toObject(), source, jsonPointer(QStringLiteral("/times"), id));
        if (!table)
            return tl::unexpected(table.error());
        problem.times.push_back(std::move(*table));
    }
    return fillTimes(problem, source);
}

Result<PlanningProblem::Device> readDevice(const QJsonValue &value, const QString &source, qsizetype index) {
    JsonReader reader(value, source, jsonPointer(QStringLiteral("/devices"), index));
    PlanningProblem::Device device;
    device.id = reader.string("id");
    device.memoryBytes = reader.integer("memory_bytes", 0, ProfileLimits::bytes);
    device.runtimeBytes = reader.integer("runtime_bytes", 0, ProfileLimits::bytes, 0);
    const QJsonObject codecs = reader.object("codecs", false);
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    auto rates = CodecRates::fromJson(codecs, source, reader.pathOf(QStringLiteral("codecs")));
    if (!rates)
        return tl::unexpected(rates.error());
    device.codecs = std::move(*rates);
    return device;
}

/// Names of codecs; "none" goes without saying.
std::vector<const Codec *> readLevels(JsonReader &reader) {
    std::vector<const Codec *> levels;
    QStringList names;
    for (const Codec *codec : codecs().subspan(1))
        names.append(QString::fromLatin1(codec->name));
    const QJsonArray rows = reader.array("levels", false);
    for (qsizetype i = 0; i < rows.size(); ++i) {
        const Codec *level = names.contains(rows[i].toString()) ? codecByName(rows[i].toString()) : nullptr;
        if (level && std::ranges::find(levels, level) == levels.end()) {
            levels.push_back(level);
            continue;
        }
        reader.rejectAt(jsonPointer(reader.pathOf(QStringLiteral("levels")), i),
                        sentence("It is no codec, or listed twice."), didYouMean(rows[i].toString().left(60), names));
        break;
    }
    return levels;
}

}  // namespace

QJsonObject PlanningProblem::toJson() const {
    QJsonArray deviceRows, layerRows;
    QJsonObject timeRows;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        QJsonObject row{{QStringLiteral("id"), devices[i].id},
                        {QStringLiteral("memory_bytes"), devices[i].memoryBytes},
                        {QStringLiteral("runtime_bytes"), devices[i].runtimeBytes}};
        if (!devices[i].codecs.measured.isEmpty())
            row[QStringLiteral("codecs")] = devices[i].codecs.toJson();
        deviceRows.append(row);
        timeRows[devices[i].id] = times[i].toJson();
    }
    for (const LayerFacts &layer : layers)
        layerRows.append(layer.toJson());
    QJsonObject json{{QStringLiteral("format"), QStringLiteral("hearth-problem/1")},
                     {QStringLiteral("batch"), batch},
                     {QStringLiteral("micro_batch"), microBatch ? QJsonValue(*microBatch) : QJsonValue()},
                     {QStringLiteral("optimizer_state_factor"), optimizerStateFactor},
                     {QStringLiteral("input_bytes"), inputBytes},
                     {QStringLiteral("label_bytes"), labelBytes},
                     {QStringLiteral("data_device"), dataDevice.isEmpty() ? QJsonValue() : QJsonValue(dataDevice)},
                     {QStringLiteral("devices"), deviceRows},
                     {QStringLiteral("layers"), layerRows},
                     {QStringLiteral("times"), timeRows},
                     {QStringLiteral("links"), links.toJson()}};
    QJsonArray names;
    for (const Codec *level : levels)
        names.append(QString::fromLatin1(level->name));
    if (!names.isEmpty())
        json[QStringLiteral("levels")] = names;
    if (gradientCodec != &noCodec())
        json[QStringLiteral("gradient_codec")] = QString::fromLatin1(gradientCodec->name);
    if (localSteps.any())
        json[QStringLiteral("local_steps")] = localSteps.toJson();
    QJsonArray limits;
    for (const LevelLimit &limit : levelLimits)
        limits.append(limit.toJson());
    if (!limits.isEmpty())
        json[QStringLiteral("level_limits")] = limits;
    if (asynchronous)
        json[QStringLiteral("asynchronous")] = asynchronous->toJson();
    if (keptStates > 0)
        json[QStringLiteral("kept_states")] = keptStates;
    if (keptCopies > 0)
        json[QStringLiteral("kept_copies")] = keptCopies;
    return json;
}

Result<PlanningProblem> PlanningProblem::fromJson(const QJsonObject &object, const QString &source) {
    JsonReader reader(object, source);
    reader.choice("format", {QStringLiteral("hearth-problem/1")});
    PlanningProblem problem;
    problem.batch = static_cast<int>(reader.integer("batch", 1, ProfileLimits::batch));
    if (reader.has("micro_batch"))
        problem.microBatch = static_cast<int>(reader.integer("micro_batch", 1, ProfileLimits::batch));
    else
        reader.ignore("micro_batch");
    problem.optimizerStateFactor = reader.number("optimizer_state_factor", 0, 100, 0);
    problem.keptStates = static_cast<int>(reader.integer("kept_states", 0, mostKeptStates, 0));
    problem.keptCopies = static_cast<int>(reader.integer("kept_copies", 0, mostKeptStates, 0));
    problem.inputBytes = reader.integer("input_bytes", 0, ProfileLimits::bytes, 0);
    problem.labelBytes = reader.integer("label_bytes", 0, ProfileLimits::bytes, 0);
    problem.dataDevice = reader.string("data_device", QString());
    problem.levels = readLevels(reader);
    problem.gradientCodec = &GradientCodec::read(reader);
    const bool isAsynchronous = reader.has("asynchronous");
    const QJsonObject asynchronous = reader.object("asynchronous", false);
    const bool hasLocalSteps = reader.has("local_steps");
    const QJsonObject localSteps = reader.object("local_steps", false);
    const QJsonArray limitRows = reader.array("level_limits", false);
    const QJsonArray deviceRows = reader.array("devices");
    const QJsonArray layerRows = reader.array("layers");
    const QJsonObject timeRows = reader.object("times");
    const QJsonObject linkRows = reader.object("links", false);
    if (deviceRows.size() > ProfileLimits::devices)
        reader.reject(QStringLiteral("devices"), sentence("There are too many."));
    if (layerRows.size() > ProfileLimits::layers)
        reader.reject(QStringLiteral("layers"), sentence("There are too many."));
    if (limitRows.size() > 2 * qsizetype{ProfileLimits::layers})
        reader.reject(QStringLiteral("level_limits"), sentence("There are too many."));
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());

    if (isAsynchronous) {
        auto given = Asynchrony::fromJson(asynchronous, source, QStringLiteral("/asynchronous"));
        if (!given)
            return tl::unexpected(given.error());
        problem.asynchronous = *given;
    }
    for (qsizetype i = 0; i < deviceRows.size(); ++i) {
        auto device = readDevice(deviceRows[i], source, i);
        if (!device)
            return tl::unexpected(device.error());
        problem.devices.push_back(std::move(*device));
    }
    for (qsizetype i = 0; i < limitRows.size(); ++i) {
        auto limit = LevelLimit::fromJson(limitRows[i], source, jsonPointer(QStringLiteral("/level_limits"), i));
        if (!limit)
            return tl::unexpected(limit.error());
        problem.levelLimits.push_back(*limit);
    }
    for (qsizetype i = 0; i < layerRows.size(); ++i) {
        const QString place = jsonPointer(QStringLiteral("/layers"), i);
        if (!layerRows[i].isObject())
            return invalidProblem(source, place, sentence("It must be an object."));
        auto facts = LayerFacts::fromJson(layerRows[i].toObject(), source, place);
        if (!facts)
            return tl::unexpected(facts.error());
        problem.layers.push_back(std::move(*facts));
    }
    if (hasLocalSteps) {
        const auto steps = LocalStepsFacts::fromJson(localSteps, source);
        if (!steps)
            return tl::unexpected(steps.error());
        problem.localSteps = *steps;
    }
    if (auto ok = checkOutline(problem, source); !ok)
        return tl::unexpected(ok.error());
    if (auto ok = readTimes(problem, timeRows, source); !ok)
        return tl::unexpected(ok.error());
    auto links = LinkProfile::fromJson(linkRows, source, QStringLiteral("/links"));
    if (!links)
        return tl::unexpected(links.error());
    problem.links = std::move(*links);
    if (auto ok = problem.validate(source); !ok)
        return tl::unexpected(ok.error());
    return problem;
}

}  // namespace hearth
