// Convolutions, linear layers and embeddings, differentiated by hand. Internal to core/train.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "core/train/products.h"
#include "core/train/torch_api.h"

namespace hearth {

/// In height and width, of which a row {n,c,l} has the width alone.
struct ConvolutionShape {
    using Pair = std::array<std::int64_t, 2>;
    Pair stride{1, 1}, before{0, 0}, after{0, 0}, dilation{1, 1};  // before and after: padding
    Pair extra{0, 0};  // of a transposed one: places behind the last, its "output_padding"
    std::int64_t groups = 1;
    bool transposed = false;

    /// The same in both directions.
    static ConvolutionShape square(std::int64_t stride, std::int64_t padding, std::int64_t groups) {
        return {{stride, stride}, {padding, padding}, {padding, padding}, {1, 1}, {0, 0}, groups, false};
    }
};

/// Where backward passes of the below leave their gradients of weights: done at once, or kept for later, so that what
/// travels to the stage before is ready earlier. A pass that keeps them holds as many bytes as before it, at most. The
/// pass may run on another thread than its caller's (a device's own), which waits for it. Several passes may be kept;
/// they are run one by one, the oldest first. Outlives every pass.
class WeightGradientQueue {
  public:
    struct Task {
        at::Tensor weight, bias;  // undefined: has no gradient
        std::function<void()> add;
    };
    /// Tasks are done at once from now on; those that are kept stay.
    void doAtOnce() { m_keeping = false; }
    /// Tasks are kept from now on, as those of one more pass.
    void keepPass() { m_keeping = true, m_passes.emplace_back(); }
    void take(Task task);
    /// Whether some of this parameter's gradient is among those kept.
    bool holds(const at::TensorImpl *parameter) const;
    /// Computes what is kept of the oldest pass, in its order; `done` is told each parameter of which nothing more is
    /// kept, once, however many ops and passes have it.
    void runPass(const std::function<void(const at::Tensor &parameter)> &done);
    /// Forgets what is kept.
    void clear() { m_passes.clear(); }

  private:
    bool m_keeping = false;
    std::deque<std::vector<Task>> m_passes;
};

/// Their backward passes add to `weight.grad()` and `bias.grad()` in place (they must be there, of the parameters' own
/// layout, where those require gradients) instead of handing autograd a tensor to add. At the small extents of a
/// network's later layers pointwise convolutions are matrix products over channels-last memory, which the BLAS
/// multiplies 1.2 to 2.5 times as fast as oneDNN convolves; narrow depthwise ones have a weight gradient of their own
/// (depthwise.h); the rest is the library's (tests/bench/kernels). An undefined bias is none. x: {n,c,h,w} or {n,c,l};
/// weight: {out, in / groups, h, w} or without h, of a transposed one {in, out / groups, …}.
at::Tensor convolve(const at::Tensor &x, const at::Tensor &weight, const at::Tensor &bias,
                    const ConvolutionShape &shape, WeightGradientQueue &queue, Products products = Products::AsGiven);
/// x: {…, in}, weight: {out, in}, or {in, out} where it is transposed.
at::Tensor applyLinear(const at::Tensor &x, const at::Tensor &weight, const at::Tensor &bias,
                       WeightGradientQueue &queue, bool transposed = false, Products products = Products::AsGiven);
/// Rows of a table {rows, features} by number: int64 {…} to {…, features}. The gradient is added to the rows that were
/// taken, not made for all; row `padding` gets none.
at::Tensor lookUp(const at::Tensor &table, const at::Tensor &rows, std::optional<std::int64_t> padding,
                  WeightGradientQueue &queue);

}  // namespace hearth
