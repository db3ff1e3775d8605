#include <array>

#include "core/train/ops/op_run.h"

namespace hearth {
namespace {

RunOp bindMaxPool(const Op &op) {
    return
        [kernel = op.whole("kernel"), stride = op.whole("stride"), padding = op.whole("padding")](const OpCall &call) {
            return at::max_pool2d(call.input(), {kernel, kernel}, {stride, stride}, {padding, padding});
        };
}

RunOp bindAveragePool(const Op &op) {
    return [kernel = op.whole("kernel"), stride = op.whole("stride")](const OpCall &call) {
        return at::avg_pool2d(call.input(), {kernel, kernel}, {stride, stride}, {0, 0}, false, false);
    };
}

RunOp bindGlobalAveragePool(const Op &) {
    return [](const OpCall &call) { return at::adaptive_avg_pool2d(call.input(), {1, 1}); };
}

constexpr std::array runs{OpRun{.kind = "max-pool", .bind = bindMaxPool},
                          OpRun{.kind = "average-pool", .bind = bindAveragePool},
                          OpRun{.kind = "global-average-pool", .bind = bindGlobalAveragePool}};

}  // namespace

std::span<const OpRun> poolingRuns() {
    return runs;
}

}  // namespace hearth
