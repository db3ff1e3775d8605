#include "core/model/graph_builder.h"

#include <algorithm>
#include <array>

namespace hearth {

using namespace Qt::StringLiterals;

namespace {

struct Function {
    const char *name;  // in configurations
    const char *kind;
    bool tanhGelu = false;
};
constexpr std::array functions{
    Function{"gelu", "gelu"}, Function{"gelu_new", "gelu", true}, Function{"gelu_pytorch_tanh", "gelu", true},
    Function{"relu", "relu"}, Function{"silu", "silu"},           Function{"swish", "silu"},
    Function{"tanh", "tanh"}, Function{"sigmoid", "sigmoid"}};

const Function *findFunction(const QString &name) {
    const auto *found =
        std::ranges::find_if(functions, [&](const Function &f) { return name == QLatin1String(f.name); });
    return found == functions.end() ? nullptr : found;
}

}  // namespace

QString GraphBuilder::addInput(const QString &name, const Shape &shape, const char *dtype) {
    m_inputs.append(QJsonObject{{u"name"_s, name}, {u"dtype"_s, QLatin1String(dtype)}, {u"shape"_s, shapeJson(shape)}});
    return name;
}

QString GraphBuilder::add(const QString &name, const char *kind, const QStringList &from, QJsonObject parameters,
                          const Tensors &tensors) {
    parameters[u"name"_s] = name;
    parameters[u"kind"_s] = QLatin1String(kind);
    parameters[u"from"_s] = QJsonArray::fromStringList(from);
    if (!tensors.isEmpty())
        parameters[u"tensors"_s] = tensors;
    m_ops.append(parameters);
    return name;
}

QString GraphBuilder::linear(const QString &name, const QString &x, qint64 features, bool bias,
                             const Tensors &tensors) {
    return add(name, "linear", {x}, {{u"features"_s, features}, {u"bias"_s, bias}}, tensors);
}

QString GraphBuilder::convolution(const QString &name, const QString &x, qint64 channels, int kernel, int stride,
                                  int padding, qint64 groups) {
    return add(name, "convolution", {x},
               {{u"channels"_s, channels},
                {u"kernel"_s, kernel},
                {u"stride"_s, stride},
                {u"padding"_s, padding},
                {u"groups"_s, groups},
                {u"bias"_s, false}});
}

QString GraphBuilder::batchNorm(const QString &name, const QString &x) {
    return plain(name, "batch-norm", x);
}

QString GraphBuilder::layerNorm(const QString &name, const QString &x, double epsilon) {
    return add(name, "layer-norm", {x}, {{u"epsilon"_s, epsilon}});
}

QString GraphBuilder::rmsNorm(const QString &name, const QString &x, double epsilon) {
    return add(name, "rms-norm", {x}, {{u"epsilon"_s, epsilon}});
}

QString GraphBuilder::plain(const QString &name, const char *kind, const QString &x) {
    return add(name, kind, {x});
}

bool GraphBuilder::isActivation(const QString &function) {
    return findFunction(function) != nullptr;
}

QString GraphBuilder::activation(const QString &name, const QString &function, const QString &x) {
    const Function *found = findFunction(function);
    Q_ASSERT(found);
    return add(name, found->kind, {x}, found->tanhGelu ? QJsonObject{{u"approximate"_s, u"tanh"_s}} : QJsonObject());
}

QString GraphBuilder::sum(const QString &name, const QString &a, const QString &b) {
    return add(name, "add", {a, b});
}

QString GraphBuilder::product(const QString &name, const QString &a, const QString &b) {
    return add(name, "mul", {a, b});
}

QString GraphBuilder::dropout(const QString &name, const QString &x, double probability) {
    return probability == 0 ? x : add(name, "dropout", {x}, {{u"probability"_s, probability}});
}

QString GraphBuilder::embedding(const QString &name, const QString &ids, qint64 rows, qint64 features, qint64 padding) {
    QJsonObject parameters{{u"rows"_s, rows}, {u"features"_s, features}};
    if (padding >= 0)
        parameters[u"padding"_s] = padding;
    return add(name, "embedding", {ids}, parameters);
}

QString GraphBuilder::parameter(const QString &name, const QString &tensor, const QString &x, const Shape &shape,
                                const char *init) {
    return add(name, "parameter", {x}, {{u"shape"_s, shapeJson(shape)}, {u"init"_s, QLatin1String(init)}},
               {{u"weight"_s, tensor}});
}

QString GraphBuilder::slice(const QString &name, const QString &x, int axis, qint64 start, qint64 end) {
    return add(name, "slice", {x}, {{u"axis"_s, axis}, {u"start"_s, start}, {u"end"_s, end}});
}

QString GraphBuilder::select(const QString &name, const QString &x, int axis, qint64 index) {
    return add(name, "select", {x}, {{u"axis"_s, axis}, {u"index"_s, index}});
}

QString GraphBuilder::reshape(const QString &name, const QString &x, const Shape &shape) {
    return add(name, "reshape", {x}, {{u"shape"_s, shapeJson(shape)}});
}

QString GraphBuilder::transpose(const QString &name, const QString &x, const Shape &axes) {
    return add(name, "transpose", {x}, {{u"axes"_s, shapeJson(axes)}});
}

QJsonObject GraphBuilder::description() const {
    return {{u"format"_s, u"hearth-model/1"_s},
            {u"name"_s, m_name},
            {u"inputs"_s, m_inputs},
            {u"graph"_s, m_ops},
            {u"outputs"_s, m_outputs}};
}

}  // namespace hearth
