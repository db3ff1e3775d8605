#include "core/model/layer.h"

#include "core/model/op.h"
#include "core/model/op_graph.h"

namespace hearth::detail {
namespace {

constexpr int largestExpansion = 64;
constexpr int largestStride = 1 << 10;
/// What Op::from says of the layer's own input, and what a graph calls it.
constexpr int layerInput = 0;
const QString inputName = QStringLiteral("input");

using Chain = std::vector<Op>;

QString placeOf(const QString &source, const Layer &layer) {
    return QStringLiteral("%1: layer \"%2\"").arg(source, layer.name);
}

Result<Chain> readChain(JsonReader &reader, const char *key, bool required, const QStringList &kinds) {
    Chain chain;
    const QJsonArray entries = reader.array(key, required);
    if (entries.size() > ModelLimits::opsPerLayer) {
        reader.reject(
            QLatin1String(key),
            sentence("It has %1 ops, at most %2 are allowed.").arg(entries.size()).arg(ModelLimits::opsPerLayer));
        return chain;
    }
    if (required && entries.isEmpty())
        reader.reject(QLatin1String(key), sentence("There are no ops."), sentence("Add at least one."));
    for (qsizetype i = 0; i < entries.size(); ++i) {
        const QString place = jsonPointer(reader.pathOf(QLatin1String(key)), i);
        JsonReader op(entries[i], reader.source(), place);
        const QString kind = op.choice("kind", kinds);
        if (op.ok())
            chain.push_back(readOp(op, kind));
        if (auto finished = op.finish(); !finished)
            return tl::unexpected(finished.error());
    }
    return chain;
}

/// Adds ops of one input, each taking from the one before, the first from `value`; they are called by `prefix` and
/// their place in the chain. The value that the last one gives.
int append(Layer &layer, Chain chain, int value, const QString &prefix = {}) {
    for (std::size_t i = 0; i < chain.size(); ++i) {
        chain[i].name = prefix + QString::number(i);
        chain[i].from = {value};
        layer.ops.push_back(std::move(chain[i]));
        value = static_cast<int>(layer.ops.size());
    }
    return value;
}

/// output = after( main(x) + shortcut(x) ); an empty shortcut is the identity.
void appendResidual(Layer &layer, Chain main, Chain shortcut, Chain after) {
    Op sum;
    sum.name = QStringLiteral("sum");
    sum.kind = QStringLiteral("add");
    const int left = append(layer, std::move(main), layerInput);
    const int right = append(layer, std::move(shortcut), layerInput, QStringLiteral("shortcut."));
    sum.from = {left, right};
    layer.ops.push_back(std::move(sum));
    append(layer, std::move(after), static_cast<int>(layer.ops.size()), QStringLiteral("after."));
}

QJsonArray describe(const Layer &layer, const QString &prefix) {
    QJsonArray array;
    for (const Op &op : layer.ops) {
        if (op.name == prefix + QString::number(array.size()))
            array.append(describeOp(op));
    }
    return array;
}

/// Completes a layer whose ops and connections are set; the last one gives what it gives.
Result<void> fitLayer(Layer &layer, const ValueSpec &input, const QString &source) {
    const auto place = [&](const Op &op) {
        return QStringLiteral("%1, op %2 (%3)").arg(placeOf(source, layer), op.name, op.kind);
    };
    if (auto fits = fitOps(layer.ops, {input}, place); !fits)
        return fits;
    layer.outputs = {static_cast<int>(layer.ops.size())};
    for (Op &op : layer.ops)
        op.frozen = layer.frozen;
    const std::vector<bool> widened = widenedOps(layer.ops, 1);
    return completeLayer(
        layer, {input}, layer.name + QLatin1Char('.'),
        [&](std::size_t op) { return widened[op] ? Spread::Wide : Spread::Narrow; }, place);
}

Result<Layer> sequence(JsonReader &reader, const ValueSpec &input, Layer layer) {
    auto ops = readChain(reader, "ops", true, chainKinds());
    if (!ops)
        return tl::unexpected(ops.error());
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    append(layer, std::move(*ops), layerInput);
    if (auto fits = fitLayer(layer, input, reader.source()); !fits)
        return tl::unexpected(fits.error());
    layer.description = {{QStringLiteral("ops"), describe(layer, {})}};
    return layer;
}

Result<Layer> residual(JsonReader &reader, const ValueSpec &input, Layer layer) {
    auto main = readChain(reader, "ops", true, chainKinds());
    if (!main)
        return tl::unexpected(main.error());
    auto shortcut = readChain(reader, "shortcut", false, chainKinds());
    if (!shortcut)
        return tl::unexpected(shortcut.error());
    auto after = readChain(reader, "after", false, activationKinds());
    if (!after)
        return tl::unexpected(after.error());
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    appendResidual(layer, std::move(*main), std::move(*shortcut), std::move(*after));
    if (auto fits = fitLayer(layer, input, reader.source()); !fits)
        return tl::unexpected(fits.error());
    layer.description = {{QStringLiteral("ops"), describe(layer, {})},
                         {QStringLiteral("shortcut"), describe(layer, QStringLiteral("shortcut."))},
                         {QStringLiteral("after"), describe(layer, QStringLiteral("after."))}};
    return layer;
}

// Sandler et al. 2018, as torchvision orders it: expand, depthwise, project; added to the input where shapes allow.
QJsonArray invertedResidual(qint64 in, int channels, int expansion, int stride) {
    const QString kind = QStringLiteral("kind"), kernel = QStringLiteral("kernel"), bias = QStringLiteral("bias");
    const QJsonObject norm{{kind, QStringLiteral("batch-norm")}}, relu6{{kind, QStringLiteral("relu6")}};
    const auto pointwise = [&](qint64 out) {
        return QJsonObject{
            {kind, QStringLiteral("convolution")}, {QStringLiteral("channels"), out}, {kernel, 1}, {bias, false}};
    };
    QJsonArray ops;
    if (expansion != 1) {
        ops.append(pointwise(in * expansion));
        ops.append(norm);
        ops.append(relu6);
    }
    ops.append(QJsonObject{{kind, QStringLiteral("depthwise")},
                           {kernel, 3},
                           {QStringLiteral("stride"), stride},
                           {QStringLiteral("padding"), 1},
                           {bias, false}});
    ops.append(norm);
    ops.append(relu6);
    ops.append(pointwise(channels));
    ops.append(norm);
    return ops;
}

Result<Layer> invertedResidualBlock(JsonReader &reader, const ValueSpec &input, Layer layer) {
    const auto channels = static_cast<int>(reader.integer("channels", 1, ModelLimits::dimension));
    const auto expansion = static_cast<int>(reader.integer("expansion", 1, largestExpansion, 6));
    const auto stride = static_cast<int>(reader.integer("stride", 1, largestStride, 1));
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    const QString place = placeOf(reader.source(), layer);
    const Shape &shape = input.shape;
    if (shape.size() != 3) {
        return fail(QStringLiteral("model.shape"), sentence("%1 does not fit.").arg(place),
                    sentence("It gets %1 but expects channels×height×width.").arg(shapeText(shape)),
                    sentence("Move it before the flatten."));
    }
    if (shape[0] * expansion > ModelLimits::dimension) {
        return fail(QStringLiteral("model.too-large"), sentence("%1 is too large.").arg(place),
                    sentence("It expands to %1 channels, and no dimension may exceed %2.")
                        .arg(shape[0] * expansion)
                        .arg(ModelLimits::dimension));
    }
    JsonReader inside(QJsonObject{{QStringLiteral("ops"), invertedResidual(shape[0], channels, expansion, stride)}},
                      reader.source(), reader.pathOf({}));
    auto ops = readChain(inside, "ops", true, chainKinds());
    if (!ops)
        return tl::unexpected(ops.error());
    if (stride == 1 && shape[0] == channels)
        appendResidual(layer, std::move(*ops), {}, {});
    else
        append(layer, std::move(*ops), layerInput);
    if (auto fits = fitLayer(layer, input, reader.source()); !fits)
        return tl::unexpected(fits.error());
    layer.description = {{QStringLiteral("channels"), channels},
                         {QStringLiteral("expansion"), expansion},
                         {QStringLiteral("stride"), stride}};
    return layer;
}

Result<Layer> singleOp(JsonReader &reader, const ValueSpec &input, Layer layer) {
    Chain op{readOp(reader, layer.kind)};
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    append(layer, std::move(op), layerInput);
    if (auto fits = fitLayer(layer, input, reader.source()); !fits)
        return tl::unexpected(fits.error());
    layer.description = describeOp(layer.ops.front());
    layer.kind = layer.ops.front().kind;
    return layer;
}

Result<Layer> graph(JsonReader &reader, const ValueSpec &input, Layer layer) {
    const QJsonArray entries = reader.array("ops");
    if (reader.ok() && (entries.isEmpty() || entries.size() > ModelLimits::opsPerLayer)) {
        reader.reject(QStringLiteral("ops"), sentence("There are %1.").arg(entries.size()),
                      sentence("Give 1 to %1 ops.").arg(ModelLimits::opsPerLayer));
    }
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    const QStringList inputs{inputName};
    const QString path = reader.pathOf(QStringLiteral("ops"));
    auto ops = OpListReader(inputs, OpNames::Plain).read(entries, reader.source(), path);
    if (!ops)
        return tl::unexpected(ops.error());
    layer.ops = std::move(*ops);
    const int last = static_cast<int>(layer.ops.size());
    if (auto used = checkUsed(layer.ops, inputs, {last}, false, reader.source(), path); !used)
        return tl::unexpected(used.error());
    if (auto fits = fitLayer(layer, input, reader.source()); !fits)
        return tl::unexpected(fits.error());
    QStringList names = inputs;
    for (const Op &op : layer.ops)
        names << op.name;
    QJsonArray described;
    describeOps(layer.ops, names, OpNames::Plain, described);
    layer.description = {{QStringLiteral("ops"), described}};
    return layer;
}

struct LayerForm {
    const char *kind;
    Result<Layer> (*read)(JsonReader &reader, const ValueSpec &input, Layer layer);
};
/// A graph, and the short forms of common ones.
constexpr LayerForm forms[] = {
    {"graph", graph}, {"sequence", sequence}, {"residual", residual}, {"inverted-residual", invertedResidualBlock}};

Result<Layer> readByKind(JsonReader &reader, const ValueSpec &input) {
    Layer layer;
    layer.name = reader.string("name");
    if (reader.ok() && !isOpName(layer.name, OpNames::Plain)) {
        reader.reject(QStringLiteral("name"), sentence("\"%1\" is no layer name.").arg(layer.name.left(60)),
                      sentence("Use letters, digits, - and _ (weights are named after it)."));
    }
    QStringList kinds;
    for (const LayerForm &form : forms)
        kinds << QLatin1String(form.kind);
    layer.kind = reader.choice("kind", kinds + chainKinds());
    layer.frozen = reader.boolean("frozen", false);
    if (!reader.ok())
        return tl::unexpected(reader.finish().error());
    for (const LayerForm &form : forms) {
        if (layer.kind == QLatin1String(form.kind))
            return form.read(reader, input, std::move(layer));
    }
    return singleOp(reader, input, std::move(layer));
}

}  // namespace

Result<Layer> readLayer(const QJsonValue &value, const QString &source, const QString &path, const ValueSpec &input) {
    JsonReader reader(value, source, path);
    auto layer = readByKind(reader, input);
    if (layer) {
        layer->description[QStringLiteral("kind")] = layer->kind;
        layer->description[QStringLiteral("name")] = layer->name;
        if (layer->frozen) {
            // Left out where it is false: models of before keep their hash.
            layer->description[QStringLiteral("frozen")] = true;
        }
    }
    return layer;
}

}  // namespace hearth::detail
