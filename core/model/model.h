// A model as data: layers between which it may be cut, each a small graph of ops. Format "hearth-model/1".
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QMap>
#include <QString>
#include <vector>

#include "core/base/error.h"
#include "core/model/shapes.h"

namespace hearth {

/// What an op costs in the forward pass, per sample. Elements, not bytes: a run chooses its precision.
struct OpCost {
    double macs = 0;       // multiply-adds of ops with weights
    double flops = 0;      // 2 per multiply-add, a few per element of everything else
    qint64 kept = 0;       // elements that backward needs and that no other op keeps anyway
    bool launched = true;  // false: it only looks at its input in another way
    int minimumSamples = 1;

    bool operator==(const OpCost &) const = default;
};

/// One node of a layer's graph. What its kind means is said in one place, its entry of core/model/ops; fields derived
/// from there are complete in every op of a Model. Meanings and defaults of parameters are torch.nn's.
struct Op {
    QString name;            // within its layer: "3", "shortcut.0"; its tensors are named after it
    QString kind;            // "convolution", "relu", …
    QJsonObject parameters;  // of the description, each explicit
    /// What it takes: 0 is the layer's input, i + 1 what op i gives; only ops before it.
    std::vector<int> from;
    std::vector<Shape> inputShapes;  // per sample, one for each of `from`
    Shape outputShape;
    int tensors = 0;  // how many of the layer's tensors are its own; they come in the order of the ops
    /// Tensors that have another name in the network than the op's own: by name within the op.
    QMap<QString, QString> tensorNames{};
    OpCost cost;

    const Shape &inputShape() const { return inputShapes.front(); }
    /// A parameter that its kind has.
    int whole(const char *parameter) const;
    double number(const char *parameter) const;
    bool flag(const char *parameter) const;

    bool operator==(const Op &) const = default;
};

/// The unit of cutting: a graph of ops, each after those that it takes from. The last one gives the layer's output.
/// shape.tensors are those of the ops, in order ("num_batches_tracked" of a BatchNorm is left out: it only matters for
/// a cumulative average, which no model here uses).
struct Layer {
    QString name;
    QString kind;             // as the description says: "sequence", "inverted-residual", "convolution", …
    QJsonObject description;  // normalised: every parameter explicit
    std::vector<Op> ops;
    bool frozen = false;  // its parameters stay as they begin; statistics do not
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
    /// A layer is a single op, or {"kind": "graph", "ops": […]}, whose ops have a "name" and a "from": a list of
    /// "input" (what the layer takes) and of ops before it; without one an op takes what the op before gives. The last
    /// op gives what the layer gives. "tensors" gives tensors of an op another name: {"weight": "head.0.weight"}; ops
    /// that have a tensor of the same name share it (ties.h). "sequence", "residual" and "inverted-residual" are short
    /// forms of common graphs.
    static Result<Model> fromJson(const QJsonObject &object, const QString &source);
    /// Normalised: the same object whether the description spelled defaults out or not.
    QJsonObject toJson() const;
    /// 64 lowercase hex digits: SHA-256 of the canonical JSON of toJson() (keys sorted, compact, UTF-8).
    QByteArray sha256() const;

    qint64 parameterCount() const;
    /// Elements of all tensors of that role, each tensor once.
    qint64 elements(TensorRole role) const;
    /// All tensors of all layers, in layer order; a tied one where it comes first.
    std::vector<TensorSpec> tensors() const;
};

/// A description may come from a peer: what these bounds allow fits any device that could train it.
struct ModelLimits {
    static constexpr int layers = 1024;
    static constexpr int opsPerLayer = 64;                    // of one list of the description
    static constexpr int dimension = 1 << 20;                 // channels, features, height, width, classes
    static constexpr qint64 elements = qint64{1} << 32;       // of one tensor, or of one op's output per sample
    static constexpr qint64 totalElements = qint64{1} << 34;  // all parameters and buffers together
    static constexpr int ties = 1 << 12;                      // tensors that several ops have
    static constexpr qint64 fileBytes = 4 << 20;
    static constexpr int nameLength = 100;
};

}  // namespace hearth
