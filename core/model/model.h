// A model as data: layers between which it may be cut, each a small graph of ops. Format "hearth-model/1", in two
// forms: layers that somebody chose, or one graph of named ops, in which layers are found (find_layers.h).
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
    double macs = 0;   // multiply-adds of products: convolution, linear, matmul, attention
    double flops = 0;  // 2 per multiply-add, a few per element of everything else
    // What the op needs until its backward pass.
    quint32 keptInputs = 0;    // bit i: the i-th input as it was
    bool keepsOutput = false;  // its own output
    qint64 keptBesides = 0;    // elements that are neither: masks, indices, what was normalised by
    bool launched = true;      // false: it only looks at its first input in another way, in the same memory
    int minimumSamples = 1;

    bool operator==(const OpCost &) const = default;
};

/// One node of a layer's graph. What its kind means is said in one place, its entry of core/model/ops; fields derived
/// from there are complete in every op of a Model. Meanings and defaults of parameters are torch.nn's.
struct Op {
    QString name;            // within its layer: "3", "shortcut.0"; of a whole graph: "layer1.0.conv1"
    QString kind;            // "convolution", "relu", …
    QJsonObject parameters;  // of the description, each explicit
    /// Values that it takes: of a layer with k inputs 0 to k-1 are these, k + i is what op i gives; only ops before it.
    std::vector<int> from;
    std::vector<Shape> inputShapes;  // per sample, one for each of `from`
    std::vector<ValueKind> inputKinds;
    Shape outputShape;
    ValueKind outputKind = ValueKind::Real;
    int tensors = 0;      // how many of the layer's tensors are its own; they come in the order of the ops
    bool frozen = false;  // they stay as they begin; statistics do not
    /// Tensors that have another name in the network than the op's own: by name within the op.
    QMap<QString, QString> tensorNames{};
    OpCost cost;

    const Shape &inputShape() const { return inputShapes.front(); }
    /// A parameter that its kind has.
    int whole(const char *parameter) const;
    double number(const char *parameter) const;
    bool flag(const char *parameter) const;
    QString word(const char *parameter) const;
    std::vector<qint64> list(const char *parameter) const;
    /// Whether it is there and not null.
    bool has(const char *parameter) const;
    /// Elements that its backward pass needs, per sample, and that no op behind it keeps anyway; int64 counts twice.
    qint64 kept() const;

    bool operator==(const Op &) const = default;
};

/// The unit of cutting: a graph of ops, each after those that it takes from. The inputs of a layer are the outputs of
/// the one before, in order; those of the first are the network's. shape.tensors are those of the ops, in order
/// ("num_batches_tracked" of a BatchNorm is left out: it only matters for a cumulative average, which no model here
/// uses).
struct Layer {
    QString name;
    QString kind;             // as the description says: "sequence", "inverted-residual", "convolution", …
    QJsonObject description;  // normalised: every parameter explicit; empty in a layer that was found
    std::vector<Op> ops;
    /// What it gives, numbered as in Op::from: inputs among them pass through.
    std::vector<int> outputs;
    bool frozen = false;  // all its ops with tensors are
    LayerShape shape;
};

/// What a network takes of each sample. Plain value.
struct ModelInput {
    QString name;
    ValueKind kind = ValueKind::Real;
    Shape shape;

    bool operator==(const ModelInput &) const = default;
};

/// Plain value; made by fromJson only, so that every Model that exists is consistent and within the limits.
/// Any thread. A layer is addressed by its index.
struct Model {
    QString name;
    std::vector<ModelInput> inputs;
    int classes = 0;  // the last layer gives {…, classes} logits
    std::vector<Layer> layers;
    bool isGraph = false;  // described by its graph: layers were found

    /// `source` is the file (or peer) that errors name. Checks keys, kinds, shapes and the limits below.
    /// First form, "input", "classes" and "layers": one input {channels, height, width}. A layer is a single op, or
    /// {"kind": "graph", "ops": […]}, whose ops have a "name" and a "from": a list of "input" (what the layer takes)
    /// and of ops before it; without one an op takes what the op before gives. The last op gives what the layer gives.
    /// "tensors" gives tensors of an op another name: {"weight": "head.0.weight"}; ops that have a tensor of the same
    /// name share it (ties.h). "sequence", "residual" and "inverted-residual" are short forms of common graphs. Second
    /// form, "inputs", "graph" and "outputs": {"name": "tokens", "dtype": "int64" or "real", "shape": [32]} each, ops
    /// as in a layer's graph, which take inputs by name, and the name of the op that gives the logits.
    static Result<Model> fromJson(const QJsonObject &object, const QString &source);
    /// Of a file; blocks.
    static Result<Model> load(const QString &path);
    /// Normalised: the same object whether the description spelled defaults out or not.
    QJsonObject toJson() const;
    /// 64 lowercase hex digits: SHA-256 of the canonical JSON of toJson() (keys sorted, compact, UTF-8).
    QByteArray sha256() const;

    /// Of the first input: {channels, height, width} where a network takes pictures.
    const Shape &inputShape() const { return inputs.front().shape; }
    qint64 parameterCount() const;
    /// Elements of all tensors of that role, each tensor once.
    qint64 elements(TensorRole role) const;
    /// All tensors of all layers, in layer order; a tied one where it comes first.
    std::vector<TensorSpec> tensors() const;
};

/// A description may come from a peer: what these bounds allow fits any device that could train it.
struct ModelLimits {
    static constexpr int layers = 1024;
    static constexpr int inputs = 8;
    static constexpr int ops = 100'000;                       // of a graph
    static constexpr int opsPerLayer = 64;                    // of one list of the description
    static constexpr int dimension = 1 << 20;                 // channels, features, height, width, classes
    static constexpr qint64 elements = qint64{1} << 32;       // of one tensor, or of one op's output per sample
    static constexpr qint64 totalElements = qint64{1} << 34;  // all parameters and buffers together
    static constexpr int ties = 1 << 12;                      // tensors that several ops have
    static constexpr std::size_t rank = 7;                    // of a value, per sample
    static constexpr qint64 fileBytes = 8 << 20;              // half of what a control message may be
    static constexpr int nameLength = 100;
};

}  // namespace hearth
