// Internal to core/model: one entry of the registry of ops. How an op is run is said in core/train/ops.
#pragma once

#include <limits>
#include <span>

#include "core/base/json_reader.h"
#include "core/base/sentence.h"
#include "core/model/model.h"
#include "core/model/ops/families.h"

namespace hearth::detail {

enum class OpRole : quint8 {
    Other,
    Activation,     // may follow a residual's sum
    Normalization,  // like an activation, it makes the weights before it wider (init.h)
};

QJsonObject noParameters(JsonReader &reader);
/// The output has the shape of the first input.
Result<void> keepShape(Op &op, const QString &place);
std::vector<TensorSpec> noTensors(const Op &op, bool widened);
/// One FLOP per element; the op works in place where it can and backward needs its result.
OpCost costInPlace(const Op &op);

inline constexpr int anyNumber = std::numeric_limits<int>::max();

/// Plain functions of a fitted or, for the first two, still open op.
struct OpType {
    const char *kind = "";
    OpRole role = OpRole::Other;
    int leastInputs = 1, mostInputs = 1;
    /// Takes int64 values, too: its fit checks Op::inputKinds, and sets outputKind where that is not the first input's.
    bool takesInt64 = false;
    /// Parameters, defaults spelled out. Errors collect in the reader.
    QJsonObject (*read)(JsonReader &reader) = noParameters;
    /// From input shapes to output shape; may turn the op into the kind that describes it best, and its parameters into
    /// the form that equal ops have. `place` names it.
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

inline constexpr QLatin1String ceilKey("ceil"), initKey("init"), modeKey("mode"), paddingKey("padding"),
    shapeKey("shape");
inline constexpr int largestKernel = 1 << 10;
/// Of parameters that are plain numbers: far from where doubles end, and whatever a network could mean.
inline constexpr double largestNumber = 1e30;

tl::unexpected<Error> misfit(const QString &place, const Sentence &got, const Sentence &expected,
                             const Sentence &advice);
/// Fails unless the first input is channels×height×width.
Result<void> expectImage(const Op &op, const QString &place);
/// Of an input that may be int64.
Result<void> expectKind(const Op &op, std::size_t input, ValueKind kind, const QString &place);
int readSize(JsonReader &reader, const char *key, int minimum, int maximum,
             std::optional<qint64> fallback = std::nullopt);
/// A list of whole numbers. Absent: an error where required, else empty.
QJsonArray readWholes(JsonReader &reader, const char *key, qint64 minimum, qint64 maximum, bool required = true);
/// Null where it is absent.
QJsonValue readOptionalNumber(JsonReader &reader, const char *key, double minimum, double maximum);
QJsonValue readOptionalWhole(JsonReader &reader, const char *key, qint64 minimum, qint64 maximum);

/// Turns a parameter that names a dimension, counted from the end where it is negative, into one counted from 0.
Result<void> fitAxis(Op &op, const char *parameter, const QString &place);
/// The same for a list of them, which must differ. Left in ascending order.
Result<void> fitAxes(Op &op, const char *parameter, const QString &place);
/// Per-sample shapes broadcast against each other, aligned at the end; nothing where they do not fit.
std::optional<Shape> broadcastShape(const Shape &a, const Shape &b);

/// Uniform weights {out, in, …}, drawn as init.h says.
TensorSpec uniformWeight(Shape shape, bool widened);
TensorSpec constantTensor(const char *name, qint64 elements, InitKind value);
/// One FLOP per element of the first input, all of which is kept.
OpCost costKeepingInput(const Op &op);
/// So many FLOPs per element of the output, and nothing kept.
OpCost costKeepingNothing(const Op &op, double flopsPerElement = 1);
OpCost costOfView(const Op &op);

}  // namespace hearth::detail
