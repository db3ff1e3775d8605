// One op of a description with random values: what tests of ops run. Includes LibTorch.
#pragma once

#include <QString>

#include "core/model/op.h"
#include "core/train/ops/op_run.h"

namespace hearth::test {

/// Ends the program where description and shapes do not fit: a mistake of the test.
struct OpCase {
    Op op;
    std::vector<at::Tensor> inputs;   // leaves; real ones require a gradient
    std::vector<at::Tensor> tensors;  // the op's own; trainable ones have a gradient of zero

    /// `description` has ' for ", `shapes` are per sample: "3,8,8;3,1,1", with an i before int64.
    OpCase(const QByteArray &description, const QByteArray &shapes, std::int64_t samples, at::ScalarType type);
    /// The same values, without gradients.
    void reset();
    OpCall call(WeightGradientQueue &queue) const;

  private:
    at::ScalarType m_type;
};

/// The fitted op, or what is wrong with it.
Result<Op> fitted(const QByteArray &description, const QByteArray &shapes);

}  // namespace hearth::test
