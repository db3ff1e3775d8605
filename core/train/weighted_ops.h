// Convolutions and linear layers, differentiated by hand. Internal to core/train.
#pragma once

#include <functional>
#include <vector>

#include "core/train/torch_api.h"

namespace hearth {

struct ConvolutionShape {
    std::int64_t stride = 1, padding = 0, groups = 1;
};

/// Where backward passes of the below leave their gradients of weights: done at once, or kept for later, so that what
/// travels to the stage before is ready earlier. A pass that keeps them holds as many bytes as before it, at most. The
/// pass may run on another thread than its caller's (a device's own), which waits for it. Outlives every pass.
class WeightGradientQueue {
  public:
    struct Task {
        at::Tensor weight, bias;  // undefined: has no gradient
        std::function<void()> add;
    };
    /// Whether tasks are kept from now on; those that are stay.
    void setKeeping(bool keeping) { m_keeping = keeping; }
    void take(Task task);
    /// Whether this parameter's gradient is among those kept.
    bool holds(const at::TensorImpl *parameter) const;
    /// Computes what is kept, in the order of the backward pass; `done` is told each parameter whose gradient is
    /// complete.
    void run(const std::function<void(const at::Tensor &parameter)> &done);
    /// Forgets what is kept.
    void clear() { m_tasks.clear(); }

  private:
    bool m_keeping = false;
    std::vector<Task> m_tasks;
};

/// Their backward passes add to `weight.grad()` and `bias.grad()` in place (they must be there, of the parameters' own
/// layout, where those require gradients) instead of handing autograd a tensor to add. At the small extents of a
/// network's later layers pointwise convolutions are matrix products over channels-last memory, which the BLAS
/// multiplies 1.2 to 2.5 times as fast as oneDNN convolves; narrow depthwise ones have a weight gradient of their own
/// (depthwise.h); the rest is the library's (tests/bench/kernels). An undefined bias is none. x: {n,c,h,w}.
at::Tensor convolve(const at::Tensor &x, const at::Tensor &weight, const at::Tensor &bias,
                    const ConvolutionShape &shape, WeightGradientQueue &queue);
/// x: {n, in}, weight: {out, in}.
at::Tensor applyLinear(const at::Tensor &x, const at::Tensor &weight, const at::Tensor &bias,
                       WeightGradientQueue &queue);

}  // namespace hearth
