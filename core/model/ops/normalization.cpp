#include <array>

#include "core/model/ops/op_type.h"

namespace hearth::detail {
namespace {

QJsonObject readBatchNorm(JsonReader &reader) {
    QJsonObject parameters;
    parameters[QLatin1String("epsilon")] = reader.number("epsilon", 1e-12, 1.0, 1e-5);
    parameters[QLatin1String("momentum")] = reader.number("momentum", 0.0, 1.0, 0.1);
    return parameters;
}

Result<void> fitBatchNorm(Op &op, const QString &place) {
    op.outputShape = op.inputShape();
    return expectImage(op, place);
}

std::vector<TensorSpec> batchNormTensors(const Op &op, bool) {
    const qint64 channels = op.outputShape[0];
    std::vector<TensorSpec> tensors{constantTensor("weight", channels, InitKind::One),
                                    constantTensor("bias", channels, InitKind::Zero),
                                    constantTensor("running_mean", channels, InitKind::Zero),
                                    constantTensor("running_var", channels, InitKind::One)};
    tensors[2].role = tensors[3].role = TensorRole::Statistics;
    return tensors;
}

OpCost batchNormCost(const Op &op) {
    OpCost cost = costKeepingInput(op);
    cost.flops *= 4;
    // The variance of a single value is none.
    cost.minimumSamples = op.inputShape()[1] * op.inputShape()[2] == 1 ? 2 : 1;
    return cost;
}

constexpr std::array types{OpType{.kind = "batch-norm",
                                  .role = OpRole::Normalization,
                                  .read = readBatchNorm,
                                  .fit = fitBatchNorm,
                                  .tensors = batchNormTensors,
                                  .cost = batchNormCost}};

}  // namespace

std::span<const OpType> normalizationTypes() {
    return types;
}

}  // namespace hearth::detail
