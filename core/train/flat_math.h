// Loops over flat parameter and gradient buffers. No LibTorch: plain memory, one pass each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/dtype.h"
#include "core/cuda/flat_rules.h"
#include "core/model/shapes.h"
#include "core/model/training_spec.h"

namespace hearth {

/// target[i] += addend[i]. Float32 or Float64.
void addInto(std::byte *target, const std::byte *addend, qint64 elements, DType dtype);
/// error[i] = value[i] - rounded[i], then value[i] = rounded[i]. Float32 or Float64.
void takeRounded(std::byte *value, std::byte *error, const std::byte *rounded, qint64 elements, DType dtype);

/// For the elements [first, last) of a mask: 0 with that probability, else 1, by the salt's own stream.
void drawKept(std::uint8_t *kept, qint64 first, qint64 last, double probability, quint64 salt);
/// target[i] = kept[i] ? source[i] * factor : 0. Float32 or Float64.
void multiplyKept(void *target, const void *source, const std::uint8_t *kept, double factor, qint64 elements,
                  DType dtype);

/// From an element of a flat buffer to the one before another.
using FlatRange = std::pair<qint64, qint64>;

/// A tensor in a flat buffer. Plain value.
struct FlatTensor {
    FlatRange range;  // with the gap behind it
    Shape shape;
    Shape strides;       // in elements; none lies outside of the range
    qint64 moments = 0;  // where its factored second moments begin among those of all
};

/// One optimizer step over a flat buffer, exactly torch.optim's formulas or Adafactor's (OptimizerSpec says which), the
/// learning rate times the schedule's factor. State is zero before the first step, which for SGD is the same as torch's
/// "the first buffer is the gradient". The caller owns all memory; one thread at a time.
class FlatOptimizer {
  public:
    /// `tensors`: those of the buffer, in ascending order, none over another. Those of fewer than two dimensions are
    /// what weight decay may leave out. Only Adafactor must know all the others.
    /// `stepsPerRound`: the rate's schedule goes by rounds. The learning rate is multiplied by `rateFactor`.
    FlatOptimizer(const TrainingSpec &training, std::vector<FlatTensor> tensors, int stepsPerRound = 1,
                  double rateFactor = 1);

    /// `state` holds as many copies of `elements` values as OptimizerSpec::state() says, one behind the other, then the
    /// factored second moments of all tensors. `step` counts from 1; it is the round, where a round is one step.
    void step(std::byte *parameters, const std::byte *gradients, std::byte *state, qint64 elements, quint64 step) const;

    /// What a step multiplies with that is element by element, as all are but Adafactor's; of that the rate and the
    /// average.
    StepFactors factors(quint64 step) const;
    /// Else steps are not of single elements: Adafactor's.
    bool isByElement() const { return m_spec.kind != OptimizerSpec::Kind::Adafactor; }
    /// What weight decay leaves out, in ascending order; nothing where there is no decay.
    const std::vector<FlatRange> &undecayed() const { return m_undecayed; }

  private:
    void adafactor(std::byte *parameters, const std::byte *gradients, std::byte *state, qint64 elements, double rate,
                   quint64 step) const;

    OptimizerSpec m_spec;
    RateSchedule m_schedule;
    qint64 m_rounds;
    int m_stepsPerRound;
    double m_rateFactor;
    DType m_dtype;
    std::vector<FlatTensor> m_tensors;
    std::vector<FlatRange> m_undecayed;
};

}  // namespace hearth
