#include "core/plan/problem.h"

#include <QJsonArray>
#include <QSet>
#include <algorithm>
#include <utility>

#include "core/base/json_reader.h"
#include "core/plan/gradient_codec.h"
#include "core/profile/complete_times.h"
#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

constexpr int mostKeptStates = 16;

tl::unexpected<Error> invalid(const QString &source, const QString &where, const Sentence &cause,
                              const Sentence &advice = {}) {
    return fail(QStringLiteral("problem.invalid"), sentence("%1: \"%2\" is not valid.").arg(source, where), cause,
                advice);
}

Result<void> checkNumbers(const PlanningProblem &problem, const QString &source) {
    if (problem.batch < 1 || problem.batch > ProfileLimits::batch)
        return invalid(source, QStringLiteral("/batch"), sentence("It is %1.").arg(problem.batch));
    if (problem.microBatch && (*problem.microBatch < 1 || problem.batch % *problem.microBatch != 0)) {
        return invalid(source, QStringLiteral("/micro_batch"),
                       sentence("%1 does not divide the batch of %2.").arg(*problem.microBatch).arg(problem.batch),
                       sentence("Give a divisor, or null to let the planner choose."));
    }
    if (!(problem.optimizerStateFactor >= 0 && problem.optimizerStateFactor <= 100))
        return invalid(source, QStringLiteral("/optimizer_state_factor"), sentence("It must lie in 0 to 100."));
    for (const auto &[key, kept] :
         {std::pair("/kept_states", problem.keptStates), {"/kept_copies", problem.keptCopies}}) {
        if (kept < 0 || kept > mostKeptStates)
            return invalid(source, QLatin1String(key), sentence("It must lie in 0 to %1.").arg(mostKeptStates));
    }
    if (problem.localSteps.any() && problem.asynchronous) {
        return invalid(source, QStringLiteral("/local_steps"), sentence("It does not go with \"asynchronous\"."),
                       sentence("Leave one of the two out."));
    }
    if (auto ok = problem.localSteps.check(problem.batch, problem.microBatch, source); !ok)
        return ok;
    if (problem.layers.empty() || problem.layers.size() > static_cast<std::size_t>(ProfileLimits::layers))
        return invalid(source, QStringLiteral("/layers"), sentence("There are none, or too many."));
    if (problem.devices.empty() || problem.devices.size() > static_cast<std::size_t>(ProfileLimits::devices))
        return invalid(source, QStringLiteral("/devices"), sentence("There are none, or too many."));
    return {};
}

/// Tied tensors are parts of the layer's parameters, and of those of an earlier one.
Result<void> checkTied(const PlanningProblem &problem, const QString &source) {
    for (std::size_t l = 0; l < problem.layers.size(); ++l) {
        const LayerFacts &layer = problem.layers[l];
        qint64 all = 0, trainable = 0;
        for (std::size_t i = 0; i < layer.tied.size(); ++i) {
            const TiedBytes &tied = layer.tied[i];
            const QString where = jsonPointer(jsonPointer(QStringLiteral("/layers"), l) + QStringLiteral("/tied"), i);
            if (tied.layer < 0 || static_cast<std::size_t>(tied.layer) >= l || tied.bytes < 0)
                return invalid(source, where, sentence("It is not tied to an earlier layer."));
            all += tied.bytes;
            trainable += tied.isTrainable ? tied.bytes : 0;
            const LayerFacts &first = problem.layers[static_cast<std::size_t>(tied.layer)];
            if (all > layer.parameterBytes || trainable > layer.trainableBytes || tied.bytes > first.parameterBytes)
                return invalid(source, where, sentence("It has more bytes than the layers that share it."));
        }
    }
    return {};
}

Result<void> checkIds(const PlanningProblem &problem, const QString &source) {
    QSet<QString> seen;
    for (std::size_t i = 0; i < problem.devices.size(); ++i) {
        const auto &device = problem.devices[i];
        const QString place = jsonPointer(QStringLiteral("/devices"), i);
        if (device.id.isEmpty() || device.id.size() > ProfileLimits::idLength)
            return invalid(source, place + QStringLiteral("/id"), sentence("It is empty or too long."));
        if (seen.contains(device.id))
            return invalid(source, place + QStringLiteral("/id"), sentence("%1 is listed twice.").arg(device.id));
        if (device.memoryBytes < 0 || device.runtimeBytes < 0)
            return invalid(source, place, sentence("Bytes must not be negative."));
        seen.insert(device.id);
    }
    if (!problem.dataDevice.isEmpty() && !seen.contains(problem.dataDevice)) {
        return invalid(source, QStringLiteral("/data_device"),
                       sentence("There is no device \"%1\".").arg(problem.dataDevice),
                       didYouMean(problem.dataDevice, problem.deviceIds()));
    }
    return {};
}

