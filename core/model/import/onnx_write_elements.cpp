// What works on elements and dimensions as nodes of ONNX.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/model/import/onnx_write.h"

namespace hearth::onnx_export {
namespace {

Write plain(const char *type) {
    return [type](const Call &call) { return call.writer.node(type, {call.x()}); };
}

/// Values of unequal rank are aligned at the end per sample; ONNX would take the batch for one of the dimensions.
Names aligned(const Call &call) {
    std::size_t rank = 0;
    for (const Shape &shape : call.op.inputShapes)
        rank = std::max(rank, shape.size());
    Names names;
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
        Shape shape = call.op.inputShapes[i];
        if (shape.size() == rank) {
            names.push_back(call.inputs[i]);
            continue;
        }
        shape.insert(shape.begin(), rank - shape.size(), 1);
        names.push_back(call.writer.reshaped(call.inputs[i], shape));
    }
    return names;
}

Write joining(const char *type) {
    return [type](const Call &call) {
        const Names names = aligned(call);
        Name result = names.front();
        for (std::size_t i = 1; i < names.size(); ++i)
            result = call.writer.node(type, {result, names[i]});
        return result;
    };
}

Name silu(const Call &call) {
    return call.writer.node("Mul", {call.x(), call.writer.node("Sigmoid", {call.x()})});
}

Name gelu(const Call &call) {
    Writer &w = call.writer;
    Name inner;
    if (call.value("approximate").toString() == QLatin1String("tanh")) {
        const Name cube = w.node("Mul", {w.node("Mul", {call.x(), call.x()}), call.x()});
        const Name sum = w.node("Add", {call.x(), w.node("Mul", {cube, w.number(0.044715)})});
        inner = w.node("Tanh", {w.node("Mul", {sum, w.number(std::sqrt(2 / M_PI))})});
    } else {
        inner = w.node("Erf", {w.node("Mul", {call.x(), w.number(std::sqrt(0.5))})});
    }
    const Name half = w.node("Mul", {call.x(), w.number(0.5)});
    return w.node("Mul", {half, w.node("Add", {inner, w.number(1)})});
}

/// In the precision of the weights; the attribute of ONNX's own operator is float32.
Name hardSigmoid(const Call &call) {
    Writer &w = call.writer;
    const Name line = w.node("Add", {w.node("Mul", {call.x(), w.number(1.0 / 6)}), w.number(0.5)});
    return w.node("Clip", {line, w.number(0), w.number(1)});
}

Name hardSwish(const Call &call) {
    return call.writer.node("Mul", {call.x(), hardSigmoid(call)});
}

Name leakyRelu(const Call &call) {
    const Name result = call.writer.node("LeakyRelu", {call.x()});
    call.writer.with("alpha", call.number("slope"));
    return result;
}

Name elu(const Call &call) {
    const Name result = call.writer.node("Elu", {call.x()});
    call.writer.with("alpha", call.number("alpha"));
    return result;
}

Name clip(const Call &call) {
    Writer &w = call.writer;
    Names names{call.x()};
    if (call.op.kind == QLatin1String("relu6")) {
        names.push_back(w.number(0));
        names.push_back(w.number(6));
    } else {
        names.push_back(call.value("min").isNull() ? Name() : w.number(call.number("min")));
        if (!call.value("max").isNull())
            names.push_back(w.number(call.number("max")));
    }
    return w.node("Clip", names);
}

Name power(const Call &call) {
    return call.writer.node("Pow", {call.x(), call.writer.number(call.number("exponent"))});
}

Name scale(const Call &call) {
    const Name product = call.writer.node("Mul", {call.x(), call.writer.number(call.number("factor"))});
    return call.writer.node("Add", {product, call.writer.number(call.number("offset"))});
}

Write alongAxis(const char *type) {
    return [type](const Call &call) {
        const Name result = call.writer.node(type, {call.x()});
        call.writer.with("axis", call.axis("axis"));
        return result;
    };
}

Name concat(const Call &call) {
    const Name result = call.writer.node("Concat", call.inputs);
    call.writer.with("axis", call.axis("axis"));
    return result;
}

Name slice(const Call &call) {
    Writer &w = call.writer;
    const qint64 end = call.value("end").isNull() ? std::numeric_limits<qint64>::max() : call.whole("end");
    return w.node("Slice", {call.x(), w.wholes({call.whole("start")}), w.wholes({end}), w.wholes({call.axis("axis")}),
                            w.wholes({call.value("step").toInteger(1)})});
}

Name select(const Call &call) {
    const Name result = call.writer.node("Gather", {call.x(), call.writer.whole(call.whole("index"))});
    call.writer.with("axis", call.axis("axis"));
    return result;
}

Name pad(const Call &call) {
    std::vector<qint64> before{0}, after{0};
    for (const QJsonValue pair : call.value("padding").toArray()) {
        before.push_back(pair[0].toInteger());
        after.push_back(pair[1].toInteger());
    }
    before.insert(before.end(), after.begin(), after.end());
    const QString mode = call.value("mode").toString();
    const Name result =
        call.writer.node("Pad", {call.x(), call.writer.wholes(before), call.writer.number(call.number("value"))});
    call.writer.with("mode", mode == QLatin1String("reflect")     ? "reflect"
                             : mode == QLatin1String("replicate") ? "edge"
                                                                  : "constant");
    return result;
}

Name view(const Call &call) {
    return call.writer.reshaped(call.x(), call.op.outputShape);
}

Name transpose(const Call &call) {
    std::vector<qint64> order{0};
    for (const qint64 axis : call.list("axes"))
        order.push_back(axis + 1);
    const Name result = call.writer.node("Transpose", {call.x()});
    call.writer.with("perm", order);
    return result;
}

Write reduction(const char *type) {
    return [type](const Call &call) {
        std::vector<qint64> axes;
        for (const qint64 axis : call.list("axes"))
            axes.push_back(axis < 0 ? axis : axis + 1);
        const bool isSum = std::string(type) == "ReduceSum";  // the first whose axes became an input
        const Name result =
            isSum ? call.writer.node(type, {call.x(), call.writer.wholes(axes)}) : call.writer.node(type, {call.x()});
        if (!isSum)
            call.writer.with("axes", axes);
        call.writer.with("keepdims", qint64{call.flag("keep")});
        return result;
    };
}

Name upsample(const Call &call) {
    const bool isLinear = call.value("mode").toString() == QLatin1String("bilinear");
    Names inputs{call.x(), Name()};
    if (const QJsonArray scale = call.value("scale").toArray(); !scale.isEmpty()) {
        inputs.push_back(call.writer.floats({1, 1, scale[0].toDouble(), scale[1].toDouble()}));
    } else {
        const Name batch = call.writer.node("Shape", {call.x()});
        call.writer.with("start", qint64{0}).with("end", qint64{1});
        const Name sizes = call.writer.node("Concat", {batch, call.writer.wholes(call.op.outputShape)});
        call.writer.with("axis", qint64{0});
        inputs.insert(inputs.end(), {Name(), sizes});
    }
    const Name result = call.writer.node("Resize", inputs);
    call.writer.with("mode", isLinear ? "linear" : "nearest")
        .with("coordinate_transformation_mode", !isLinear                    ? "asymmetric"
                                                : call.flag("align_corners") ? "align_corners"
                                                                             : "half_pixel");
    if (!isLinear)
        call.writer.with("nearest_mode", "floor");
    return result;
}

Name cast(const Call &call) {
    const Name result = call.writer.node("Cast", {call.x()});
    const bool isWhole = call.value("to").toString() == QLatin1String("int64");
    call.writer.with("to", qint64{isWhole ? ONNX_NAMESPACE::TensorProto::INT64 : call.writer.realType()});
    return result;
}

struct Named {
    const char *kind;
    const char *type;
};

constexpr Named plainOnes[]{{"relu", "Relu"},
                            {"sigmoid", "Sigmoid"},
                            {"tanh", "Tanh"},
                            {"softplus", "Softplus"},
                            {"exp", "Exp"},
                            {"log", "Log"},
                            {"sqrt", "Sqrt"},
                            {"neg", "Neg"},
                            {"abs", "Abs"},
                            {"erf", "Erf"},
                            {"reciprocal", "Reciprocal"},
                            {"global-average-pool", "GlobalAveragePool"},
                            {"dropout", "Identity"},
                            {"stochastic-depth", "Identity"},
                            {"identity", "Identity"}};
constexpr Named joiningOnes[]{{"add", "Add"},     {"sub", "Sub"},     {"mul", "Mul"},      {"div", "Div"},
                              {"maximum", "Max"}, {"minimum", "Min"}, {"matmul", "MatMul"}};
constexpr Named reducingOnes[]{{"mean", "ReduceMean"}, {"sum", "ReduceSum"}, {"max", "ReduceMax"}};

}  // namespace

