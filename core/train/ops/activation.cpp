#include <array>

#include "core/train/ops/op_run.h"

namespace hearth {
namespace {

RunOp bindReLU(const Op &) {
    return [](const OpCall &call) { return call.mayOverwrite ? call.input().relu_() : call.input().relu(); };
}

RunOp bindReLU6(const Op &) {
    return [](const OpCall &call) {
        at::Tensor x = call.input();
        return call.mayOverwrite ? at::hardtanh_(x, 0, 6) : at::hardtanh(x, 0, 6);
    };
}

constexpr std::array runs{OpRun{.kind = "relu", .bind = bindReLU}, OpRun{.kind = "relu6", .bind = bindReLU6}};

}  // namespace

std::span<const OpRun> activationRuns() {
    return runs;
}

}  // namespace hearth
