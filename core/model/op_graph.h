// Internal to core/model: graphs of named ops, of a layer or of a whole network, from and to JSON.
#pragma once

#include <QHash>
#include <QStringList>
#include <functional>

#include "core/base/json_reader.h"
#include "core/model/model.h"

namespace hearth::detail {

/// Names of ops, after which weights are named.
enum class OpNames : quint8 {
    Plain,   // within a layer: letters, digits, - and _
    Scoped,  // of a whole network: also . and /, as PyTorch's modules have them
};
bool isOpName(const QString &name, OpNames rule);

/// A list of ops in a description. Op::from counts `inputs` first. Time is linear in the size of the list.
class OpListReader {
  public:
    /// Values that come from outside are called so.
    OpListReader(const QStringList &inputs, OpNames rule);
    /// `path` is the list's place in `source`. Checks all that needs no shapes.
    Result<std::vector<Op>> read(const QJsonArray &entries, const QString &source, const QString &path);
    /// Of the value that is called so; -1: there is none.
    int valueOf(const QString &name) const { return m_values.value(name, -1); }
    /// What a person may have meant.
    Sentence nearest(const QString &name) const;

  private:
    Result<Op> readOp(const QJsonValue &value, const QString &source, const QString &path) const;
    std::vector<int> readFrom(JsonReader &reader) const;

    OpNames m_rule;
    qsizetype m_inputCount;
    QStringList m_names;  // of values, in order
    QHash<QString, int> m_values;
};

/// Fails where nothing takes what an input (if `inputs`) or an op gives; `outputs` are taken.
Result<void> checkUsed(const std::vector<Op> &ops, const QStringList &inputNames, const std::vector<int> &outputs,
                       bool inputs, const QString &source, const QString &path);
/// The reverse of reading. `names` are those of all values.
void describeOps(const std::vector<Op> &ops, const QStringList &names, OpNames rule, QJsonArray &to);

/// Shapes, kinds and costs of all ops, whose inputs are `inputs`. `place` says where one stands.
Result<void> fitOps(std::vector<Op> &ops, const std::vector<ValueSpec> &inputs,
                    const std::function<QString(const Op &)> &place);
/// By op: whether all that take what it gives make the weights before them wider (init.h), and there is one.
std::vector<bool> widenedOps(const std::vector<Op> &ops, std::size_t inputs);
/// What value `value` of fitted ops is, apart from whether it needs a gradient.
ValueSpec valueSpec(const std::vector<Op> &ops, const std::vector<ValueSpec> &inputs, int value);

}  // namespace hearth::detail
