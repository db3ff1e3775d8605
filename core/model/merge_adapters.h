// Adapters that become a part of the network's own weights, or leave it.
#pragma once

#include <vector>

#include "core/base/error.h"
#include "core/model/model.h"
#include "core/model/named_tensor.h"

namespace hearth {

/// LoRA beside one op: factor · B · A of what it takes. Refers to the model.
struct LoraPlace {
    const Op *op = nullptr;
    const Op *a = nullptr;
    const Op *b = nullptr;
    double factor = 1;
    double dropout = 0;

    int rank() const { return a->whole("features"); }
};
/// All of a network that withAdapters() made, in its order. Errors: "adapters.none"; "adapters.not-linear", which
/// bottlenecks are not. Any thread.
Result<std::vector<LoraPlace>> loraOf(const Model &model);

/// The name of an op's weight in the network.
QString weightNameOf(const Op &op);
/// Names of tensors that withAdapters() added.
bool isLoraTensor(const QString &name);
bool isBottleneckTensor(const QString &name);

/// The weights of the network that withAdapters() was given, which answers with them as the one with adapters does: W +
/// alpha / rank · B · A where LoRA stands beside a linear op, all others as they are. `model` is the one with adapters,
/// `weights` are all of its tensors by name, as a file has them. Errors: those of loraOf(); "adapters.tied", where
/// another op has the same weight; "weights.mismatch". Any thread.
Result<std::vector<NamedTensor>> mergedWeights(const Model &model, std::vector<NamedTensor> weights);

/// The network that those weights belong to. Errors: those of loraOf().
Result<Model> withoutLora(const Model &model);

}  // namespace hearth
