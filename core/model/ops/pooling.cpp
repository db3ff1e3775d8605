// Sizes round down; average pooling has no padding.
#include <array>

#include "core/model/ops/op_type.h"

namespace hearth::detail {
namespace {

QJsonObject readAveragePool(JsonReader &reader) {
    QJsonObject parameters;
    const int kernel = readSize(reader, "kernel", 1, largestKernel);
    parameters[QLatin1String("kernel")] = kernel;
    parameters[QLatin1String("stride")] = readSize(reader, "stride", 1, largestKernel, kernel);
    return parameters;
}

QJsonObject readMaxPool(JsonReader &reader) {
    QJsonObject parameters = readAveragePool(reader);
    // Half a kernel at most: no window may lie wholly in the border.
    const int kernel = parameters[QLatin1String("kernel")].toInt();
    parameters[QLatin1String("padding")] = readSize(reader, "padding", 0, kernel / 2, 0);
    return parameters;
}

Result<void> fitAveragePool(Op &op, const QString &place) {
    if (auto image = expectImage(op, place); !image)
        return image;
    return fitWindow(op, op.inputShape()[0], 0, place);
}

Result<void> fitMaxPool(Op &op, const QString &place) {
    if (auto image = expectImage(op, place); !image)
        return image;
    return fitWindow(op, op.inputShape()[0], op.whole("padding"), place);
}

Result<void> fitGlobalAveragePool(Op &op, const QString &place) {
    op.outputShape = {op.inputShape()[0], 1, 1};
    return expectImage(op, place);
}

OpCost maxPoolCost(const Op &op) {
    OpCost cost = costKeepingInput(op);
    cost.kept += 2 * elementCount(op.outputShape);  // 64-bit places of the largest
    return cost;
}

constexpr std::array types{
    OpType{.kind = "max-pool", .read = readMaxPool, .fit = fitMaxPool, .cost = maxPoolCost},
    OpType{.kind = "average-pool", .read = readAveragePool, .fit = fitAveragePool, .cost = costKeepingInput},
    OpType{.kind = "global-average-pool", .fit = fitGlobalAveragePool, .cost = costKeepingInput}};

}  // namespace

std::span<const OpType> poolingTypes() {
    return types;
}

}  // namespace hearth::detail
