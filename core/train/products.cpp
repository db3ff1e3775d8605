#include "core/train/products.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "core/train/compute_device.h"

namespace hearth {
namespace {

/// Additions and multiplications for each number that is rounded, from which on rounding gains on a processor that has
/// instructions for it. A library that convolves also changes the order of its memory.
constexpr double leastWork = 32, leastWorkOfBatches = 12, leastWorkOfConvolutions = 48;

double inverse(std::int64_t size) {
    return 1.0 / static_cast<double>(std::max<std::int64_t>(size, 1));
}

bool isLarge(const at::Tensor &a, const at::Tensor &b, Products in) {
    if (in == Products::AsGiven || a.scalar_type() != at::kFloat)
        return false;
    const double work = 1 / (inverse(a.size(-2)) + inverse(a.size(-1)) + inverse(b.size(-1)));
    return work >= (a.dim() == 2 && b.dim() == 2 ? leastWork : leastWorkOfBatches);
}

at::Tensor product(const at::Tensor &a, const at::Tensor &b) {
    return a.dim() == 3 ? at::bmm(a, b) : at::mm(a, b);
}

/// The shortest of a few.
double secondsOf(ComputeDevice &device, const at::Tensor &a, const at::Tensor &b, Products in, double enough) {
    constexpr int tries = 7;
    double shortest = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= tries; ++i) {
        const auto began = device.mark();
        multiply(a, b, in);
        const auto ended = device.mark();
        const double seconds = ended->secondsSince(*began);
        if (i > 0)  // the first one makes the library's kernel
            shortest = std::min(shortest, seconds);
        if (i > 0 && seconds > enough)
            break;
    }
    return shortest;
}

}  // namespace

Products productsFor(Precision precision, ComputeDevice &device) {
    const bool gains = precision == Precision::Bfloat16 && device.bfloat16Gain() >= leastGain;
    if (!gains)
        return Products::AsGiven;
    return device.isHost() ? Products::Bfloat16 : Products::Bfloat16Kept;
}

at::Tensor multiply(const at::Tensor &a, const at::Tensor &b, Products in) {
    if (isLarge(a, b, in))
        return product(rounded(a), rounded(b)).to(a.scalar_type());
    return product(a, b);
}

void multiplyInto(at::Tensor &result, const at::Tensor &bias, const at::Tensor &a, const at::Tensor &b, Products in) {
    if (isLarge(a, b, in)) {
        result.copy_(product(rounded(a), rounded(b)));
        if (bias.defined())
            result.add_(bias);
    } else if (bias.defined()) {
        at::addmm_out(result, bias, a, b);
    } else {
        at::mm_out(result, a, b);
    }
}

void addProduct(at::Tensor sum, const at::Tensor &a, const at::Tensor &b, Products in) {
    if (isLarge(a, b, in))
        sum.add_(product(rounded(a), rounded(b)));
    else
        sum.addmm_(a, b);
}

at::Tensor multiplyBroadcast(const at::Tensor &a, const at::Tensor &b, Products in) {
    if (a.dim() >= 2 && b.dim() >= 2 && isLarge(a, b, in))
        return at::matmul(rounded(a), rounded(b)).to(a.scalar_type());
    return at::matmul(a, b);
}

bool roundsConvolution(const at::Tensor &weight, Products in) {
    if (in == Products::AsGiven || weight.scalar_type() != at::kFloat)
        return false;
    return in == Products::Bfloat16Kept ||
           1 / (inverse(weight.size(0)) + inverse(weight.numel() / std::max<std::int64_t>(1, weight.size(0)))) >=
               leastWorkOfConvolutions;
}

double measureBfloat16Gain(ComputeDevice &device) {
    // A card is not filled by what keeps a processor busy.
    const std::int64_t rows = device.isHost() ? 128 : 2048, columns = device.isHost() ? 512 : 2048;
    constexpr double hopeless = 4;  // a device without instructions for it takes far longer: one try is enough
    const at::NoGradGuard guard;
    const at::Tensor a = device.fromHost(at::full({rows, columns}, 0.5, at::kFloat)),
                     b = device.fromHost(at::full({columns, columns}, 0.25, at::kFloat));
    const double plain = secondsOf(device, a, b, Products::AsGiven, std::numeric_limits<double>::infinity());
    const double inBfloat16 = secondsOf(device, a, b, Products::Bfloat16, hopeless * plain);
    return plain / inBfloat16;
}

}  // namespace hearth
