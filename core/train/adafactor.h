// Adafactor's step for one tensor (Shazeer and Stern 2018, "Adafactor: Adaptive Learning Rates with Sublinear Memory
// Cost"). Internal to core/train. No LibTorch: plain memory.
#pragma once

#include <cstddef>

#include "core/train/flat_math.h"

namespace hearth {

struct AdafactorStep {
    const OptimizerSpec &spec;
    double rate;   // with the schedule's factor
    double decay;  // of this tensor
    quint64 step;  // t, from 1
};

/// Algorithm 4, and for tensors of fewer than two dimensions algorithm 5; matrices are the last two dimensions of a
/// tensor, as in fairseq and transformers. With the constants of algorithm 6: epsilon1 1e-30, epsilon2 1e-3, d 1, and
/// beta2 of step t is 1 - t^-0.8.
///   R = beta2 R + (1 - beta2) mean over columns of (G² + epsilon1), C likewise over rows; V = R C / mean of R
///   U = G / sqrt(V) / max(1, RMS(U) / d)                      over the whole tensor
///   alpha = rate · max(epsilon2, RMS(X))                      with scaleParameter, else rate
///   X = X - alpha · decay · X - (alpha U, or its exponential mean where there is a beta1)
/// `relativeStep` makes the rate min(rate, 1/sqrt(t)): rho of algorithm 6, where the learning rate is 1e-2.
/// All sums are in double precision and in an order that follows from the shape alone: whoever has the same values gets
/// the same bits. `mean` has the tensor's strides, null without beta1; `moments` is MatrixForm::moments() long, rows
/// first.
void adafactorStep(const AdafactorStep &step, const FlatTensor &tensor, DType dtype, std::byte *parameters,
                   const std::byte *gradients, std::byte *mean, std::byte *moments);

}  // namespace hearth
