#include <array>

#include "core/train/ops/op_run.h"

namespace hearth {
namespace {

RunOp bindBatchNorm(const Op &op) {
    return [momentum = op.number("momentum"), epsilon = op.number("epsilon")](const OpCall &call) {
        const bool statistics = !call.training || call.updateStatistics;
        const auto &own = call.tensors;
        return at::batch_norm(call.input(), own[0], own[1], statistics ? own[2] : at::Tensor(),
                              statistics ? own[3] : at::Tensor(), call.training, momentum, epsilon, false);
    };
}

constexpr std::array runs{OpRun{.kind = "batch-norm", .bind = bindBatchNorm, .outputIsFree = true}};

}  // namespace

std::span<const OpRun> normalizationRuns() {
    return runs;
}

}  // namespace hearth