void addElementWrites(WriteTable &table) {
    for (const Named &each : plainOnes)
        table[QLatin1String(each.kind)] = plain(each.type);
    for (const Named &each : joiningOnes)
        table[QLatin1String(each.kind)] = joining(each.type);
    for (const Named &each : reducingOnes)
        table[QLatin1String(each.kind)] = reduction(each.type);
    table[QStringLiteral("softmax")] = alongAxis("Softmax");
    table[QStringLiteral("log-softmax")] = alongAxis("LogSoftmax");
    table[QStringLiteral("flatten")] = view;
    table[QStringLiteral("reshape")] = view;
    table[QStringLiteral("relu6")] = clip;
    table[QStringLiteral("clip")] = clip;
    table[QStringLiteral("silu")] = silu;
    table[QStringLiteral("gelu")] = gelu;
    table[QStringLiteral("hard-sigmoid")] = hardSigmoid;
    table[QStringLiteral("hard-swish")] = hardSwish;
    table[QStringLiteral("leaky-relu")] = leakyRelu;
    table[QStringLiteral("elu")] = elu;
    table[QStringLiteral("power")] = power;
    table[QStringLiteral("scale")] = scale;
    table[QStringLiteral("concat")] = concat;
    table[QStringLiteral("slice")] = slice;
    table[QStringLiteral("select")] = select;
    table[QStringLiteral("pad")] = pad;
    table[QStringLiteral("transpose")] = transpose;
    table[QStringLiteral("upsample")] = upsample;
    table[QStringLiteral("cast")] = cast;
}

}  // namespace hearth::onnx_export
