// Scaled dot-product attention: softmax(scale · query · keyᵀ + bias) · value, for each head.
#include <array>

#include "core/model/ops/op_type.h"

namespace hearth::detail {
namespace {

const QLatin1String headsKey("heads"), keyHeadsKey("kv_heads"), relativeKey("relative");

QJsonValue readRelative(JsonReader &reader) {
    if (!reader.has("relative")) {
        reader.ignore("relative");
        return QJsonValue::Null;
    }
    JsonReader relative(reader.object("relative"), reader.source(), reader.pathOf(relativeKey));
    const bool both = relative.boolean("bidirectional", true);
    // Half of them for exact distances, each way.
    const int buckets = readSize(relative, "buckets", both ? 4 : 2, 1 << 12, 32);
    const QJsonObject parameters{
        {QStringLiteral("buckets"), buckets},
        {QStringLiteral("max_distance"), readSize(relative, "max_distance", buckets, ModelLimits::dimension, 128)},
        {QStringLiteral("bidirectional"), both}};
    if (auto finished = relative.finish(); !finished)
        reader.reject(relativeKey, finished.error().cause, finished.error().advice);
    return parameters;
}

QJsonObject read(JsonReader &reader) {
    const int heads = readSize(reader, "heads", 1, ModelLimits::dimension);
    const int keyHeads = readSize(reader, "kv_heads", 1, ModelLimits::dimension, heads);
    if (reader.ok() && heads % keyHeads != 0) {
        reader.reject(keyHeadsKey,
                      sentence("%1 heads of keys do not divide %2 {2|head|heads}.").arg(keyHeads).arg(heads),
                      sentence("As many heads of queries must share each head of keys."));
    }
    return {{headsKey, heads},
            {keyHeadsKey, keyHeads},
            {QStringLiteral("causal"), reader.boolean("causal", false)},
            {QStringLiteral("scale"), readOptionalNumber(reader, "scale", -largestNumber, largestNumber)},
            {QStringLiteral("dropout"), reader.number("dropout", 0, 0.99, 0)},
            {relativeKey, readRelative(reader)}};
}

Result<void> fit(Op &op, const QString &place) {
    const Shape &query = op.inputShapes[0], &key = op.inputShapes[1], &value = op.inputShapes[2];
    const int heads = op.whole("heads"), keyHeads = op.whole("kv_heads");
    const QString all = QStringLiteral("%1, %2, %3").arg(shapeText(query), shapeText(key), shapeText(value));
    for (std::size_t i = 0; i < op.inputShapes.size(); ++i) {
        if (auto kind = expectKind(op, i, i < 3 ? ValueKind::Real : ValueKind::Int64, place); !kind)
            return kind;
    }
    if (query.size() != 2 || key.size() != 2 || value.size() != 2) {
        return misfit(place, all, sentence("query, key and value of tokens×features each"),
                      sentence("Reshape what it takes."));
    }
    if (query[1] % heads != 0) {
        return misfit(place, all, sentence("features that %1 heads divide").arg(heads), sentence("Change \"heads\"."));
    }
    if (key != value || key[1] != query[1] / heads * keyHeads) {
        return misfit(
            place, all,
            sentence("keys and values of one shape, with %1 {1|feature|features} for each of %2 {2|head|heads}")
                .arg(query[1] / heads)
                .arg(keyHeads),
            sentence("Change \"kv_heads\", or the ops that give keys and values."));
    }
    if (op.inputShapes.size() == 4) {
        const Shape &mask = op.inputShapes[3];
        if (mask != Shape{key[0]} && mask != Shape{query[0], key[0]}) {
            return misfit(place, shapeText(mask), sentence("a mask of %1 or of %2×%1").arg(key[0]).arg(query[0]),
                          sentence("Give 1 for each key that may be seen and 0 for the others."));
        }
    }
    op.outputShape = query;
    return {};
}

std::vector<TensorSpec> tensors(const Op &op, bool) {
    if (!op.has("relative"))
        return {};
    const int buckets = op.parameters[relativeKey].toObject()[QLatin1String("buckets")].toInt();
    TensorSpec bias = constantTensor("relative_bias", 0, InitKind::Zero);
    bias.shape = {buckets, op.whole("heads")};
    return {bias};
}

OpCost cost(const Op &op) {
    const auto scores = op.whole("heads") * op.inputShapes[0][0] * op.inputShapes[1][0];
    const auto perHead = static_cast<double>(op.inputShapes[0][1] / op.whole("heads"));
    OpCost cost;
    cost.macs = 2 * static_cast<double>(scores) * perHead;
    cost.flops = 2 * cost.macs + 12 * static_cast<double>(scores);  // softmax
    cost.keptInputs = 0b111;
    cost.keptBesides = scores;  // what softmax gave
    if (op.number("dropout") > 0)
        cost.keptBesides += (scores + 3) / 4;  // bytes
    return cost;
}

}  // namespace

std::span<const OpType> attentionTypes() {
    static constexpr std::array types{OpType{.kind = "attention",
                                             .leastInputs = 3,
                                             .mostInputs = 4,
                                             .takesInt64 = true,
                                             .read = read,
                                             .fit = fit,
                                             .tensors = tensors,
                                             .cost = cost}};
    return types;
}

}  // namespace hearth::detail
