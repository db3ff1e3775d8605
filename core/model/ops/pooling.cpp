// Windows over images and rows without weights, and images of another size. Sizes round down unless "ceil" is set.
#include <array>
#include <cmath>

#include "core/model/ops/op_type.h"
#include "core/model/ops/window.h"

namespace hearth::detail {
namespace {

const QLatin1String countKey("count_padding"), sizeKey("size"), scaleKey("scale"), alignKey("align_corners");

QJsonObject readMaxPool(JsonReader &reader) {
    QJsonObject parameters;
    readWindow(reader, parameters, std::nullopt);
    // What is left out where it has the default was not there before: models of then keep their hash.
    if (reader.boolean("ceil", false))
        parameters[ceilKey] = true;
    return parameters;
}

QJsonObject readAveragePool(JsonReader &reader) {
    QJsonObject parameters;
    readWindow(reader, parameters, std::nullopt, false);
    if (reader.boolean("ceil", false))
        parameters[ceilKey] = true;
    if (!reader.boolean("count_padding", true))
        parameters[countKey] = false;
    return parameters;
}

/// No window may lie wholly in the border.
Result<void> fitPool(Op &op, const QString &place) {
    if (auto image = expectImageOrRow(op, place); !image)
        return image;
    const Window window = windowOf(op);
    for (std::size_t i = 0; i < 2; ++i) {
        if (2 * std::max(window.before[i], window.after[i]) > window.kernel[i]) {
            return fail(QStringLiteral("model.shape"), sentence("%1 does not fit.").arg(place),
                        sentence("Its padding is more than half of its kernel."),
                        sentence("Use a \"padding\" of at most half a \"kernel\"."));
        }
    }
    if (!window.isSymmetric() && (window.ceil || op.parameters.contains(countKey))) {
        return fail(QStringLiteral("model.shape"), sentence("%1 does not fit.").arg(place),
                    sentence("Its padding differs between the sides, and it has \"ceil\" or no \"count_padding\"."),
                    sentence("Put a pad before it."));
    }
    return fitWindow(op, op.inputShape()[0], place);
}

Result<void> fitAveragePool(Op &op, const QString &place) {
    auto fits = fitPool(op, place);
    if (op.parameters.value(paddingKey) == QJsonValue(0))
        op.parameters.remove(paddingKey);
    return fits;
}

Result<void> fitGlobalAveragePool(Op &op, const QString &place) {
    if (auto image = expectImage(op, place); !image)
        return image;
    op.outputShape = {op.inputShape()[0], 1, 1};
    return {};
}

QJsonObject readAdaptive(JsonReader &reader) {
    if (!reader.value("size").isArray()) {
        const int size = readSize(reader, "size", 1, ModelLimits::dimension);
        return {{sizeKey, QJsonArray{size, size}}};
    }
    const QJsonArray size = readWholes(reader, "size", 1, ModelLimits::dimension);
    if (reader.ok() && size.size() != 2)
        reader.reject(sizeKey, sentence("It has not two numbers."), sentence("Give [height, width]."));
    return {{sizeKey, size}};
}

Result<void> fitAdaptive(Op &op, const QString &place) {
    if (auto image = expectImage(op, place); !image)
        return image;
    const std::vector<qint64> size = op.list("size");
    op.outputShape = {op.inputShape()[0], size[0], size[1]};
    // One op has one description, so that equal models have equal hashes.
    if (size == std::vector<qint64>{1, 1}) {
        op.kind = QStringLiteral("global-average-pool");
        op.parameters = {};
    }
    return {};
}

OpCost costOfMaxPool(const Op &op) {
    OpCost cost = costKeepingInput(op);
    cost.keptBesides = 2 * elementCount(op.outputShape);  // 64-bit places of the largest
    return cost;
}

QJsonObject readUpsample(JsonReader &reader) {
    const QString nearest = QStringLiteral("nearest");
    QJsonObject parameters{{modeKey, reader.choice("mode", {nearest, QStringLiteral("bilinear")}, nearest)},
                           {alignKey, reader.boolean("align_corners", false)},
                           {sizeKey, QJsonValue::Null},
                           {scaleKey, QJsonValue::Null}};
    reader.ignore("size");
    reader.ignore("scale");
    if (reader.has("size") == reader.has("scale")) {
        reader.reject(sizeKey, sentence("It has neither \"size\" nor \"scale\", or both."),
                      sentence("Give one of them: a number or [height, width]."));
    }
    if (reader.has("size"))
        parameters[sizeKey] = readAdaptive(reader)[sizeKey];
    if (reader.has("scale")) {
        const QJsonValue scale = reader.value("scale");
        const QJsonArray both = scale.isArray() ? scale.toArray() : QJsonArray{scale, scale};
        const bool fine = both.size() == 2 && std::all_of(both.begin(), both.end(), [](const QJsonValue &value) {
                              return value.toDouble() >= 1e-3 && value.toDouble() <= 1e3;
                          });
        if (!fine)
            reader.reject(scaleKey, sentence("It is no scale."),
                          sentence("Give a number from 0.001 to 1000, or two of them: [height, width]."));
        parameters[scaleKey] = both;
    }
    return parameters;
}

Result<void> fitUpsample(Op &op, const QString &place) {
    if (auto image = expectImage(op, place); !image)
        return image;
    if (op.flag("align_corners") && op.word("mode") == QLatin1String("nearest")) {
        return fail(QStringLiteral("model.shape"), sentence("%1 does not fit.").arg(place),
                    sentence("\"align_corners\" means nothing in the mode nearest."),
                    sentence("Leave it out, or use the mode bilinear."));
    }
    op.outputShape = op.inputShape();
    for (std::size_t i = 0; i < 2; ++i) {
        const auto at = static_cast<qsizetype>(i);
        qint64 &side = op.outputShape[i + 1];
        side = op.has("size") ? op.parameters[sizeKey].toArray()[at].toInteger()
                              : static_cast<qint64>(std::floor(static_cast<double>(side) *
                                                               op.parameters[scaleKey].toArray()[at].toDouble()));
        if (side < 1) {
            return misfit(place, shapeText(op.inputShape()), sentence("an image that leaves at least one place"),
                          sentence("Use a larger \"scale\"."));
        }
    }
    return {};
}

OpCost costOfUpsample(const Op &op) {
    return costKeepingNothing(op, op.word("mode") == QLatin1String("nearest") ? 0 : 8);
}

}  // namespace

std::span<const OpType> poolingTypes() {
    static constexpr std::array types{
        OpType{.kind = "max-pool", .read = readMaxPool, .fit = fitPool, .cost = costOfMaxPool},
        OpType{.kind = "average-pool", .read = readAveragePool, .fit = fitAveragePool, .cost = costKeepingInput},
        OpType{.kind = "global-average-pool", .fit = fitGlobalAveragePool, .cost = costKeepingInput},
        OpType{.kind = "adaptive-average-pool", .read = readAdaptive, .fit = fitAdaptive, .cost = costKeepingInput},
        OpType{.kind = "upsample", .read = readUpsample, .fit = fitUpsample, .cost = costOfUpsample}};
    return types;
}

}  // namespace hearth::detail
