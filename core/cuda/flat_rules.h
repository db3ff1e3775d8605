// What happens to single elements of flat buffers, once for the processor's loops (core/train/flat_math.h) and once for
// the kernels here: the same operations in the same order. Compilers must not contract them (-ffp-contract=off,
// -fmad=false); then both have the same bits, but for those of a NaN. Plain C++14: CUDA 10.2 takes no more.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/base/generator.h"

#ifdef __CUDACC__
#define HEARTH_ANYWHERE __host__ __device__
#else
#define HEARTH_ANYWHERE
#endif

namespace hearth {

/// The scalars of one optimizer step, all worked out on the host in float64. Plain value.
struct StepFactors {
    enum class Rule : std::uint8_t { Sgd, Momentum, Nesterov, Adam };
    Rule rule = Rule::Sgd;
    double rate = 0;      // with the schedule's factor; Adam's over its first correction
    double decay = 0;     // this part of a weight is added to its gradient
    double kept = 1;      // AdamW: this part of a weight stays, whatever its gradient is
    double momentum = 0;  // SGD's
    double meanKept = 0, meanPart = 0, squareKept = 0, squarePart = 0;  // Adam's
    double root = 1;                                                    // of Adam's second correction
    double epsilon = 0;                                                 // Adam's
    bool hasAverage = false;                                            // of the weights, moving
    double averagePart = 0;                                             // what the new weights are of it
};

/// An optimizer's step for one element. T: float or double.
template <class T>
struct ElementStep {
    T rate, decay, kept, momentum, meanKept, meanPart, squareKept, squarePart, root, epsilon, averagePart;

    explicit ElementStep(const StepFactors &factors)
        : rate(static_cast<T>(factors.rate)),
          decay(static_cast<T>(factors.decay)),
          kept(static_cast<T>(factors.kept)),
          momentum(static_cast<T>(factors.momentum)),
          meanKept(static_cast<T>(factors.meanKept)),
          meanPart(static_cast<T>(factors.meanPart)),
          squareKept(static_cast<T>(factors.squareKept)),
          squarePart(static_cast<T>(factors.squarePart)),
          root(static_cast<T>(factors.root)),
          epsilon(static_cast<T>(factors.epsilon)),
          averagePart(static_cast<T>(factors.averagePart)) {}

    /// Weight decay leaves the element out.
    HEARTH_ANYWHERE void leaveOut() {
        decay = 0;
        kept = 1;
    }

    HEARTH_ANYWHERE void sgd(T &p, T g) const { p -= rate * (g + decay * p); }

    HEARTH_ANYWHERE void sgd(T &p, T g, T &velocity) const {
        const T v = momentum * velocity + (g + decay * p);
        velocity = v;
        p -= rate * v;
    }

    HEARTH_ANYWHERE void nesterov(T &p, T g, T &velocity) const {
        const T gradient = g + decay * p;
        const T v = momentum * velocity + gradient;
        velocity = v;
        p -= rate * (gradient + momentum * v);
    }

    HEARTH_ANYWHERE void adam(T &p, T g, T &mean, T &square) const {
        const T gradient = g + decay * p;
        const T m = meanKept * mean + meanPart * gradient;
        const T v = squareKept * square + squarePart * gradient * gradient;
        mean = m;
        square = v;
        p = kept * p - rate * (m / (std::sqrt(v) / root + epsilon));
    }

    HEARTH_ANYWHERE void average(T p, T &mean) const { mean += averagePart * (p - mean); }
};

/// What rounding a value lost goes to `error`.
template <class T>
HEARTH_ANYWHERE void takeRoundedElement(T &value, T &error, T rounded) {
    error = value - rounded;
    value = rounded;
}

/// An element of a dropout mask stays where its half of a word of the salt's stream is not below this.
inline std::uint32_t droppedBelow(double probability) {
    return static_cast<std::uint32_t>(probability * 4294967296.0);
}

HEARTH_ANYWHERE constexpr std::uint64_t wordOfElement(const Generator &stream, std::int64_t element) {
    return stream.word(static_cast<std::uint64_t>(element) / 2);
}

HEARTH_ANYWHERE constexpr std::uint8_t isKept(std::uint64_t word, std::int64_t element, std::uint32_t limit) {
    return static_cast<std::uint32_t>(element % 2 == 0 ? word : word >> 32) >= limit ? 1 : 0;
}

}  // namespace hearth
