// Convolutions and linear layers, differentiated by hand. Internal to core/train.
#pragma once

#include <functional>
#include <vector>

#include "core/train/torch_api.h"

namespace hearth {

struct ConvolutionShape {
    std::int64_t stride = 1, padding = 0, groups = 1;
};

/// Their backward passes add to `weight.grad()` and `bias.grad()` in place (both must be there, of the parameters' own
/// layout) instead of handing autograd a tensor to add. At the small extents of a network's later layers pointwise
/// convolutions are matrix products over channels-last memory, which the BLAS multiplies 1.2 to 2.5 times as fast as
/// oneDNN convolves; narrow depthwise ones have a weight gradient of their own (depthwise.h); the rest is the library's
/// (tests/bench/kernels). An undefined bias is none. x: {n,c,h,w}.
at::Tensor convolve(const at::Tensor &x, const at::Tensor &weight, const at::Tensor &bias,
                    const ConvolutionShape &shape);
/// x: {n, in}, weight: {out, in}.
at::Tensor applyLinear(const at::Tensor &x, const at::Tensor &weight, const at::Tensor &bias);

/// While one lives, backward passes of this thread keep the weight gradients of the above back: what travels to the
/// stage before is ready earlier. A pass that keeps them back holds as many bytes as before it, at most. One at a time.
class LateWeightGradients {
  public:
    LateWeightGradients();
    ~LateWeightGradients();
    LateWeightGradients(const LateWeightGradients &) = delete;
    LateWeightGradients &operator=(const LateWeightGradients &) = delete;

    /// Whether this parameter's gradient is among those kept back.
    bool holds(const at::TensorImpl *parameter) const;
    /// Computes them, in the order of the backward pass; `done` is told each parameter whose gradient is complete.
    void run(const std::function<void(const at::Tensor &parameter)> &done);

    struct Task {
        at::Tensor weight, bias;
        std::function<void()> add;
    };
    /// Keeps `task` back if one lives on this thread; else runs it at once.
    static void keepOrRun(Task task);

  private:
    std::vector<Task> m_tasks;
};

}  // namespace hearth
