#include <QJsonArray>
#include <array>

#include "core/train/ops/op_run.h"

namespace hearth {
namespace {

RunOp bindFlatten(const Op &) {
    return [](const OpCall &call) { return call.input().flatten(1); };
}

RunOp bindReshape(const Op &op) {
    std::vector<std::int64_t> sizes{0};
    for (const qint64 dimension : op.outputShape)
        sizes.push_back(dimension);
    return [sizes](const OpCall &call) mutable {
        sizes.front() = call.input().size(0);
        return call.input().reshape(sizes);
    };
}

RunOp bindTranspose(const Op &op) {
    std::vector<std::int64_t> dimensions{0};
    for (const qint64 axis : op.list("axes"))
        dimensions.push_back(axis + 1);
    return [dimensions](const OpCall &call) { return call.input().permute(dimensions); };
}

RunOp bindSlice(const Op &op) {
    return [dimension = op.whole("axis") + 1, start = op.whole("start"), end = op.whole("end"),
            step = op.whole("step")](const OpCall &call) { return call.input().slice(dimension, start, end, step); };
}

RunOp bindSelect(const Op &op) {
    return [dimension = op.whole("axis") + 1, index = op.whole("index")](const OpCall &call) {
        return call.input().select(dimension, index);
    };
}

RunOp bindPad(const Op &op) {
    const std::string mode = op.word("mode").toStdString();
    const QJsonArray entries = op.parameters[QLatin1String("padding")].toArray();
    // The library begins with the last dimension, and wants as many as its kernels have where it reflects.
    const auto rank = static_cast<qsizetype>(op.inputShape().size());
    const qsizetype dimensions = mode == "constant" ? rank : std::max<qsizetype>(1, rank - 1);
    std::vector<std::int64_t> padding;
    for (qsizetype i = 0; i < dimensions; ++i) {
        const QJsonArray both = entries[rank - 1 - i].toArray();
        padding.push_back(both[0].toInteger());
        padding.push_back(both[1].toInteger());
    }
    return [padding, mode, value = op.number("value")](const OpCall &call) {
        if (mode == "constant")
            return at::constant_pad_nd(call.input(), padding, value);
        return at::pad(call.input(), padding, mode);
    };
}

RunOp bindIdentity(const Op &) {
    return [](const OpCall &call) { return call.input(); };
}

RunOp bindCast(const Op &op) {
    return [whole = op.outputKind == ValueKind::Int64](const OpCall &call) {
        return call.input().to(whole ? at::kLong : call.real);
    };
}

}  // namespace

std::span<const OpRun> shapeRuns() {
    static constexpr std::array runs{
        OpRun{.kind = "flatten", .bind = bindFlatten},     OpRun{.kind = "reshape", .bind = bindReshape},
        OpRun{.kind = "transpose", .bind = bindTranspose}, OpRun{.kind = "slice", .bind = bindSlice},
        OpRun{.kind = "select", .bind = bindSelect},       OpRun{.kind = "pad", .bind = bindPad, .outputIsFree = true},
        OpRun{.kind = "identity", .bind = bindIdentity},   OpRun{.kind = "cast", .bind = bindCast}};
    return runs;
}

}  // namespace hearth
