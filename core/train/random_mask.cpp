#include "core/train/random_mask.h"

#include "core/train/flat_math.h"

namespace hearth {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Elements that are worth another thread.
constexpr std::int64_t elementsPerThread = 1 << 16;

struct Drop : torch::autograd::Function<Drop> {
    static at::Tensor forward(AutogradContext *context, const at::Tensor &x, const at::Tensor &mask,
                              double probability) {
        context->save_for_backward({mask});
        context->saved_data["probability"] = probability;
        return scaleKept(x, mask, probability);
    }

    static variable_list backward(AutogradContext *context, const variable_list &gradients) {
        const at::Tensor mask = context->get_saved_variables()[0];
        return {scaleKept(gradients[0], mask, context->saved_data["probability"].toDouble()), {}, {}};
    }
};

}  // namespace

at::Tensor randomMask(const std::vector<std::int64_t> &sizes, const std::vector<std::int64_t> &strides,
                      double probability, std::uint64_t salt, ComputeDevice &device) {
    at::Tensor mask = device.allocate(sizes, strides, DType::UInt8);
    device.drawMask(mask, probability, salt);
    return mask;
}

at::Tensor scaleKept(const at::Tensor &x, const at::Tensor &mask, double probability) {
    const double factor = 1 / (1 - probability);
    const at::ScalarType type = x.scalar_type();
    if (!x.is_cpu() || (type != at::kFloat && type != at::kDouble) || x.sizes() != mask.sizes())
        return x.mul(mask.to(type).mul_(factor));
    at::Tensor in = x;
    if (x.strides() != mask.strides())  // in the mask's order of memory
        in = at::empty_strided(mask.sizes(), mask.strides(), x.options()).copy_(x);
    const at::Tensor y = at::empty_strided(mask.sizes(), mask.strides(), x.options());
    const auto bytes = static_cast<std::int64_t>(x.element_size());
    const auto *from = static_cast<const std::byte *>(in.data_ptr());
    auto *to = static_cast<std::byte *>(y.data_ptr());
    const auto *kept = mask.data_ptr<std::uint8_t>();
    at::parallel_for(0, y.numel(), elementsPerThread, [&](std::int64_t first, std::int64_t last) {
        multiplyKept(to + first * bytes, from + first * bytes, kept + first, factor, last - first,
                     type == at::kDouble ? DType::Float64 : DType::Float32);
    });
    return y;
}

at::Tensor dropWithMask(const at::Tensor &x, const at::Tensor &mask, double probability) {
    return Drop::apply(x, mask, probability);
}

}  // namespace hearth
