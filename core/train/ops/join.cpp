#include <array>

#include "core/train/ops/op_run.h"

namespace hearth {
namespace {

RunOp bindAdd(const Op &) {
    return [](const OpCall &call) {
        at::Tensor sum = call.input();
        bool own = call.mayOverwrite;
        for (const at::Tensor &next : call.inputs.subspan(1)) {
            sum = own ? sum.add_(next) : sum.add(next);
            own = true;
        }
        return sum;
    };
}

constexpr std::array runs{OpRun{.kind = "add", .bind = bindAdd, .outputIsFree = true}};

}  // namespace

std::span<const OpRun> joinRuns() {
    return runs;
}

}  // namespace hearth
