// Ops that look at their input in another way, cut it or lay a border around it.
#include <algorithm>
#include <array>

#include "core/model/ops/op_type.h"

namespace hearth::detail {
namespace {

const QLatin1String startKey("start"), endKey("end"), indexKey("index"), toKey("to");
const QString realName = QStringLiteral("real"), wholeName = QStringLiteral("int64");

Result<void> fitFlatten(Op &op, const QString &) {
    op.outputShape = {elementCount(op.inputShape())};
    return {};
}

QJsonObject readReshape(JsonReader &reader) {
    const QJsonArray shape = readWholes(reader, "shape", -1, ModelLimits::dimension);
    const auto open = std::count(shape.begin(), shape.end(), QJsonValue(-1));
    if (reader.ok() && (open > 1 || shape.size() > 7 || shape.contains(QJsonValue(0))))
        reader.reject(shapeKey, sentence("It is no shape."),
                      sentence("Give up to 7 dimensions without the batch, each 1 or more; one may be -1."));
    return {{shapeKey, shape}};
}

Result<void> fitReshape(Op &op, const QString &place) {
    const qint64 elements = elementCount(op.inputShape());
    op.outputShape = op.list("shape");
    qint64 known = 1;
    for (const qint64 dimension : op.outputShape) {
        known *= std::max<qint64>(1, dimension);
        if (known > elements)
            break;
    }
    const auto open = std::find(op.outputShape.begin(), op.outputShape.end(), -1);
    if (open != op.outputShape.end() && known <= elements && elements % known == 0)
        *open = elements / known;
    if (known > elements || elementCount(op.outputShape) != elements) {
        return misfit(place, shapeText(op.inputShape()), sentence("as many elements as \"shape\" has"),
                      sentence("Correct \"shape\" (without the batch), or set one of its dimensions to -1."));
    }
    op.parameters[shapeKey] = shapeJson(op.outputShape);
    return {};
}

QJsonObject readTranspose(JsonReader &reader) {
    return {{QStringLiteral("axes"), readWholes(reader, "axes", -8, 7)}};
}

Result<void> fitTranspose(Op &op, const QString &place) {
    const Shape &in = op.inputShape();
    const auto rank = static_cast<qint64>(in.size());
    std::vector<bool> seen(in.size());
    op.outputShape.clear();
    QJsonArray axes;
    for (qint64 axis : op.list("axes")) {
        axis += axis < 0 ? rank : 0;
        if (axis < 0 || axis >= rank || seen[static_cast<std::size_t>(axis)])
            break;
        seen[static_cast<std::size_t>(axis)] = true;
        axes.append(axis);
        op.outputShape.push_back(in[static_cast<std::size_t>(axis)]);
    }
    if (axes.size() != rank || op.list("axes").size() != in.size()) {
        return misfit(place, shapeText(in), sentence("as many dimensions as \"axes\" names, each once"),
                      sentence("Name every dimension behind the batch once; the first is 0."));
    }
    op.parameters[QLatin1String("axes")] = axes;
    return {};
}

QJsonObject readSlice(JsonReader &reader) {
    return {{QStringLiteral("axis"), readSize(reader, "axis", -8, 7)},
            {startKey, reader.integer("start", -ModelLimits::dimension, ModelLimits::dimension, 0)},
            {endKey, readOptionalWhole(reader, "end", -ModelLimits::dimension, ModelLimits::dimension)},
            {QStringLiteral("step"), readSize(reader, "step", 1, ModelLimits::dimension, 1)}};
}

Result<void> fitSlice(Op &op, const QString &place) {
    if (auto axis = fitAxis(op, "axis", place); !axis)
        return axis;
    op.outputShape = op.inputShape();
    qint64 &size = op.outputShape[static_cast<std::size_t>(op.whole("axis"))];
    const auto placed = [size](qint64 at) { return std::clamp<qint64>(at < 0 ? at + size : at, 0, size); };
    const qint64 start = placed(op.whole("start")), end = op.has("end") ? placed(op.whole("end")) : size;
    if (start >= end) {
        return misfit(place, shapeText(op.inputShape()),
                      sentence("a dimension %1 with elements from \"start\" to \"end\"").arg(op.whole("axis")),
                      sentence("Correct \"start\" and \"end\"."));
    }
    op.parameters[startKey] = start;
    op.parameters[endKey] = end;
    size = (end - start + op.whole("step") - 1) / op.whole("step");
    return {};
}

QJsonObject readSelect(JsonReader &reader) {
    return {{QStringLiteral("axis"), readSize(reader, "axis", -8, 7)},
            {indexKey, readSize(reader, "index", -ModelLimits::dimension, ModelLimits::dimension)}};
}

Result<void> fitSelect(Op &op, const QString &place) {
    if (auto axis = fitAxis(op, "axis", place); !axis)
        return axis;
    op.outputShape = op.inputShape();
    const auto dimension = op.outputShape.begin() + op.whole("axis");
    const qint64 index = op.whole("index") + (op.whole("index") < 0 ? *dimension : 0);
    if (index < 0 || index >= *dimension) {
        return misfit(place, shapeText(op.inputShape()),
                      sentence("a dimension %1 with an element %2").arg(op.whole("axis")).arg(op.whole("index")),
                      sentence("Correct \"index\" (0 is the first, -1 the last)."));
    }
    op.parameters[indexKey] = index;
    op.outputShape.erase(dimension);
    return {};
}

QJsonObject readPad(JsonReader &reader) {
    const QJsonArray entries = reader.array("padding");
    for (const QJsonValue entry : entries) {
        const QJsonArray both = entry.toArray();
        const bool fine = both.size() == 2 && std::all_of(both.begin(), both.end(), [](const QJsonValue &value) {
                              return value.toDouble(-1) == value.toInteger(-1) && value.toInteger(-1) >= 0 &&
                                     value.toInteger() <= ModelLimits::dimension;
                          });
        if (!fine)
            reader.reject(paddingKey, sentence("It is no list of [before, after]."),
                          sentence("Give one pair of whole numbers for each dimension behind the batch."));
    }
    const QString constant = QStringLiteral("constant");
    return {
        {paddingKey, entries},
        {QStringLiteral("value"), reader.number("value", -largestNumber, largestNumber, 0)},
        {modeKey, reader.choice("mode", {constant, QStringLiteral("reflect"), QStringLiteral("replicate")}, constant)}};
}

Result<void> fitPad(Op &op, const QString &place) {
    const QJsonArray entries = op.parameters[paddingKey].toArray();
    const Shape &in = op.inputShape();
    if (entries.size() != static_cast<qsizetype>(in.size())) {
        return misfit(place, shapeText(in),
                      sentence("%1 {1|dimension|dimensions}, as \"padding\" has").arg(entries.size()),
                      sentence("Give [before, after] for each dimension behind the batch."));
    }
    const QString mode = op.word("mode");
    const bool constant = mode == QLatin1String("constant"), reflect = mode == QLatin1String("reflect");
    // The library's: up to three last dimensions, the first stays unless it is the only one.
    const std::size_t untouched = in.size() == 1 ? 0 : std::max<std::size_t>(1, in.size() > 3 ? in.size() - 3 : 1);
    op.outputShape = in;
    for (std::size_t i = 0; i < in.size(); ++i) {
        const auto both = entries[static_cast<qsizetype>(i)].toArray();
        const qint64 before = both[0].toInteger(), after = both[1].toInteger();
        if (!constant && before + after > 0 && (i < untouched || in.size() > 4)) {
            return misfit(place, shapeText(in),
                          sentence("to leave the first dimensions as they are in mode %1").arg(mode),
                          sentence("Lay borders around the last dimensions only, or use the mode constant."));
        }
        if (reflect && std::max(before, after) >= in[i]) {
            return misfit(place, shapeText(in), sentence("more elements than it reflects"),
                          sentence("Use less \"padding\" or another \"mode\"."));
        }
        op.outputShape[i] += before + after;
    }
    return {};
}

OpCost costOfPad(const Op &op) {
    OpCost cost = costKeepingNothing(op, 0);
    cost.keptInputs = op.word("mode") == QLatin1String("constant") ? 0 : 1;
    return cost;
}

QJsonObject readCast(JsonReader &reader) {
    return {{toKey, reader.choice("to", {realName, wholeName})}};
}

Result<void> fitCast(Op &op, const QString &) {
    op.outputShape = op.inputShape();
    op.outputKind = op.word("to") == realName ? ValueKind::Real : ValueKind::Int64;
    return {};
}

OpCost costOfCast(const Op &op) {
    return costKeepingNothing(op, 0);
}

}  // namespace

std::span<const OpType> shapeTypes() {
    static constexpr std::array types{
        OpType{.kind = "flatten", .takesInt64 = true, .fit = fitFlatten, .cost = costOfView},
        OpType{.kind = "reshape", .takesInt64 = true, .read = readReshape, .fit = fitReshape, .cost = costOfView},
        OpType{.kind = "transpose", .takesInt64 = true, .read = readTranspose, .fit = fitTranspose, .cost = costOfView},
        OpType{.kind = "slice", .takesInt64 = true, .read = readSlice, .fit = fitSlice, .cost = costOfView},
        OpType{.kind = "select", .takesInt64 = true, .read = readSelect, .fit = fitSelect, .cost = costOfView},
        OpType{.kind = "pad", .read = readPad, .fit = fitPad, .cost = costOfPad},
        OpType{.kind = "identity", .takesInt64 = true, .cost = costOfView},
        OpType{.kind = "cast", .takesInt64 = true, .read = readCast, .fit = fitCast, .cost = costOfCast}};
    return types;
}

}  // namespace hearth::detail
