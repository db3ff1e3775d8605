// Matrix products and convolutions whose factors may be rounded to bfloat16. Internal to core/train.
#pragma once

#include "core/model/training_spec.h"
#include "core/train/torch_api.h"

namespace hearth {

class ComputeDevice;

/// Bfloat16: the factors of large products are rounded to it, sums inside are float32 as the library makes them, and
/// the result is rounded once and handed back in float32. Small products, where rounding takes longer than it saves,
/// are computed as they are. Bfloat16Kept: of convolutions of any size it stays in bfloat16, also through ops behind
/// them that take it (OpRun::takesRounded): a card waits for its memory more than for its arithmetic.
enum class Products : quint8 { AsGiven, Bfloat16, Bfloat16Kept };

/// What a run of this precision multiplies in on this device: bfloat16 where the device is faster in it by `leastGain`,
/// kept where its memory is not the host's.
Products productsFor(Precision precision, ComputeDevice &device);
constexpr double leastGain = 1.2;

/// Of two matrices, or two batches of as many.
at::Tensor multiply(const at::Tensor &a, const at::Tensor &b, Products in);
/// a · b + bias (undefined: none) into `result`, which has its place.
void multiplyInto(at::Tensor &result, const at::Tensor &bias, const at::Tensor &a, const at::Tensor &b, Products in);
/// sum += a · b of matrices; the sum stays in its own type.
void addProduct(at::Tensor sum, const at::Tensor &a, const at::Tensor &b, Products in);
/// As at::matmul, which broadcasts; autograd knows it.
at::Tensor multiplyBroadcast(const at::Tensor &a, const at::Tensor &b, Products in);

/// Whether a convolution of one group, and no transposed one, with this weight {out, in, …} is rounded.
bool roundsConvolution(const at::Tensor &weight, Products in);
inline at::Tensor rounded(const at::Tensor &x) {
    return x.to(at::kBFloat16);
}

/// How many times as fast as in float32 the device multiplies in bfloat16, rounding included; a processor with the
/// threads that LibTorch has now. Takes some milliseconds.
double measureBfloat16Gain(ComputeDevice &device);

}  // namespace hearth
