// A model as data: layers between which it may be cut, each a short list of ops. Format "hearth-model/1".
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QString>
#include <vector>

#include "core/base/error.h"
#include "core/model/shapes.h"

namespace hearth {

enum class OpKind : quint8 {
    Convolution,  // groups == inChannels: depthwise
    BatchNorm,
    ReLU,
    ReLU6,
    MaxPool,
    AveragePool,
    GlobalAveragePool,  // {c,h,w} → {c,1,1}
    Flatten,
    Linear,
    Dropout,
};

/// One step of a layer, with everything an executor needs; fields that its kind does not use keep their defaults.
/// Meanings and defaults are torch.nn's; sizes round down; average pooling has no padding.
struct Op {
    OpKind kind = OpKind::ReLU;
    int in = 0;   // channels (Convolution, BatchNorm) or features (Linear)
    int out = 0;  // likewise; equal to `in` for BatchNorm
    int kernel = 1;
    int stride = 1;
    int padding = 0;
    int groups = 1;
    bool bias = false;       // Convolution, Linear
    double probability = 0;  // Dropout: share of zeroed elements, the rest scaled by 1/(1-p); identity in evaluation
    double epsilon = 1e-5;   // BatchNorm
    double momentum = 0.1;   // BatchNorm
    Shape inputShape, outputShape;  // per sample

    bool operator==(const Op &) const = default;
};

/// The unit of cutting. output = after( main(x) + (residual ? shortcut(x) : 0) ); an empty shortcut is the identity.
/// Parameters come in the order of shape.tensors: for each op of main, then shortcut: Convolution and Linear weight
/// [then bias]; BatchNorm weight, bias, running_mean, running_var ("num_batches_tracked" is left out: it only matters
/// for a cumulative average, which no model here uses). Ops in `after` have no parameters.
struct Layer {
    QString name;
    QString kind;             // as the description says: "sequence", "inverted-residual", "convolution", …
    QJsonObject description;  // normalised: every parameter explicit
    std::vector<Op> main;
    std::vector<Op> shortcut;
    std::vector<Op> after;
    bool residual = false;
    LayerShape shape;
};

/// Plain value; made by fromJson only, so that every Model that exists is consistent and within the limits.
/// Any thread. A layer is addressed by its index.
struct Model {
    QString name;
    Shape inputShape;  // {channels, height, width}
    int classes = 0;   // the last layer gives {classes} logits
    std::vector<Layer> layers;

    /// `source` is the file (or peer) that errors name. Checks keys, kinds, shapes and the limits below.
    static Result<Model> fromJson(const QJsonObject &object, const QString &source);
    /// Normalised: the same object whether the description spelled defaults out or not.
    QJsonObject toJson() const;
    /// 64 lowercase hex digits: SHA-256 of the canonical JSON of toJson() (keys sorted, compact, UTF-8).
    QByteArray sha256() const;

    qint64 parameterCount() const;
    /// All tensors of all layers, in layer order.
    std::vector<TensorSpec> tensors() const;
};

/// A description may come from a peer: what these bounds allow fits any device that could train it.
struct ModelLimits {
    static constexpr int layers = 1024;
    static constexpr int opsPerLayer = 64;
    static constexpr int dimension = 1 << 20;                 // channels, features, height, width, classes
    static constexpr qint64 elements = qint64{1} << 32;       // of one tensor, or of one op's output per sample
    static constexpr qint64 totalElements = qint64{1} << 34;  // all parameters and buffers together
    static constexpr qint64 fileBytes = 4 << 20;
    static constexpr int nameLength = 100;
};

}  // namespace hearth
