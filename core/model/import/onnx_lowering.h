// Internal to core/model/import: an ONNX graph, node by node, to a draft of Hearth's.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <unordered_map>

#include "core/model/import/onnx.h"
#include "core/model/import/onnx_draft.h"

namespace hearth::onnx_import {

class Lowering;

/// Of the names of tensors that are constants (isOnnxConstant()).
inline constexpr QLatin1String constantEnding(".constant");

/// A node with what its inputs are.
struct Call {
    Lowering &lowering;
    const OnnxNode &node;
    std::vector<Value> inputs;

    const Value &input(std::size_t i) const;  // an absent one where it was left out
    bool has(std::size_t i) const { return !input(i).isAbsent(); }
    const OnnxAttribute *attribute(const char *name) const;
    qint64 whole(const char *name, qint64 fallback) const;
    double real(const char *name, double fallback) const;
    std::string text(const char *name, const char *fallback) const;
    std::vector<qint64> wholes(const char *name) const;
    /// Whole numbers that newer operator sets take as input `i` and older ones as an attribute; nothing where both
    /// were left out.
    Tried<std::optional<std::vector<qint64>>> list(const char *name, std::size_t i) const;
    /// Input `i`, which must be known.
    Tried<std::shared_ptr<const Known>> known(std::size_t i) const;
};

using Outputs = Tried<std::vector<Value>>;
inline Outputs one(Value value) {
    return std::vector{std::move(value)};
}
struct Handler {
    const char *type = "";
    Outputs (*lower)(Call &call) = nullptr;
};
// One list for each family of operators.
std::span<const Handler> layerHandlers();      // with weights: convolutions, matrices, norms, embeddings
std::span<const Handler> elementHandlers();    // element by element
std::span<const Handler> shapeHandlers();      // views, parts, joins
std::span<const Handler> reductionHandlers();  // pools, sums, softmax, sizes

struct Lowered {
    Draft draft;
    std::map<QString, OnnxTensor> tensors;  // where the weights are, by name
    std::vector<Sentence> notes;
};

class Lowering {
  public:
    Lowering(const OnnxFile &file, const OnnxOptions &options, QString source);
    Result<Lowered> run() &&;

    // For handlers.

    /// A new op. `sample` is its shape per sample.
    int emit(const Call &call, const char *kind, QJsonObject parameters, std::vector<int> from, Shape sample,
             const QString &name = {});
    /// The same for one that takes `x` and gives ONNX dimensions `dims` with the batch where `x` has it.
    Value emitLike(const Call &call, const char *kind, QJsonObject parameters, const Value &x, Shape dims);
    DraftOp &op(const Value &value) { return m_draft.at(value.op); }

    /// As a value that ops take: weights and constants become parameters beside `near`.
    Value computed(const Call &call, const Value &value, const Value &near);
    Value computed(const Call &call, const Value &value) { return computed(call, value, {}); }
    /// Names the tensor `role` of op `index`: a weight, or a constant, which becomes one.
    Tried<void> setTensor(int index, const char *role, const Value &value);
    /// Calls op `index` after its weight: "layer1.0.conv1" for "layer1.0.conv1.weight".
    void nameAfter(int index, const Value &weight);

    /// The same elements in another shape, where -1 and the batch may stand.
    Tried<Value> reshape(const Call &call, const Value &x, const Shape &dims);
    Tried<Value> transpose(const Call &call, const Value &x, const std::vector<qint64> &permutation);
    /// Two values, broadcast; `fixed` last dimensions are left to the op (2 for matmul).
    struct Aligned {
        Value a, b;
        Value shape;  // of what comes of both, without the fixed dimensions
    };
    Tried<Aligned> align(const Call &call, const Value &a, const Value &b, int fixed = 0);
    /// Which dimension per sample `axis` of `x` is.
    Tried<int> sampleAxis(const Value &x, qint64 axis) const;

    int opset() const { return m_file.opset; }
    /// The batch that a file of fixed size was exported with; 0: it was left open.
    qint64 fixedBatch() const { return m_fixedBatch; }
    Tried<std::shared_ptr<const Known>> load(const OnnxTensor &tensor);
    void note(const Sentence &sentence) { m_notes.push_back(sentence); }

  private:
    Result<void> takeInputs();
    Result<void> takeInitializers();
    Tried<void> takeInitializer(const OnnxTensor &tensor, bool isTrained);
    Outputs lower(Call &call);
    std::optional<Outputs> lowerSimple(Call &call);
    Tried<Value> locate(const Call &call, const Value &x, Shape dims);
    Result<void> takeOutput();
    QString freshName(const QString &wanted);
    QString freshTensor(const QString &theirs) const;
    tl::unexpected<Error> failed(const OnnxNode &node, const Trouble &why) const;

    const OnnxFile &m_file;
    const OnnxOptions &m_options;
    QString m_source;
    qint64 m_fixedBatch = 0;
    std::unordered_map<std::string, Value> m_values;
    Draft m_draft;
    QSet<QString> m_names;
    QHash<QString, int> m_counts;
    std::map<QString, OnnxTensor> m_tensors;
    FoldBudget m_budget;
    int m_lastBatched = 0;
    std::vector<Sentence> m_notes;
};

tl::unexpected<Trouble> weightsAreComputed();
/// The dimensions that Flatten, Squeeze or Unsqueeze gives something of `dims`.
Tried<Shape> viewDims(const Call &call, const Shape &dims);
/// A number or, for several that differ, a list.
QJsonValue numberOrList(const std::vector<qint64> &numbers);
QJsonArray toArray(const std::vector<qint64> &numbers);

}  // namespace hearth::onnx_import
