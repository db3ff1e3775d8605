#include <QJsonArray>
#include <array>
#include <limits>

#include "core/model/ops/window.h"
#include "core/train/ops/op_run.h"

namespace hearth {
namespace {

std::vector<std::int64_t> listOf(const std::array<qint64, 2> &pair) {
    return {pair[0], pair[1]};
}

/// Runs a pooling of images over images or rows, with a border of `outside` where the sides of its padding differ.
template <class Pool>
RunOp pooling(const Op &op, double outside, Pool pool) {
    detail::Window window = detail::windowOf(op);
    std::vector<std::int64_t> border;
    if (!window.isSymmetric()) {
        border = {window.before[1], window.after[1], window.before[0], window.after[0]};
        window.before = window.after = {0, 0};
    }
    return [window, border, outside, pool, row = op.inputShape().size() == 2](const OpCall &call) {
        at::Tensor x = row ? call.input().unsqueeze(2) : call.input();
        if (!border.empty())
            x = at::constant_pad_nd(x, border, outside);
        const at::Tensor y = pool(x, window);
        return row ? y.squeeze(2) : y;
    };
}

RunOp bindMaxPool(const Op &op) {
    return pooling(op, -std::numeric_limits<double>::infinity(), [](const at::Tensor &x, const detail::Window &window) {
        return at::max_pool2d(x, listOf(window.kernel), listOf(window.stride), listOf(window.before),
                              listOf(window.dilation), window.ceil);
    });
}

RunOp bindAveragePool(const Op &op) {
    const bool count = !op.has("count_padding");
    return pooling(op, 0, [count](const at::Tensor &x, const detail::Window &window) {
        return at::avg_pool2d(x, listOf(window.kernel), listOf(window.stride), listOf(window.before), window.ceil,
                              count);
    });
}

RunOp bindGlobalAveragePool(const Op &) {
    return [](const OpCall &call) { return at::adaptive_avg_pool2d(call.input(), {1, 1}); };
}

RunOp bindAdaptive(const Op &op) {
    return [size = std::vector<std::int64_t>{op.outputShape[1], op.outputShape[2]}](const OpCall &call) {
        return at::adaptive_avg_pool2d(call.input(), size);
    };
}

RunOp bindUpsample(const Op &op) {
    const std::vector<std::int64_t> size{op.outputShape[1], op.outputShape[2]};
    const QJsonArray scales = op.parameters[QLatin1String("scale")].toArray();
    const auto scale = [&](qsizetype i) {
        return scales.isEmpty() ? c10::optional<double>() : c10::optional<double>(scales[i].toDouble());
    };
    if (op.word("mode") == QLatin1String("nearest")) {
        return [size, high = scale(0), wide = scale(1)](const OpCall &call) {
            return at::upsample_nearest2d(call.input(), size, high, wide);
        };
    }
    return [size, align = op.flag("align_corners"), high = scale(0), wide = scale(1)](const OpCall &call) {
        return at::upsample_bilinear2d(call.input(), size, align, high, wide);
    };
}

}  // namespace

std::span<const OpRun> poolingRuns() {
    static constexpr std::array runs{OpRun{.kind = "max-pool", .bind = bindMaxPool, .takesRounded = true},
                                     OpRun{.kind = "average-pool", .bind = bindAveragePool, .takesRounded = true},
                                     OpRun{.kind = "global-average-pool", .bind = bindGlobalAveragePool},
                                     OpRun{.kind = "adaptive-average-pool", .bind = bindAdaptive},
                                     OpRun{.kind = "upsample", .bind = bindUpsample, .outputIsFree = true}};
    return runs;
}

}  // namespace hearth
