// How ops are run with LibTorch: the other half of core/model/ops. Internal to core/train.
#pragma once

#include <functional>
#include <span>

#include "core/model/model.h"
#include "core/model/ops/families.h"
#include "core/train/compute_device.h"
#include "core/train/torch_api.h"
#include "core/train/weighted_ops.h"

namespace hearth {

/// One call of an op. Images are {n, c, h, w}.
struct OpCall {
    ComputeDevice &device;                  // all tensors lie in its memory
    WeightGradientQueue &queue;             // of the pass back
    std::span<const at::Tensor> inputs{};   // in the order of Op::from
    std::span<const at::Tensor> tensors{};  // the op's own, in the order of its entry in core/model/ops
    bool mayOverwrite = false;              // the first input: nobody else reads it
    bool training = true;
    bool updateStatistics = true;      // false in a pass that is repeated later
    at::ScalarType real = at::kFloat;  // of the run's values
    Products products = Products::AsGiven;
    std::uint64_t salt = 0;  // of random choices: a repeated pass makes the same ones

    const at::Tensor &input() const { return inputs.front(); }
};
using RunOp = std::function<at::Tensor(const OpCall &)>;

/// One entry for each OpType.
struct OpRun {
    const char *kind = "";
    /// Parameters are read once, here.
    RunOp (*bind)(const Op &op) = nullptr;
    /// Autograd keeps the inputs of the op or nothing, not its output: the next op may overwrite it.
    bool outputIsFree = false;
    /// It computes on bfloat16 as on float32 (Products::Bfloat16Kept); all others get float32.
    bool takesRounded = false;
};

/// The entry of that kind.
const OpRun &runOf(const QString &kind);

#define HEARTH_DECLARE(family) std::span<const OpRun> family##Runs();
HEARTH_OP_FAMILIES(HEARTH_DECLARE)
#undef HEARTH_DECLARE

}  // namespace hearth
