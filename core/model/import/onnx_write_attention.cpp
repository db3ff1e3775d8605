// Tokens, positions and attention as nodes of ONNX.
#include <cmath>

#include "core/model/import/onnx_write.h"
#include "core/model/position_tables.h"

namespace hearth::onnx_export {
namespace {

Name embedding(const Call &call) {
    return call.writer.node("Gather", {call.weights.front(), call.x()});
}

Name parameter(const Call &call) {
    return call.writer.forEachSample(call.weights.front(), call.op.outputShape, call.x());
}

Name sinusoidal(const Call &call) {
    const Shape &shape = call.op.outputShape;
    return call.writer.forEachSample(call.writer.reals(shape, sinusoids(shape[0], shape[1])), shape, call.x());
}

Name rotary(const Call &call) {
    Writer &w = call.writer;
    const Shape &shape = call.op.inputShape();
    const qint64 tokens = shape[0], count = call.whole("heads"), head = shape[1] / count;
    const bool interleaved = call.value("style").toString() == QLatin1String("interleaved");
    const Rotations turns = rotations(tokens, head, call.number("base"), call.whole("offset"));
    const Name cosines = w.reals({tokens, 1, head / 2}, turns.cosines);
    const Name sines = w.reals({tokens, 1, head / 2}, turns.sines);
    const Name all = w.reshaped(call.x(), {tokens, count, head});
    const auto part = [&](qint64 first) {
        const qint64 start = interleaved ? first : first * head / 2;
        const qint64 end = interleaved ? head : start + head / 2;
        return w.node("Slice",
                      {all, w.wholes({start}), w.wholes({end}), w.wholes({3}), w.wholes({interleaved ? 2 : 1})});
    };
    const Name a = part(0), b = part(1);
    Name first = w.node("Sub", {w.node("Mul", {a, cosines}), w.node("Mul", {b, sines})});
    Name second = w.node("Add", {w.node("Mul", {b, cosines}), w.node("Mul", {a, sines})});
    if (interleaved) {
        first = w.reshaped(first, {tokens, count, head / 2, 1});
        second = w.reshaped(second, {tokens, count, head / 2, 1});
    }
    w.node("Concat", {first, second});
    return w.reshaped(w.with("axis", qint64{-1}).last(), shape);
}

/// Query, key or value {t, heads × features} → {heads, t, features}.
Name heads(const Call &call, const Name &x, const Shape &shape, qint64 count, qint64 repeats) {
    Writer &w = call.writer;
    const qint64 tokens = shape[0], features = shape[1] / count;
    Name result = w.reshaped(x, {tokens, count, features});
    w.node("Transpose", {result});
    result = w.with("perm", std::vector<qint64>{0, 2, 1, 3}).last();
    if (repeats == 1)
        return result;
    // As many heads of queries share one of keys.
    result = w.reshaped(result, {count, 1, tokens, features});
    result = w.node("Expand", {result, w.wholes({1, 1, repeats, 1, 1})});
    return w.reshaped(result, {count * repeats, tokens, features});
}

/// 1 where a key may be seen, 0 where not, to broadcast over {heads, queries, keys}; empty: all may be.
Name visible(const Call &call) {
    Writer &w = call.writer;
    const qint64 queries = call.op.inputShapes[0][0], keys = call.op.inputShapes[1][0];
    Name result;
    if (call.inputs.size() > 3) {
        const Shape &shape = call.op.inputShapes[3];
        const Name mask = w.reshaped(call.inputs[3], shape.size() == 1 ? Shape{1, 1, keys} : Shape{1, queries, keys});
        w.node("Cast", {mask});
        const Name seen = w.with("to", qint64{ONNX_NAMESPACE::TensorProto::BOOL}).last();
        w.node("Cast", {seen});
        result = w.with("to", qint64{w.realType()}).last();
    }
    if (!call.flag("causal"))
        return result;
    std::vector<double> past;
    for (qint64 t = 0; t < queries; ++t) {
        for (qint64 s = 0; s < keys; ++s)
            past.push_back(s > t ? 0 : 1);
    }
    const Name triangle = w.reals({queries, keys}, past);
    return result.empty() ? triangle : w.node("Mul", {result, triangle});
}

/// {heads, queries, keys}, to be added.
Name relativeBias(const Call &call) {
    Writer &w = call.writer;
    const QJsonObject relative = call.value("relative").toObject();
    const qint64 queries = call.op.inputShapes[0][0], keys = call.op.inputShapes[1][0];
    const std::vector<qint64> buckets = relativeBuckets(queries, keys, relative[QLatin1String("buckets")].toInt(),
                                                        relative[QLatin1String("max_distance")].toInt(),
                                                        relative[QLatin1String("bidirectional")].toBool());
    w.node("Transpose", {w.node("Gather", {call.weights.front(), w.wholes({queries, keys}, buckets)})});
    return w.with("perm", std::vector<qint64>{2, 0, 1}).last();
}

Name attention(const Call &call) {
    Writer &w = call.writer;
    const qint64 count = call.whole("heads"), keys = call.value("kv_heads").toInteger(count);
    const Shape &q = call.op.inputShapes[0], &k = call.op.inputShapes[1];
    const Name query = heads(call, call.inputs[0], q, count, 1);
    const Name key = heads(call, call.inputs[1], k, keys, count / keys);
    const Name value = heads(call, call.inputs[2], k, keys, count / keys);
    w.node("Transpose", {key});
    const Name turned = w.with("perm", std::vector<qint64>{0, 1, 3, 2}).last();
    const double factor =
        call.value("scale").isDouble() ? call.number("scale") : 1 / std::sqrt(static_cast<double>(q[1] / count));
    Name scores = w.node("Mul", {w.node("MatMul", {query, turned}), w.number(factor)});
    if (call.value("relative").isObject())
        scores = w.node("Add", {scores, relativeBias(call)});
    const Name seen = visible(call);
    if (!seen.empty()) {
        // What softmax makes zero.
        const Name hidden = w.node("Mul", {w.node("Sub", {w.number(1), seen}), w.number(-1e9)});
        scores = w.node("Add", {scores, hidden});
    }
    w.node("Softmax", {scores});
    Name weights = w.with("axis", qint64{-1}).last();
    // A query that sees nothing gets nothing.
    if (!seen.empty())
        weights = w.node("Mul", {weights, seen});
    w.node("Transpose", {w.node("MatMul", {weights, value})});
    return w.reshaped(w.with("perm", std::vector<qint64>{0, 2, 1, 3}).last(), q);
}

}  // namespace

void addAttentionWrites(WriteTable &table) {
    table[QStringLiteral("embedding")] = embedding;
    table[QStringLiteral("parameter")] = parameter;
    table[QStringLiteral("sinusoidal-positions")] = sinusoidal;
    table[QStringLiteral("rotary")] = rotary;
    table[QStringLiteral("attention")] = attention;
}

}  // namespace hearth::onnx_export
