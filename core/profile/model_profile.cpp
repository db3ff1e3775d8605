#include "core/profile/model_profile.h"

#include <algorithm>
#include <cmath>

#include "core/base/json_reader.h"
#include "core/model/training_spec.h"
#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

QJsonArray rowsToJson(const std::vector<std::vector<double>> &rows) {
    QJsonArray result;
    for (const auto &row : rows) {
        QJsonArray line;
        for (const double value : row)
            line.append(value);
        result.append(row.empty() ? QJsonValue() : QJsonValue(line));
    }
    return result;
}

/// Numbers only; sizes and signs are validate()'s.
std::vector<std::vector<double>> rowsFromJson(JsonReader &reader, const char *key) {
    std::vector<std::vector<double>> rows;
    const QJsonArray array = reader.array(key);
    if (array.size() > ProfileLimits::layers) {
        reader.reject(QLatin1String(key), sentence("It has more than %1 rows.").arg(ProfileLimits::layers));
        return rows;
    }
    for (qsizetype i = 0; i < array.size() && reader.ok(); ++i) {
        const QString place = jsonPointer(reader.pathOf(QLatin1String(key)), i);
        if (array[i].isNull()) {  // not measured
            rows.emplace_back();
            continue;
        }
        if (!array[i].isArray() || array[i].toArray().size() > ProfileLimits::batchSizes) {
            reader.rejectAt(place, sentence("It must be a list of seconds, one for each batch size."));
            break;
        }
        const QJsonArray numbers = array[i].toArray();
        std::vector<double> row;
        for (qsizetype j = 0; j < numbers.size(); ++j) {
            if (!numbers[j].isDouble())
                reader.rejectAt(jsonPointer(place, j), sentence("It must be a number."));
            row.push_back(numbers[j].toDouble());
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

tl::unexpected<Error> invalid(const QString &source, const QString &where, const Sentence &cause,
                              const Sentence &advice = {}) {
    return fail(QStringLiteral("json.invalid"), sentence("%1: \"%2\" is not valid.").arg(source, where), cause, advice);
}

Result<void> checkRows(const std::vector<std::vector<double>> &rows, qsizetype layers, std::size_t sizes,
                       const QString &source, const QString &where) {
    if (static_cast<qsizetype>(rows.size()) != layers) {
        return invalid(
            source, where,
            sentence("It has %1 {1|row|rows}, the model has %2 {2|layer|layers}.").arg(rows.size()).arg(layers),
            sentence("Give one row for each layer."));
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const QString place = jsonPointer(where, i);
        if (!rows[i].empty() && rows[i].size() != sizes) {
            return invalid(
                source, place,
                sentence("It has %1 {1|number|numbers} for %2 batch {2|size|sizes}.").arg(rows[i].size()).arg(sizes));
        }
        for (std::size_t j = 0; j < rows[i].size(); ++j) {
            const double value = rows[i][j];
            if (!std::isfinite(value) || value < 0 || value > ProfileLimits::seconds)
                return invalid(source, jsonPointer(place, j), sentence("Seconds must be finite and not negative."));
        }
    }
    return {};
}

/// A half of the backward pass, row by row.
Result<void> checkWeights(const TimeTable &table, qsizetype layers, const QString &source, const QString &where) {
    if (auto ok = checkRows(table.weights, layers, table.batch.size(), source, where); !ok)
        return ok;
    for (std::size_t l = 0; l < table.weights.size(); ++l) {
        if (table.weights[l].size() != table.backward[l].size())
            return invalid(source, jsonPointer(where, l), sentence("Only one half of the layer was measured."));
        for (std::size_t i = 0; i < table.weights[l].size(); ++i) {
            if (table.weights[l][i] > table.backward[l][i])
                return invalid(source, jsonPointer(jsonPointer(where, l), i),
                               sentence("It is more than backward_s, of which it is a part."));
        }
    }
    return {};
}

/// forward has been checked.
Result<void> checkErrors(const TimeTable &table, const QString &source, const QString &where) {
    if (table.error.size() != table.forward.size()) {
        return invalid(source, where,
                       sentence("It has %1 {1|row|rows}, the model has %2 {2|layer|layers}.")
                           .arg(table.error.size())
                           .arg(table.forward.size()));
    }
    for (std::size_t l = 0; l < table.error.size(); ++l) {
        if (table.error[l].size() != table.batch.size() || !table.isMeasured(l))
            return invalid(source, jsonPointer(where, l), sentence("A table with predictions must be complete."));
        for (const double value : table.error[l]) {
            if (!(value >= 0 && value <= ProfileLimits::relativeError))
                return invalid(source, jsonPointer(where, l),
                               sentence("It must lie between 0 and %1.").arg(ProfileLimits::relativeError));
        }
    }
    return {};
}

}  // namespace

namespace {

QJsonArray tiedToJson(const std::vector<TiedBytes> &tied) {
    QJsonArray rows;
    for (const TiedBytes &each : tied) {
        rows.append(QJsonObject{{QStringLiteral("layer"), each.layer},
                                {QStringLiteral("tensor"), each.tensor},
                                {QStringLiteral("bytes"), each.bytes},
                                {QStringLiteral("trainable"), each.isTrainable}});
    }
    return rows;
}

Result<std::vector<TiedBytes>> tiedFromJson(const QJsonArray &rows, const QString &source, const QString &path) {
    std::vector<TiedBytes> tied;
    for (qsizetype i = 0; i < rows.size(); ++i) {
        JsonReader reader(rows[i], source, jsonPointer(path, i));
        TiedBytes each;
        each.layer = static_cast<int>(reader.integer("layer", 0, ProfileLimits::layers));
        each.tensor = static_cast<int>(reader.integer("tensor", 0, ProfileLimits::tiedTensors));
        each.bytes = reader.integer("bytes", 0, ProfileLimits::bytes);
        each.isTrainable = reader.boolean("trainable", true);
        if (auto ok = reader.finish(); !ok)
            return tl::unexpected(ok.error());
        tied.push_back(each);
    }
    return tied;
}

QJsonObject packedToJson(const QMap<QString, PackedParts> &packed) {
    QJsonObject json;
    for (auto it = packed.constBegin(); it != packed.constEnd(); ++it) {
        QJsonObject parts{{QStringLiteral("forward"), it->forward}, {QStringLiteral("backward"), it->backward}};
        if (it->active != it->backward)
            parts[QStringLiteral("active")] = it->active;
        json[it.key()] = parts;
    }
    return json;
}

Result<QMap<QString, PackedParts>> packedFromJson(const QJsonObject &object, const QString &source,
                                                  const QString &path) {
    QMap<QString, PackedParts> packed;
    for (auto it = object.constBegin(); it != object.constEnd(); ++it) {
        JsonReader reader(it.value(), source, jsonPointer(path, it.key().left(ProfileLimits::idLength)));
        const auto part = [&reader](const char *key, double most) {
            return reader.number(key, ProfileLimits::leastPacked, most, most);
        };
        const double forward = part("forward", 1), backward = part("backward", 1), active = part("active", backward);
        if (auto ok = reader.finish(); !ok)
            return tl::unexpected(ok.error());
        packed[it.key()] = {forward, backward, active};
    }
    return packed;
}

}  // namespace

PackedParts PackedParts::raisedTo(const PackedParts &other) const {
    return {std::max(forward, other.forward), std::max(backward, other.backward), std::max(active, other.active)};
}

void LayerFacts::raiseTo(const LayerFacts &seen) {
    savedBytes = std::max(savedBytes, seen.savedBytes);
    workspaceBytes = std::max(workspaceBytes, seen.workspaceBytes);
    minimumSamples = std::max(minimumSamples, seen.minimumSamples);
    for (auto it = seen.packed.constBegin(); it != seen.packed.constEnd(); ++it)
        packed[it.key()] = packed.value(it.key(), *it).raisedTo(*it);
}

QJsonObject LayerFacts::toJson() const {
    QJsonObject json{{QStringLiteral("name"), name},
                     {QStringLiteral("output_bytes"), outputBytes},
                     {QStringLiteral("gradient_bytes"), gradientBytes},
                     {QStringLiteral("saved_bytes"), savedBytes},
                     {QStringLiteral("workspace_bytes"), workspaceBytes},
                     {QStringLiteral("parameter_bytes"), parameterBytes},
                     {QStringLiteral("trainable_bytes"), trainableBytes},
                     {QStringLiteral("buffer_bytes"), bufferBytes},
                     {QStringLiteral("minimum_samples"), minimumSamples}};
    if (!tied.empty())
        json[QStringLiteral("tied")] = tiedToJson(tied);
    if (!packed.isEmpty())
        json[QStringLiteral("packed")] = packedToJson(packed);
    return json;
}

Result<LayerFacts> LayerFacts::fromJson(const QJsonObject &object, const QString &source, const QString &path) {
    JsonReader reader(object, source, path);
    constexpr qint64 most = ProfileLimits::bytes;
    LayerFacts facts;
    facts.name = reader.string("name", QString());
    facts.outputBytes = reader.integer("output_bytes", 0, most);
    facts.gradientBytes = reader.integer("gradient_bytes", 0, most, facts.outputBytes);
    facts.savedBytes = reader.integer("saved_bytes", 0, most, 0);
    facts.workspaceBytes = reader.integer("workspace_bytes", 0, most, 0);
    facts.parameterBytes = reader.integer("parameter_bytes", 0, most, 0);
    facts.trainableBytes = reader.integer("trainable_bytes", 0, most, facts.parameterBytes);
    facts.bufferBytes = reader.integer("buffer_bytes", 0, most, 0);
    facts.minimumSamples = static_cast<int>(reader.integer("minimum_samples", 1, ProfileLimits::batch, 1));
    const QJsonArray tied = reader.array("tied", false);
    if (tied.size() > ProfileLimits::tiedTensors)
        reader.reject(QStringLiteral("tied"), sentence("There are too many."));
    const QJsonObject packed = reader.object("packed", false);
    if (packed.size() > ProfileLimits::codecs)
        reader.reject(QStringLiteral("packed"), sentence("There are too many."));
    if (reader.ok() && facts.trainableBytes > facts.parameterBytes) {
        reader.reject(QStringLiteral("trainable_bytes"),
                      sentence("It is more than parameter_bytes, of which it is a part."));
    }
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    auto read = tiedFromJson(tied, source, jsonPointer(path, QStringLiteral("tied")));
    if (!read)
        return tl::unexpected(read.error());
    facts.tied = std::move(*read);
    auto parts = packedFromJson(packed, source, jsonPointer(path, QStringLiteral("packed")));
    if (!parts)
        return tl::unexpected(parts.error());
    facts.packed = std::move(*parts);
    return facts;
}

Result<void> TimeTable::validate(qsizetype layers, const QString &source, const QString &where) const {
    const QString sizes = where + QStringLiteral("/batch");
    if (batch.empty() || batch.size() > static_cast<std::size_t>(ProfileLimits::batchSizes)) {
        return invalid(source, sizes, sentence("It must list 1 to %1 batch sizes.").arg(ProfileLimits::batchSizes));
    }
    for (std::size_t i = 0; i < batch.size(); ++i) {
        if (batch[i] < 1 || batch[i] > ProfileLimits::batch)
            return invalid(source, sizes, sentence("%1 is not a batch size.").arg(batch[i]));
        if (i > 0 && batch[i] <= batch[i - 1]) {
            return invalid(source, sizes, sentence("%1 follows %2.").arg(batch[i]).arg(batch[i - 1]),
                           sentence("Batch sizes must ascend."));
        }
    }
    if (auto ok = checkRows(forward, layers, batch.size(), source, where + QStringLiteral("/forward_s")); !ok)
        return ok;
    if (auto ok = checkRows(backward, layers, batch.size(), source, where + QStringLiteral("/backward_s")); !ok)
        return ok;
    bool any = false;
    for (std::size_t l = 0; l < forward.size(); ++l) {
        if (forward[l].empty() != backward[l].empty()) {
            return invalid(source, jsonPointer(where + QStringLiteral("/backward_s"), l),
                           sentence("Only one direction of the layer was measured."));
        }
        any |= isMeasured(l);
    }
    if (!any)
        return invalid(source, where, sentence("No layer was measured."));
    if (!weights.empty()) {
        if (auto ok = checkWeights(*this, layers, source, where + QStringLiteral("/backward_weights_s")); !ok)
            return ok;
    }
    return error.empty() ? Result<void>() : checkErrors(*this, source, where + QStringLiteral("/relative_error"));
}

bool TimeTable::isComplete() const {
    return std::none_of(forward.begin(), forward.end(), [](const std::vector<double> &row) { return row.empty(); });
}

bool TimeTable::isGuess() const {
    return isPredicted() && std::none_of(error.begin(), error.end(), [](const std::vector<double> &row) {
               return std::any_of(row.begin(), row.end(), [](double off) { return off <= 0; });
           });
}

double TimeTable::seconds(std::size_t i) const {
    double sum = 0;
    for (std::size_t l = 0; l < forward.size(); ++l)
        sum += forward[l][i] + backward[l][i];
    return sum;
}

double TimeTable::relativeError(std::size_t i) const {
    double all = 0, common = 0, own = 0;
    for (std::size_t l = 0; l < error.size(); ++l) {
        const double seconds = forward[l][i] + backward[l][i];
        all += seconds;
        common += error[l][i] * seconds;
        own += std::pow(error[l][i] * seconds, 2);
    }
    return all > 0 ? std::sqrt(commonError * common * common + (1 - commonError) * own) / all : 0;
}

void TimeTable::scale(double factor) {
    for (auto *rows : {&forward, &backward, &weights}) {
        for (std::vector<double> &row : *rows) {
            for (double &seconds : row)
                seconds = std::min(seconds * factor, ProfileLimits::seconds);
        }
    }
}

QJsonObject TimeTable::toJson() const {
    QJsonArray sizes;
    for (const int size : batch)
        sizes.append(size);
    QJsonObject object{{QStringLiteral("batch"), sizes},
                       {QStringLiteral("forward_s"), rowsToJson(forward)},
                       {QStringLiteral("backward_s"), rowsToJson(backward)}};
    if (!weights.empty())
        object[QStringLiteral("backward_weights_s")] = rowsToJson(weights);
    if (!error.empty())
        object[QStringLiteral("relative_error")] = rowsToJson(error);
    return object;
}

Result<TimeTable> TimeTable::fromJson(const QJsonObject &object, const QString &source, const QString &path) {
    JsonReader reader(object, source, path);
    TimeTable table;
    const QJsonArray sizes = reader.array("batch");
    if (sizes.size() > ProfileLimits::batchSizes)
        reader.reject(QStringLiteral("batch"), sentence("It has too many sizes."));
    for (qsizetype i = 0; i < sizes.size() && reader.ok(); ++i) {
        const double size = sizes[i].toDouble(-1);
        if (size < 1 || size > ProfileLimits::batch || size != std::floor(size)) {
            reader.rejectAt(jsonPointer(reader.pathOf(QStringLiteral("batch")), i),
                            sentence("A batch size is a whole number from 1."));
            break;
        }
        table.batch.push_back(static_cast<int>(size));
    }
    table.forward = rowsFromJson(reader, "forward_s");
    table.backward = rowsFromJson(reader, "backward_s");
    if (reader.has("backward_weights_s"))
        table.weights = rowsFromJson(reader, "backward_weights_s");
    if (reader.has("relative_error"))
        table.error = rowsFromJson(reader, "relative_error");
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    return table;
}

Result<void> ModelProfile::validate() const {
    const QString source = QStringLiteral("The profile of model %1").arg(model);
    if (layers.empty() || layers.size() > static_cast<std::size_t>(ProfileLimits::layers))
        return invalid(source, QStringLiteral("/layers"), sentence("It has no layers, or too many."));
    return times.validate(static_cast<qsizetype>(layers.size()), source, QStringLiteral("/times"));
}

QJsonObject ModelProfile::toJson() const {
    QJsonArray rows;
    for (const LayerFacts &facts : layers)
        rows.append(facts.toJson());
    QJsonObject object{{QStringLiteral("format"), QStringLiteral("hearth-profile/1")},
                       {QStringLiteral("device"), device},
                       {QStringLiteral("model"), model},
                       {QStringLiteral("sha256"), modelSha256},
                       {QStringLiteral("library"), library},
                       {QStringLiteral("compute_device"), computeDevice},
                       {QStringLiteral("precision"), precision},
                       {QStringLiteral("threads"), threads},
                       {QStringLiteral("bfloat16_gain"), bfloat16Gain},
                       {QStringLiteral("layers"), rows},
                       {QStringLiteral("times"), times.toJson()}};
    if (endOfMemoryBytes > 0)
        object[QStringLiteral("end_of_memory_bytes")] = endOfMemoryBytes;
    return object;
}

Result<ModelProfile> ModelProfile::fromJson(const QJsonObject &object, const QString &source) {
    JsonReader reader(object, source);
    reader.choice("format", {QStringLiteral("hearth-profile/1")});
    ModelProfile profile;
    profile.device = reader.string("device");
    profile.model = reader.string("model");
    profile.modelSha256 = reader.string("sha256");
    profile.library = reader.string("library");
    profile.computeDevice = reader.string("compute_device", profile.computeDevice);
    profile.precision = reader.choice("precision", precisionNames());
    profile.threads = static_cast<int>(reader.integer("threads", 1, ProfileLimits::threads));
    profile.bfloat16Gain = reader.number("bfloat16_gain", 0, ProfileLimits::gain, 0);
    profile.endOfMemoryBytes = reader.integer("end_of_memory_bytes", 0, ProfileLimits::bytes, 0);
    const QJsonArray rows = reader.array("layers");
    const QJsonObject times = reader.object("times");
    if (rows.size() > ProfileLimits::layers)
        reader.reject(QStringLiteral("layers"), sentence("It has too many layers."));
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    for (qsizetype i = 0; i < rows.size(); ++i) {
        auto facts = LayerFacts::fromJson(rows[i].toObject(), source, jsonPointer(QStringLiteral("/layers"), i));
        if (!facts)
            return tl::unexpected(facts.error());
        profile.layers.push_back(std::move(*facts));
    }
    auto table = TimeTable::fromJson(times, source, QStringLiteral("/times"));
    if (!table)
        return tl::unexpected(table.error());
    profile.times = std::move(*table);
    if (auto ok = profile.validate(); !ok)
        return tl::unexpected(ok.error());
    return profile;
}

QCborMap ModelProfile::toCbor() const {
    return QCborMap::fromJsonObject(toJson());
}

Result<ModelProfile> ModelProfile::fromCbor(const QCborMap &map) {
    return fromJson(map.toJsonObject(), QStringLiteral("The profile from a device"));
}

}  // namespace hearth
