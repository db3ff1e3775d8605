// What a layer takes, gives, holds and costs, per sample and without running it.
#pragma once

#include <QJsonArray>
#include <QString>
#include <optional>
#include <vector>

#include "core/base/dtype.h"

namespace hearth {

/// Dimensions without the batch dimension: {channels, height, width}, {tokens, features} or {features}. Slowest-varying
/// first.
using Shape = std::vector<qint64>;

/// Product of the dimensions, or the largest number there is (of no shape of a Model).
qint64 elementCount(const Shape &shape);
/// "64×8×8"
QString shapeText(const Shape &shape);
/// [1, 2, 3]
QJsonArray shapeJson(const Shape &shape);

enum class ValueKind : quint8 {
    Real,   // in the run's precision
    Int64,  // numbers of rows, masks: no gradient flows through them
};

/// What an op, a layer or a network takes or gives. Plain value.
struct ValueSpec {
    ValueKind kind = ValueKind::Real;
    Shape shape;                 // per sample; empty: a single value
    bool needsGradient = false;  // something that is trained lies before it

    bool operator==(const ValueSpec &) const = default;
    qint64 bytes(DType type) const { return elementCount(shape) * byteSize(dtype(type)); }
    /// Where real values have `type`.
    DType dtype(DType type) const { return kind == ValueKind::Int64 ? DType::Int64 : type; }
};

enum class InitKind : quint8 { Zero, One, Uniform };

enum class TensorRole : quint8 {
    Trainable,   // has a gradient: AllReduce, optimizer, replicas and checkpoints carry it
    Frozen,      // the same for the whole run: in no replica and no checkpoint
    Statistics,  // of BatchNorm: no gradient, but every forward pass of training changes it, so replicas carry it
};

/// A tensor of a model: the layer's index, and the tensor's in the layer.
struct TensorRef {
    int layer = 0;
    int tensor = 0;

    auto operator<=>(const TensorRef &) const = default;
};

/// One tensor of a layer. Its name is stable: weights files, replicas and tests hang on it.
/// "<layer>.<op>.weight", where ops are called "<n>" in a sequence and "shortcut.<n>" in a residual's shortcut; in a
/// network that is one graph "<op>.weight", or what the description says.
struct TensorSpec {
    QString name;
    Shape shape;
    TensorRole role = TensorRole::Trainable;
    InitKind init = InitKind::Zero;
    double bound = 0;  // Uniform: values lie in (-bound, bound)
    /// The same tensor, where it comes first in the network (ties.h); it has the same name, shape, role and
    /// initialisation.
    std::optional<TensorRef> tiedTo{};

    bool operator==(const TensorSpec &) const = default;
    bool isTrainable() const { return role == TensorRole::Trainable; }
    qint64 elements() const { return elementCount(shape); }
    qint64 bytes(DType type) const { return elements() * byteSize(type); }
};

/// Whether an earlier tensor of the same layer is the same one.
bool isRepeat(const std::vector<TensorSpec> &tensors, std::size_t index);

/// Derived by Model::fromJson for every layer.
struct LayerShape {
    std::vector<ValueSpec> inputs;    // what the layer before gives, or the network's inputs
    std::vector<ValueSpec> outputs;   // what the next one takes; some may pass through
    std::vector<TensorSpec> tensors;  // in the order of the ops; weight, bias, running mean, variance
    qint64 macs = 0;                  // multiply-adds of the forward pass per sample (convolutions and linear)
    qint64 flops = 0;                 // forward per sample: 2 per multiply-add, 1 per element of every other op
    int minimumSamples = 1;           // 2 where BatchNorm sees a single value per channel and sample

    /// Of all together.
    qint64 outputBytes(DType type) const;
    /// A tensor that the layer has twice counts once; one that other layers have, too, counts in each.
    qint64 elements(TensorRole role) const;
    /// Trainable and frozen elements.
    qint64 parameterCount() const { return elements(TensorRole::Trainable) + elements(TensorRole::Frozen); }
    qint64 bufferCount() const { return elements(TensorRole::Statistics); }
    qint64 parameterBytes(DType type) const { return parameterCount() * byteSize(type); }
    qint64 trainableBytes(DType type) const { return elements(TensorRole::Trainable) * byteSize(type); }
    qint64 bufferBytes(DType type) const { return bufferCount() * byteSize(type); }
};

}  // namespace hearth