Result<void> checkTimes(const PlanningProblem &problem, const QString &source) {
    if (problem.times.size() != problem.devices.size())
        return invalid(source, QStringLiteral("/times"), sentence("Every device needs its times."));
    for (std::size_t i = 0; i < problem.times.size(); ++i) {
        const QString where = jsonPointer(QStringLiteral("/times"), problem.devices[i].id);
        if (auto ok = problem.times[i].validate(static_cast<qsizetype>(problem.layers.size()), source, where); !ok)
            return ok;
        if (!problem.times[i].isComplete())
            return invalid(source, where, sentence("A layer was not measured."));
    }
    return {};
}

Result<void> checkLinks(const PlanningProblem &problem, const QString &source) {
    const QStringList ids = problem.deviceIds();
    const QSet<QString> known(ids.begin(), ids.end());
    const auto unknown = [&](const QString &where, const QString &id) {
        return invalid(source, where, sentence("There is no device \"%1\".").arg(id), didYouMean(id, ids));
    };
    QSet<QString> media, nics;
    for (std::size_t i = 0; i < problem.links.media.size(); ++i) {
        const auto &medium = problem.links.media[i];
        if (medium.id.isEmpty() || media.contains(medium.id))
            return invalid(source, jsonPointer(QStringLiteral("/links/media"), i) + QStringLiteral("/id"),
                           sentence("It is empty or listed twice."));
        media.insert(medium.id);
    }
    for (std::size_t i = 0; i < problem.links.nics.size(); ++i) {
        const auto &nic = problem.links.nics[i];
        const QString where = jsonPointer(QStringLiteral("/links/nics"), i);
        if (!known.contains(nic.id))
            return unknown(where + QStringLiteral("/id"), nic.id);
        if (nics.contains(nic.id))
            return invalid(source, where + QStringLiteral("/id"), sentence("%1 is listed twice.").arg(nic.id));
        if (!nic.medium.isEmpty() && !media.contains(nic.medium)) {
            return invalid(source, where + QStringLiteral("/medium"),
                           sentence("There is no medium \"%1\".").arg(nic.medium),
                           didYouMean(nic.medium, media.values()));
        }
        nics.insert(nic.id);
    }
    QSet<std::pair<QString, QString>> pairs;
    for (std::size_t i = 0; i < problem.links.pairs.size(); ++i) {
        const auto &pair = problem.links.pairs[i];
        const QString where = jsonPointer(QStringLiteral("/links/pairs"), i);
        for (const QString &id : {pair.from, pair.to}) {
            if (!known.contains(id))
                return unknown(where, id);
        }
        if (pair.from == pair.to || pairs.contains({pair.from, pair.to})) {
            return invalid(source, where,
                           sentence("The pair %1>%2 is listed twice or is one device.").arg(pair.from, pair.to));
        }
        pairs.insert({pair.from, pair.to});
    }
    return {};
}

/// Fills in what devices did not measure.
Result<void> fillTimes(PlanningProblem &problem, const QString &source) {
    for (std::size_t i = 0; i < problem.times.size(); ++i) {
        const QString where = jsonPointer(QStringLiteral("/times"), problem.devices[i].id);
        if (auto ok = problem.times[i].validate(static_cast<qsizetype>(problem.layers.size()), source, where); !ok)
            return ok;
    }
    if (const auto unknown = unknownTimes(problem.times)) {
        const QString where = jsonPointer(QStringLiteral("/times"), problem.devices[unknown->device].id);
        return invalid(source, jsonPointer(where + QStringLiteral("/forward_s"), unknown->layer),
                       sentence("No device that could stand for this one measured the layer."),
                       sentence("Profile the device again."));
    }
    problem.times = completeTimes(std::move(problem.times));
    return {};
}

