// Makes the "graph" of a model description (model.h) op by op: for the built-in families and for importers.
#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QStringList>

#include "core/model/shapes.h"

namespace hearth {

/// Collects ops in the order in which they are added. A value is called as the op or input that gives it. Shapes and
/// axes are per sample. It checks nothing: Model::fromJson does. Lives on one thread.
class GraphBuilder {
  public:
    /// Where a tensor of an op comes by another name than "<op>.<tensor>": {"weight": "embeddings.word.weight"}. Ops
    /// that name the same tensor are tied.
    using Tensors = QJsonObject;

    explicit GraphBuilder(QString name) : m_name(std::move(name)) {}

    /// Numbers in the precision of the run.
    QString input(const QString &name, const Shape &shape) { return addInput(name, shape, "real"); }
    /// Ids or a mask.
    QString wholeInput(const QString &name, const Shape &shape) { return addInput(name, shape, "int64"); }

    /// Any op; the value that it gives.
    QString add(const QString &name, const char *kind, const QStringList &from, QJsonObject parameters = {},
                const Tensors &tensors = {});
    void output(const QString &value) { m_outputs.append(value); }

    // What many networks have. Each gives the value of the op that it adds.

    QString linear(const QString &name, const QString &x, qint64 features, bool bias = true,
                   const Tensors &tensors = {});
    QString convolution(const QString &name, const QString &x, qint64 channels, int kernel, int stride, int padding,
                        qint64 groups = 1);  // without a bias
    QString batchNorm(const QString &name, const QString &x);
    QString layerNorm(const QString &name, const QString &x, double epsilon);
    QString rmsNorm(const QString &name, const QString &x, double epsilon);
    /// An op of one input without parameters: "relu", "tanh", …
    QString plain(const QString &name, const char *kind, const QString &x);
    /// A function by the name that Hugging Face's configurations use ("gelu_new"); isActivation() says which there are.
    QString activation(const QString &name, const QString &function, const QString &x);
    static bool isActivation(const QString &function);
    QString sum(const QString &name, const QString &a, const QString &b);
    QString product(const QString &name, const QString &a, const QString &b);
    /// Nothing, where the probability is 0.
    QString dropout(const QString &name, const QString &x, double probability);
    /// `padding`: a row that gets no gradient; none where it is negative.
    QString embedding(const QString &name, const QString &ids, qint64 rows, qint64 features, qint64 padding = -1);
    /// Weights without a batch, for as many samples as `x` has. Their tensor is called `tensor`.
    QString parameter(const QString &name, const QString &tensor, const QString &x, const Shape &shape,
                      const char *init = "uniform");
    QString slice(const QString &name, const QString &x, int axis, qint64 start, qint64 end);
    QString select(const QString &name, const QString &x, int axis, qint64 index);
    QString reshape(const QString &name, const QString &x, const Shape &shape);
    QString transpose(const QString &name, const QString &x, const Shape &axes);

    QJsonObject description() const;

  private:
    QString addInput(const QString &name, const Shape &shape, const char *dtype);

    QString m_name;
    QJsonArray m_inputs, m_ops, m_outputs;
};

}  // namespace hearth
