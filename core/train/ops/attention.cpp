#include "core/train/attention.h"

#include <QJsonObject>
#include <array>
#include <cmath>

#include "core/model/position_tables.h"
#include "core/train/ops/op_run.h"
#include "core/train/random_mask.h"

namespace hearth {
namespace {

AttentionShape shapeOf(const Op &op) {
    AttentionShape shape;
    shape.heads = op.whole("heads");
    shape.keyHeads = op.whole("kv_heads");
    shape.causal = op.flag("causal");
    const auto features = static_cast<double>(op.inputShape()[1] / shape.heads);
    shape.scale = op.has("scale") ? op.number("scale") : 1 / std::sqrt(features);
    shape.dropout = op.number("dropout");
    return shape;
}

at::Tensor bucketsOf(const Op &op) {
    if (!op.has("relative"))
        return {};
    const QJsonObject relative = op.parameters[QLatin1String("relative")].toObject();
    auto numbers = relativeBuckets(
        op.inputShapes[0][0], op.inputShapes[1][0], relative[QLatin1String("buckets")].toInt(),
        relative[QLatin1String("max_distance")].toInt(), relative[QLatin1String("bidirectional")].toBool());
    return at::from_blob(numbers.data(), {static_cast<std::int64_t>(numbers.size())}, at::kLong).clone();
}

RunOp bind(const Op &op) {
    return [shape = shapeOf(op), buckets = bucketsOf(op)](const OpCall &call) {
        AttentionInputs inputs{call.inputs[0], call.inputs[1], call.inputs[2], {}, {}, {}, {}};
        if (call.inputs.size() == 4)
            inputs.mask = call.inputs[3];
        if (buckets.defined()) {
            inputs.relative = call.tensors[0];
            inputs.buckets = call.device.fromHost(buckets);
        }
        if (call.training && shape.dropout > 0) {
            const std::int64_t t = inputs.query.size(1), s = inputs.key.size(1);
            inputs.kept = randomMask({inputs.query.size(0), shape.heads, t, s}, {shape.heads * t * s, t * s, s, 1},
                                     shape.dropout, call.salt, call.device);
        }
        return attend(inputs, shape, call.products);
    };
}

}  // namespace

std::span<const OpRun> attentionRuns() {
    static constexpr std::array runs{OpRun{.kind = "attention", .bind = bind, .outputIsFree = true}};
    return runs;
}

}  // namespace hearth