/// "times" by device: every device must have its own, and none may be of a stranger.
Result<void> readTimes(PlanningProblem &problem, const QJsonObject &times, const QString &source) {
    const QStringList ids = problem.deviceIds();
    for (const QString &id : times.keys()) {
        if (!ids.contains(id)) {
            return invalid(source, jsonPointer(QStringLiteral("/times"), id),
                           sentence("There is no device \"%1\".").arg(id.left(60)), didYouMean(id, ids));
        }
    }
    for (const QString &id : ids) {
        if (!times.value(id).isObject()) {
            return invalid(source, jsonPointer(QStringLiteral("/times"), id),
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

bool idLess(const QString &a, const QString &b) {
    return a.toUtf8() < b.toUtf8();
}

int PlanningProblem::indexOf(const QString &device) const {
    for (std::size_t i = 0; i < devices.size(); ++i) {
        if (devices[i].id == device)
            return static_cast<int>(i);
    }
    return -1;
}

bool PlanningProblem::keepLess() {
    if (keptCopies > 0)
        return std::exchange(keptCopies, 0) > 0;
    return std::exchange(keptStates, 0) > 0;
}

std::shared_ptr<const CostSource> PlanningProblem::costs() const {
    return std::make_shared<MeasuredCosts>(times);
}

QStringList PlanningProblem::deviceIds() const {
    QStringList ids;
    for (const Device &device : devices)
        ids << device.id;
    return ids;
}

std::vector<int> microBatchChoices(const PlanningProblem &problem) {
    if (problem.microBatch)
        return {*problem.microBatch};
    std::vector<int> choices;
    for (int size = problem.batch; size >= 1; --size) {
        if (problem.batch % size == 0)
            choices.push_back(size);
    }
    return choices;
}

Result<void> PlanningProblem::validate(const QString &source) const {
    if (auto ok = checkNumbers(*this, source); !ok)
        return ok;
    if (auto ok = checkIds(*this, source); !ok)
        return ok;
    if (auto ok = checkTied(*this, source); !ok)
        return ok;
    if (auto ok = checkTimes(*this, source); !ok)
        return ok;
    return checkLinks(*this, source);
}

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
            return invalid(source, place, sentence("It must be an object."));
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
    if (auto ok = checkNumbers(problem, source); !ok)
        return tl::unexpected(ok.error());
    if (auto ok = checkIds(problem, source); !ok)
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

Result<PlanningProblem> makeProblem(const std::vector<DeviceProfile> &devices,
                                    const std::vector<ModelProfile> &profiles, const LinkProfile &links,
                                    const JobFacts &job) {
    if (devices.empty() || devices.size() != profiles.size()) {
        return fail(QStringLiteral("problem.profiles"), sentence("The devices could not be put together."),
                    sentence("There are %1 devices and %2 profiles.").arg(devices.size()).arg(profiles.size()));
    }
    PlanningProblem problem;
    problem.modelName = profiles.front().model;
    problem.modelSha256 = profiles.front().modelSha256;
    problem.batch = job.batch;
    problem.microBatch = job.microBatch;
    problem.optimizerStateFactor = job.optimizerStateFactor;
    problem.localSteps = job.localSteps;
    problem.inputBytes = job.inputBytes;
    problem.labelBytes = job.labelBytes;
    problem.dataDevice = job.dataDevice;
    problem.levels = job.levels;
    problem.gradientCodec = job.gradientCodec;
    problem.asynchronous = job.asynchronous;
    problem.links = links;
    problem.layers = profiles.front().layers;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const ModelProfile &profile = profiles[i];
        if (profile.modelSha256 != problem.modelSha256 || profile.layers.size() != problem.layers.size()) {
            return fail(QStringLiteral("problem.profiles"),
                        sentence("The profile of device %1 is of another model.").arg(devices[i].device), QString(),
                        sentence("Profile the device again."));
        }
        problem.devices.push_back(
            {devices[i].device, devices[i].memoryBytes, devices[i].runtimeBytes, devices[i].codecs});
        problem.times.push_back(profile.times);
        for (std::size_t l = 0; l < problem.layers.size(); ++l) {
            LayerFacts &facts = problem.layers[l];
            const LayerFacts &seen = profile.layers[l];
            facts.savedBytes = std::max(facts.savedBytes, seen.savedBytes);
            facts.workspaceBytes = std::max(facts.workspaceBytes, seen.workspaceBytes);
            facts.minimumSamples = std::max(facts.minimumSamples, seen.minimumSamples);
        }
    }
    if (auto ok = fillTimes(problem, QStringLiteral("the planning problem")); !ok)
        return tl::unexpected(ok.error());
    if (auto ok = problem.validate(); !ok)
        return tl::unexpected(ok.error());
    return problem;
}

}  // namespace hearth
