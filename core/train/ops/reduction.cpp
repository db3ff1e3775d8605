#include <array>

#include "core/train/ops/op_run.h"

namespace hearth {
namespace {

struct Over {
    std::vector<std::int64_t> dimensions;
    bool keep = false;
};

Over overOf(const Op &op) {
    Over over;
    for (const qint64 axis : op.list("axes"))
        over.dimensions.push_back(axis + 1);
    over.keep = op.flag("keep");
    return over;
}

/// As a sum: the library's mean keeps its input.
RunOp bindMean(const Op &op) {
    const auto count =
        static_cast<double>(elementCount(op.inputShape())) / static_cast<double>(elementCount(op.outputShape));
    return [over = overOf(op), count](const OpCall &call) {
        return call.input().sum(over.dimensions, over.keep).div_(count);
    };
}

RunOp bindSum(const Op &op) {
    return [over = overOf(op)](const OpCall &call) { return call.input().sum(over.dimensions, over.keep); };
}

RunOp bindMax(const Op &op) {
    return [over = overOf(op)](const OpCall &call) { return call.input().amax(over.dimensions, over.keep); };
}

}  // namespace

std::span<const OpRun> reductionRuns() {
    static constexpr std::array runs{OpRun{.kind = "mean", .bind = bindMean, .outputIsFree = true},
                                     OpRun{.kind = "sum", .bind = bindSum, .outputIsFree = true},
                                     OpRun{.kind = "max", .bind = bindMax}};
    return runs;
}

}  // namespace hearth
