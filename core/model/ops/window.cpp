#include "core/model/ops/window.h"

#include "core/model/ops/op_type.h"

namespace hearth::detail {
namespace {

const QLatin1String kernelKey("kernel"), strideKey("stride"), dilationKey("dilation");

/// A number, or a list of them of one of two lengths.
QJsonValue readNumbers(JsonReader &reader, const char *key, int minimum, std::optional<qint64> fallback,
                       qsizetype longest) {
    if (!reader.has(key) || !reader.value(key).isArray())
        return readSize(reader, key, minimum, largestKernel, fallback);
    const QJsonArray numbers = readWholes(reader, key, minimum, largestKernel);
    if (reader.ok() && numbers.size() != 2 && numbers.size() != longest) {
        reader.reject(QLatin1String(key), sentence("The list has %1 {1|number|numbers}.").arg(numbers.size()),
                      longest == 2 ? sentence("Give one number, or [height, width].")
                                   : sentence("Give one number, [height, width], or [top, left, bottom, right]."));
    }
    return numbers;
}

bool isRow(const Op &op) {
    return op.inputShape().size() == 2;
}

/// As in Window; `neutral` is what a row has in height.
std::array<qint64, 2> pairFrom(const QJsonValue &value, bool row, qint64 neutral) {
    if (!value.isArray())
        return {row ? neutral : value.toInteger(), value.toInteger()};
    return {value[0].toInteger(), value[1].toInteger()};
}

/// Equal windows have one form.
void shorten(Op &op, QLatin1String key, qint64 neutral) {
    QJsonValue value = op.parameters.value(key);
    if (value.isUndefined())
        return;
    if (const QJsonArray four = value.toArray(); four.size() == 4 && four[0] == four[2] && four[1] == four[3])
        value = QJsonArray{four[0], four[1]};
    if (const QJsonArray two = value.toArray();
        two.size() == 2 && (isRow(op) ? two[0].toInteger() == neutral : two[0] == two[1]))
        value = two[1];
    op.parameters[key] = value;
}

}  // namespace

void readWindow(JsonReader &reader, QJsonObject &parameters, std::optional<qint64> strideFallback, bool mayDilate) {
    parameters[kernelKey] = readNumbers(reader, "kernel", 1, std::nullopt, 2);
    const bool asKernel = !strideFallback && !reader.has("stride");
    parameters[strideKey] = asKernel ? parameters[kernelKey] : readNumbers(reader, "stride", 1, strideFallback, 2);
    parameters[paddingKey] = readNumbers(reader, "padding", 0, 0, 4);
    if (mayDilate)
        parameters[dilationKey] = readNumbers(reader, "dilation", 1, 1, 2);
}

Window windowOf(const Op &op) {
    const auto pair = [&op](QLatin1String key, qint64 neutral) {
        const QJsonValue value = op.parameters.value(key);
        return value.isUndefined() ? std::array{neutral, neutral} : pairFrom(value, isRow(op), neutral);
    };
    Window window;
    window.kernel = pair(kernelKey, 1);
    window.stride = pair(strideKey, 1);
    window.dilation = pair(dilationKey, 1);
    window.before = window.after = pair(paddingKey, 0);
    if (const QJsonArray four = op.parameters.value(paddingKey).toArray(); four.size() == 4)
        window.after = {four[2].toInteger(), four[3].toInteger()};
    window.ceil = op.parameters.value(ceilKey).toBool();
    return window;
}

std::array<qint64, 2> pairOf(const Op &op, const char *parameter, qint64 fallback) {
    const QJsonValue value = op.parameters.value(QLatin1String(parameter));
    return value.isUndefined() ? std::array{fallback, fallback} : pairFrom(value, isRow(op), fallback);
}

void shortenPair(Op &op, const char *parameter, qint64 fallback) {
    const QLatin1String key(parameter);
    shorten(op, key, fallback);
    if (op.parameters.value(key) == QJsonValue(fallback))
        op.parameters.remove(key);
}

void shortenWindow(Op &op) {
    shorten(op, kernelKey, 1);
    shorten(op, strideKey, 1);
    shorten(op, paddingKey, 0);
    shortenPair(op, "dilation", 1);
}

Result<void> fitWindow(Op &op, qint64 channels, const QString &place) {
    const Window window = windowOf(op);
    shortenWindow(op);
    op.outputShape = {channels};
    for (std::size_t i = isRow(op) ? 1 : 0; i < 2; ++i) {
        const qint64 size = op.inputShape()[i + op.inputShape().size() - 2];
        const qint64 room = size + window.before[i] + window.after[i] - window.extent(i);
        if (room < 0) {
            const qint64 least = size - room;
            return misfit(place, shapeText(op.inputShape()),
                          isRow(op) ? sentence("a length of at least %1").arg(least)
                          : i == 0  ? sentence("at least %1 in height and width").arg(least)
                                    : sentence("at least %1 in width").arg(least),
                          sentence("Use a smaller kernel, more padding, or fewer strides before it."));
        }
        qint64 places = (room + (window.ceil ? window.stride[i] - 1 : 0)) / window.stride[i] + 1;
        // As PyTorch: the last window begins inside the image or the padding before it.
        if (window.ceil && (places - 1) * window.stride[i] >= size + window.before[i])
            --places;
        op.outputShape.push_back(places);
    }
    return {};
}

Result<void> expectImageOrRow(const Op &op, const QString &place) {
    if (op.inputShape().size() == 3 || isRow(op))
        return {};
    return misfit(place, shapeText(op.inputShape()), sentence("channels×height×width or channels×length"),
                  sentence("Move it before the flatten, or reshape what it takes."));
}

}  // namespace hearth::detail
