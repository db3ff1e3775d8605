#include "core/model/training_spec.h"

#include <algorithm>

#include "core/base/json_reader.h"
#include "core/model/loss_facts.h"

namespace hearth {
namespace {

constexpr int largestPad = 1 << 10;

QStringList precisions() {
    return {QStringLiteral("float32"), QStringLiteral("float64")};
}

}  // namespace

int OptimizerSpec::stateFactor() const {
    if (kind == Kind::Adam)
        return 2;
    return momentum != 0 ? 1 : 0;
}

Result<OptimizerSpec> OptimizerSpec::fromJson(const QJsonObject &object, const QString &source, const QString &path) {
    JsonReader reader(object, source, path);
    OptimizerSpec spec;
    const QString adam = QStringLiteral("adam");
    spec.kind = reader.choice("kind", {QStringLiteral("sgd"), adam}) == adam ? Kind::Adam : Kind::Sgd;
    if (reader.ok()) {
        const bool isAdam = spec.kind == Kind::Adam;
        spec.learningRate = reader.number("learning_rate", 0, 1e6, isAdam ? 0.001 : 0.05);
        spec.weightDecay = reader.number("weight_decay", 0, 1e6, 0.0);
        if (isAdam) {
            spec.momentum = 0;
            spec.beta1 = reader.number("beta1", 0, 0.999999999, 0.9);
            spec.beta2 = reader.number("beta2", 0, 0.999999999, 0.999);
            spec.epsilon = reader.number("epsilon", 0, 1, 1e-8);
        } else {
            spec.momentum = reader.number("momentum", 0, 0.999999999, 0.9);
        }
    }
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    return spec;
}

QJsonObject OptimizerSpec::toJson() const {
    QJsonObject object{{QStringLiteral("learning_rate"), learningRate}, {QStringLiteral("weight_decay"), weightDecay}};
    if (kind == Kind::Adam) {
        object[QStringLiteral("kind")] = QStringLiteral("adam");
        object[QStringLiteral("beta1")] = beta1;
        object[QStringLiteral("beta2")] = beta2;
        object[QStringLiteral("epsilon")] = epsilon;
    } else {
        object[QStringLiteral("kind")] = QStringLiteral("sgd");
        object[QStringLiteral("momentum")] = momentum;
    }
    return object;
}

DType dtypeOf(Precision precision) {
    return precision == Precision::Float64 ? DType::Float64 : DType::Float32;
}

QString precisionName(Precision precision) {
    return precisions().at(precision == Precision::Float64 ? 1 : 0);
}

std::optional<Precision> precisionFromName(const QString &name) {
    if (name == precisions().at(0))
        return Precision::Float32;
    if (name == precisions().at(1))
        return Precision::Float64;
    return std::nullopt;
}

Shape InputTransform::outputShape(const Shape &sample) const {
    return {sample.at(0) * repeatChannels, sample.at(1) + 2 * pad[0], sample.at(2) + 2 * pad[1]};
}

std::optional<Shape> InputTransform::sampleShape(const Shape &input) const {
    if (input.size() != 3 || input[0] % repeatChannels != 0)
        return std::nullopt;
    const Shape sample{input[0] / repeatChannels, input[1] - 2 * pad[0], input[2] - 2 * pad[1]};
    if (std::ranges::any_of(sample, [](qint64 dimension) { return dimension < 1; }))
        return std::nullopt;
    return sample;
}

Result<InputTransform> InputTransform::fromJson(const QJsonObject &object, const QString &source, const QString &path) {
    JsonReader reader(object, source, path);
    InputTransform transform;
    transform.scale = reader.number("scale", -1e6, 1e6, transform.scale);
    if (reader.has("pad")) {
        const QJsonArray pad = reader.array("pad");
        for (int i = 0; i < 2; ++i) {
            transform.pad[static_cast<std::size_t>(i)] = pad[i].toInt(-1);
            if (pad.size() != 2 || pad[i].toInt(-1) < 0 || pad[i].toInt(-1) > largestPad) {
                reader.reject(QStringLiteral("pad"), sentence("It is not a pair of border widths."),
                              sentence("Give [rows, columns], each from 0 to %1.").arg(largestPad));
            }
        }
    } else {
        reader.ignore("pad");
    }
    transform.repeatChannels = static_cast<int>(reader.integer("repeat_channels", 1, 1024, 1));
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    return transform;
}

QJsonObject InputTransform::toJson() const {
    return {{QStringLiteral("scale"), scale},
            {QStringLiteral("pad"), QJsonArray{pad[0], pad[1]}},
            {QStringLiteral("repeat_channels"), repeatChannels}};
}

Result<TrainingSpec> TrainingSpec::fromJson(const QJsonObject &object, const QString &source, const QString &path) {
    JsonReader reader(object, source, path);
    TrainingSpec spec;
    const QJsonObject optimizer = reader.object("optimizer");
    const QString precision = reader.choice("precision", precisions(), precisionName(spec.precision));
    spec.precision = precisionFromName(precision).value_or(spec.precision);
    spec.seed = static_cast<quint64>(reader.integer("seed", 0, maximumSeed, 1));
    spec.loss = reader.choice("loss", LossFacts::names(), spec.loss);
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    auto parsed = OptimizerSpec::fromJson(optimizer, source, reader.pathOf(QStringLiteral("optimizer")));
    if (!parsed)
        return tl::unexpected(parsed.error());
    spec.optimizer = *parsed;
    return spec;
}

QJsonObject TrainingSpec::toJson() const {
    return {{QStringLiteral("optimizer"), optimizer.toJson()},
            {QStringLiteral("precision"), precisionName(precision)},
            {QStringLiteral("seed"), static_cast<qint64>(seed)},
            {QStringLiteral("loss"), loss}};
}

Result<TrainingSpec> TrainingSpec::fromCbor(const QCborMap &map, const QString &source) {
    return fromJson(map.toJsonObject(), source, QStringLiteral("training"));
}

QCborMap TrainingSpec::toCbor() const {
    return QCborMap::fromJsonObject(toJson());
}

}  // namespace hearth
