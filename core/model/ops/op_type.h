// Internal to core/model: one entry of the registry of ops. How an op is run is said in core/train/ops.
#pragma once

#include <span>

#include "core/base/json_reader.h"
#include "core/model/model.h"
#include "core/model/ops/families.h"

namespace hearth::detail {

enum class OpRole : quint8 {
    Other,
    Activation,     // may follow a residual's sum
    Normalization,  // like an activation, it makes the weights before it wider (init.h)
};

QJsonObject noParameters(JsonReader &reader);
/// The output has the shape of the one input.
Result<void> keepShape(Op &op, const QString &place);
std::vector<TensorSpec> noTensors(const Op &op, bool widened);
/// One FLOP per element, and nothing kept: the op works in place, and the next one keeps its result anyway.
OpCost costInPlace(const Op &op);

/// Plain functions of a fitted or, for the first two, still open op.
struct OpType {
    const char *kind = "";
    OpRole role = OpRole::Other;
    bool joins = false;  // takes two inputs or more, else exactly one
    /// Takes int64 values, too: its fit checks Op::inputKinds, and sets outputKind where that is not the first input's.
    bool takesInt64 = false;
    /// Parameters, defaults spelled out. Errors collect in the reader.
    QJsonObject (*read)(JsonReader &reader) = noParameters;
    /// From input shapes to output shape; may turn the op into the kind that describes it best. `place` names it.
    Result<void> (*fit)(Op &op, const QString &place) = keepShape;
    /// Named within the op. `widened` as in init.h.
    std::vector<TensorSpec> (*tensors)(const Op &op, bool widened) = noTensors;
    OpCost (*cost)(const Op &op) = costInPlace;
};

// Each file here gives the entries of its family.
#define HEARTH_DECLARE(family) std::span<const OpType> family##Types();
HEARTH_OP_FAMILIES(HEARTH_DECLARE)
#undef HEARTH_DECLARE

// What families share.

inline constexpr int largestKernel = 1 << 10;

tl::unexpected<Error> misfit(const QString &place, const Sentence &got, const Sentence &expected,
                             const Sentence &advice);
/// Fails unless the one input is channels×height×width.
Result<void> expectImage(const Op &op, const QString &place);
int readSize(JsonReader &reader, const char *key, int minimum, int maximum,
             std::optional<qint64> fallback = std::nullopt);
/// The images that a window of parameters "kernel" and "stride" gives, with so many channels.
Result<void> fitWindow(Op &op, qint64 channels, int padding, const QString &place);
/// Uniform weights {out, in, …}, drawn as init.h says.
TensorSpec uniformWeight(Shape shape, bool widened);
TensorSpec constantTensor(const char *name, qint64 elements, InitKind value);
/// One FLOP per element of the input, all of which is kept.
OpCost costKeepingInput(const Op &op);

}  // namespace hearth::detail
