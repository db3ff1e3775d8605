#include <array>

#include "core/train/ops/op_run.h"

namespace hearth {
namespace {

RunOp bindFlatten(const Op &) {
    return [](const OpCall &call) { return call.input().flatten(1); };
}

constexpr std::array runs{OpRun{.kind = "flatten", .bind = bindFlatten}};

}  // namespace

std::span<const OpRun> shapeRuns() {
    return runs;
}

}  // namespace hearth
