#include "core/model/layer.h"

#include <QRegularExpression>
#include <cmath>

#include "core/model/op.h"

namespace hearth::detail {
namespace {

using Branch = std::vector<Op>;

constexpr int largestExpansion = 64;
constexpr int largestStride = 1 << 10;

struct Place {
    const QString &source;
    const QString &layer;

    QString of(const QString &branch, std::size_t index, const Op &op) const {
        return QStringLiteral("%1: layer \"%2\", %3 %4 (%5)").arg(source, layer, branch).arg(index).arg(opKindName(op));
    }
    QString whole() const { return QStringLiteral("%1: layer \"%2\"").arg(source, layer); }
};

Result<Shape> fitBranch(Branch &branch, Shape shape, const Place &place, const QString &branchName) {
    for (std::size_t i = 0; i < branch.size(); ++i) {
        if (auto fits = fitOp(branch[i], shape, place.of(branchName, i, branch[i])); !fits)
            return tl::unexpected(fits.error());
        shape = branch[i].outputShape;
    }
    return shape;
}

Result<Branch> readBranch(JsonReader &reader, const char *key, bool required, const QStringList &kinds) {
    Branch branch;
    const QJsonArray entries = reader.array(key, required);
    if (entries.size() > ModelLimits::opsPerLayer) {
        reader.reject(
            QLatin1String(key),
            QStringLiteral("It has %1 ops, at most %2 are allowed.").arg(entries.size()).arg(ModelLimits::opsPerLayer));
        return branch;
    }
    if (required && entries.isEmpty())
        reader.reject(QLatin1String(key), QStringLiteral("There are no ops."), QStringLiteral("Add at least one."));
    for (qsizetype i = 0; i < entries.size(); ++i) {
        const QString place = jsonPointer(reader.pathOf(QLatin1String(key)), i);
        JsonReader op(entries[i], reader.source(), place);
        const QString kind = op.choice("kind", kinds);
        if (op.ok())
            branch.push_back(readOp(op, kind));
        if (auto finished = op.finish(); !finished)
            return tl::unexpected(finished.error());
    }
    return branch;
}

QJsonArray describe(const Branch &branch) {
    QJsonArray array;
    for (const Op &op : branch)
        array.append(describeOp(op));
    return array;
}

// Sandler et al. 2018, as torchvision orders it: expand, depthwise, project; added to the input where shapes allow.
Branch invertedResidual(int in, int channels, int expansion, int stride) {
    Branch branch;
    if (expansion != 1) {
        branch.push_back(convolution(in * expansion, 1, 1, false));
        branch.push_back(plain(OpKind::BatchNorm));
        branch.push_back(plain(OpKind::ReLU6));
    }
    branch.push_back(depthwise(3, stride));
    branch.push_back(plain(OpKind::BatchNorm));
    branch.push_back(plain(OpKind::ReLU6));
    branch.push_back(convolution(channels, 1, 1, false));
    branch.push_back(plain(OpKind::BatchNorm));
    return branch;
}

// He et al. 2015 (uniform): a rectifier behind the weights halves the variance, so they get twice as much. A linear op
// without one is a head: a tenth of the usual width starts all classes nearly equal, without which some seeds begin
// with a loss far above ln(classes) and jump once momentum has built up.
double uniformBound(const Branch &branch, std::size_t index) {
    const Op &op = branch[index];
    const qint64 fanIn = op.kind == OpKind::Linear ? op.in : qint64{op.in / op.groups} * op.kernel * op.kernel;
    const OpKind next = index + 1 < branch.size() ? branch[index + 1].kind : OpKind::Flatten;
    const bool rectified = next == OpKind::ReLU || next == OpKind::ReLU6 || next == OpKind::BatchNorm;
    if (rectified)
        return std::sqrt(6.0 / static_cast<double>(fanIn));
    return std::sqrt(3.0 / static_cast<double>(fanIn)) / (op.kind == OpKind::Linear ? 10 : 1);
}

void deriveBranch(LayerShape &shape, const Branch &branch, const QString &prefix) {
    for (std::size_t i = 0; i < branch.size(); ++i) {
        const Op &op = branch[i];
        const auto add = [&](const char *name, Shape dims, InitKind init, double bound = 0,
                             TensorRole role = TensorRole::Trainable) {
            shape.tensors.push_back({QStringLiteral("%1.%2.%3").arg(prefix).arg(i).arg(QLatin1String(name)),
                                     std::move(dims), role, init, bound});
        };
        if (op.kind == OpKind::Convolution)
            add("weight", {op.out, op.in / op.groups, op.kernel, op.kernel}, InitKind::Uniform,
                uniformBound(branch, i));
        if (op.kind == OpKind::Linear)
            add("weight", {op.out, op.in}, InitKind::Uniform, uniformBound(branch, i));
        if (op.bias)
            add("bias", {op.out}, InitKind::Zero);
        if (op.kind == OpKind::BatchNorm) {
            add("weight", {op.out}, InitKind::One);
            add("bias", {op.out}, InitKind::Zero);
            add("running_mean", {op.out}, InitKind::Zero, 0, TensorRole::Statistics);
            add("running_var", {op.out}, InitKind::One, 0, TensorRole::Statistics);
            if (op.inputShape[1] * op.inputShape[2] == 1)
                shape.minimumSamples = 2;
        }
        const qint64 macs = macsOf(op);
        shape.macs += macs;
        shape.flops += macs > 0 ? 2 * macs : std::max(elementCount(op.inputShape), elementCount(op.outputShape));
        shape.touchedElements += elementCount(op.inputShape) + elementCount(op.outputShape);
    }
}

Result<void> checkResidual(const Layer &layer, const Shape &main, const Shape &shortcut, const Place &place) {
    if (!layer.residual || main == shortcut)
        return {};
    return fail(QStringLiteral("model.shape"), QStringLiteral("%1 does not fit.").arg(place.whole()),
                QStringLiteral("Its ops give %1 but its shortcut gives %2.").arg(shapeText(main), shapeText(shortcut)),
                QStringLiteral("Give it a shortcut (for instance a convolution with kernel 1) of the same shape."));
}

Result<void> fitLayer(Layer &layer, const Shape &input, const Place &place) {
    const auto main = fitBranch(layer.main, input, place, QStringLiteral("op"));
    if (!main)
        return tl::unexpected(main.error());
    const auto shortcut = fitBranch(layer.shortcut, input, place, QStringLiteral("shortcut op"));
    if (!shortcut)
        return tl::unexpected(shortcut.error());
    if (auto fits = checkResidual(layer, *main, *shortcut, place); !fits)
        return fits;
    if (auto fits = fitBranch(layer.after, *main, place, QStringLiteral("after op")); !fits)
        return tl::unexpected(fits.error());

    layer.shape.input = input;
    layer.shape.output = *main;  // a rectifier behind it keeps the shape
    deriveBranch(layer.shape, layer.main, layer.name);
    deriveBranch(layer.shape, layer.shortcut, layer.name + QStringLiteral(".shortcut"));
    deriveBranch(layer.shape, layer.after, layer.name + QStringLiteral(".after"));
    if (layer.residual)
        layer.shape.flops += elementCount(*main);
    return {};
}

Result<Layer> sequence(JsonReader &reader, const Shape &input, Layer layer) {
    auto ops = readBranch(reader, "ops", true, opKindNames());
    if (!ops)
        return tl::unexpected(ops.error());
    layer.main = std::move(*ops);
    if (layer.kind == QLatin1String("residual")) {
        layer.residual = true;
        auto shortcut = readBranch(reader, "shortcut", false, opKindNames());
        if (!shortcut)
            return tl::unexpected(shortcut.error());
        auto after = readBranch(reader, "after", false, {QStringLiteral("relu"), QStringLiteral("relu6")});
        if (!after)
            return tl::unexpected(after.error());
        layer.shortcut = std::move(*shortcut);
        layer.after = std::move(*after);
    }
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    if (auto fits = fitLayer(layer, input, Place{reader.source(), layer.name}); !fits)
        return tl::unexpected(fits.error());
    layer.description = {{QStringLiteral("ops"), describe(layer.main)}};
    if (layer.residual) {
        layer.description[QStringLiteral("shortcut")] = describe(layer.shortcut);
        layer.description[QStringLiteral("after")] = describe(layer.after);
    }
    return layer;
}

Result<Layer> invertedResidualBlock(JsonReader &reader, const Shape &input, Layer layer) {
    const auto channels = static_cast<int>(reader.integer("channels", 1, ModelLimits::dimension));
    const auto expansion = static_cast<int>(reader.integer("expansion", 1, largestExpansion, 6));
    const auto stride = static_cast<int>(reader.integer("stride", 1, largestStride, 1));
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    const Place place{reader.source(), layer.name};
    if (input.size() != 3) {
        return fail(QStringLiteral("model.shape"), QStringLiteral("%1 does not fit.").arg(place.whole()),
                    QStringLiteral("It gets %1 but expects channels×height×width.").arg(shapeText(input)),
                    QStringLiteral("Move it before the flatten."));
    }
    layer.residual = stride == 1 && input[0] == channels;
    layer.main = invertedResidual(static_cast<int>(input[0]), channels, expansion, stride);
    if (auto fits = fitLayer(layer, input, place); !fits)
        return tl::unexpected(fits.error());
    layer.description = {{QStringLiteral("channels"), channels},
                         {QStringLiteral("expansion"), expansion},
                         {QStringLiteral("stride"), stride}};
    return layer;
}

Result<Layer> singleOp(JsonReader &reader, const Shape &input, Layer layer) {
    layer.main = {readOp(reader, layer.kind)};
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    if (auto fits = fitLayer(layer, input, Place{reader.source(), layer.name}); !fits)
        return tl::unexpected(fits.error());
    layer.description = describeOp(layer.main.front());
    layer.kind = opKindName(layer.main.front());
    return layer;
}

Result<Layer> readByKind(JsonReader &reader, const Shape &input) {
    Layer layer;
    layer.name = reader.string("name");
    static const QRegularExpression validName(QStringLiteral("\\A[A-Za-z0-9_-]{1,%1}\\z").arg(ModelLimits::nameLength));
    if (reader.ok() && !validName.match(layer.name).hasMatch()) {
        reader.reject(QStringLiteral("name"), QStringLiteral("\"%1\" is no layer name.").arg(layer.name.left(60)),
                      QStringLiteral("Use letters, digits, - and _ (weights are named after it)."));
    }
    const QString inverted = QStringLiteral("inverted-residual");
    const QStringList containers{QStringLiteral("sequence"), QStringLiteral("residual")};
    layer.kind = reader.choice("kind", containers + QStringList{inverted} + opKindNames());
    if (!reader.ok())
        return tl::unexpected(reader.finish().error());
    if (containers.contains(layer.kind))
        return sequence(reader, input, std::move(layer));
    return layer.kind == inverted ? invertedResidualBlock(reader, input, std::move(layer))
                                  : singleOp(reader, input, std::move(layer));
}

}  // namespace

Result<Layer> readLayer(const QJsonValue &value, const QString &source, const QString &path, const Shape &input) {
    JsonReader reader(value, source, path);
    auto layer = readByKind(reader, input);
    if (layer) {
        layer->description[QStringLiteral("kind")] = layer->kind;
        layer->description[QStringLiteral("name")] = layer->name;
    }
    return layer;
}

}  // namespace hearth::detail
