#include "core/model/layer.h"

#include <QRegularExpression>

#include "core/model/op.h"

namespace hearth::detail {
namespace {

constexpr int largestExpansion = 64;
constexpr int largestStride = 1 << 10;
/// What Op::from says of the layer's own input, and what a graph calls it.
constexpr int layerInput = 0;
const QString inputName = QStringLiteral("input");

using Chain = std::vector<Op>;

/// Weights are named after layers and ops.
bool isName(const QString &name) {
    static const QRegularExpression valid(QStringLiteral("\\A[A-Za-z0-9_-]{1,%1}\\z").arg(ModelLimits::nameLength));
    return valid.match(name).hasMatch();
}

QString placeOf(const QString &source, const Layer &layer) {
    return QStringLiteral("%1: layer \"%2\"").arg(source, layer.name);
}

Result<Chain> readChain(JsonReader &reader, const char *key, bool required, const QStringList &kinds) {
    Chain chain;
    const QJsonArray entries = reader.array(key, required);
    if (entries.size() > ModelLimits::opsPerLayer) {
        reader.reject(
            QLatin1String(key),
            QStringLiteral("It has %1 ops, at most %2 are allowed.").arg(entries.size()).arg(ModelLimits::opsPerLayer));
        return chain;
    }
    if (required && entries.isEmpty())
        reader.reject(QLatin1String(key), QStringLiteral("There are no ops."), QStringLiteral("Add at least one."));
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

QString nameOf(const Layer &layer, int value) {
    return value == layerInput ? inputName : layer.ops[static_cast<std::size_t>(value - 1)].name;
}

Result<void> fitOps(Layer &layer, const Shape &input, const QString &source) {
    std::vector<Shape> values{input};
    for (Op &op : layer.ops) {
        for (const int value : op.from)
            op.inputShapes.push_back(values[static_cast<std::size_t>(value)]);
        const QString place = QStringLiteral("%1, op %2 (%3)").arg(placeOf(source, layer), op.name, op.kind);
        if (auto fits = fitOp(op, place); !fits)
            return fits;
        values.push_back(op.outputShape);
    }
    return {};
}

/// Whether every op that takes what op `index` gives makes the weights before it wider, and there is one.
bool isWidened(const Layer &layer, std::size_t index) {
    bool widened = false;
    for (const Op &op : layer.ops) {
        if (std::find(op.from.begin(), op.from.end(), static_cast<int>(index) + 1) == op.from.end())
            continue;
        if (!widensWeights(op.kind))
            return false;
        widened = true;
    }
    return widened;
}

/// Completes a layer whose ops and connections are set.
Result<void> fitLayer(Layer &layer, const Shape &input, const QString &source) {
    if (auto fits = fitOps(layer, input, source); !fits)
        return fits;
    LayerShape &shape = layer.shape;
    shape.input = input;
    shape.output = layer.ops.back().outputShape;
    for (std::size_t i = 0; i < layer.ops.size(); ++i) {
        Op &op = layer.ops[i];
        QStringList own;
        for (TensorSpec &tensor : tensorsOf(op, isWidened(layer, i))) {
            own << tensor.name;
            tensor.name =
                op.tensorNames.value(tensor.name, QStringLiteral("%1.%2.%3").arg(layer.name, op.name, tensor.name));
            shape.tensors.push_back(std::move(tensor));
            ++op.tensors;
        }
        for (const QString &name : op.tensorNames.keys()) {
            if (!own.contains(name)) {
                return fail(QStringLiteral("model.tensor"),
                            sentence("%1, op %2 (%3): it has no tensor \"%4\".")
                                .arg(placeOf(source, layer), op.name, op.kind, name.left(60)),
                            own.isEmpty() ? sentence("An op of this kind has none.")
                                          : sentence("It has %1.").arg(own.join(QStringLiteral(", "))),
                            sentence("Correct \"tensors\"."));
            }
        }
        const auto macs = static_cast<qint64>(op.cost.macs);
        shape.macs += macs;
        shape.flops += macs > 0 ? 2 * macs : std::max(elementCount(op.inputShape()), elementCount(op.outputShape));
        shape.minimumSamples = std::max(shape.minimumSamples, op.cost.minimumSamples);
    }
    return {};
}

Result<Layer> sequence(JsonReader &reader, const Shape &input, Layer layer) {
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

Result<Layer> residual(JsonReader &reader, const Shape &input, Layer layer) {
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

Result<Layer> invertedResidualBlock(JsonReader &reader, const Shape &input, Layer layer) {
    const auto channels = static_cast<int>(reader.integer("channels", 1, ModelLimits::dimension));
    const auto expansion = static_cast<int>(reader.integer("expansion", 1, largestExpansion, 6));
    const auto stride = static_cast<int>(reader.integer("stride", 1, largestStride, 1));
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    const QString place = placeOf(reader.source(), layer);
    if (input.size() != 3) {
        return fail(QStringLiteral("model.shape"), QStringLiteral("%1 does not fit.").arg(place),
                    QStringLiteral("It gets %1 but expects channels×height×width.").arg(shapeText(input)),
                    QStringLiteral("Move it before the flatten."));
    }
    if (input[0] * expansion > ModelLimits::dimension) {
        return fail(QStringLiteral("model.too-large"), QStringLiteral("%1 is too large.").arg(place),
                    QStringLiteral("It expands to %1 channels, and no dimension may exceed %2.")
                        .arg(input[0] * expansion)
                        .arg(ModelLimits::dimension));
    }
    JsonReader inside(QJsonObject{{QStringLiteral("ops"), invertedResidual(input[0], channels, expansion, stride)}},
                      reader.source(), reader.pathOf({}));
    auto ops = readChain(inside, "ops", true, chainKinds());
    if (!ops)
        return tl::unexpected(ops.error());
    if (stride == 1 && input[0] == channels)
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

Result<Layer> singleOp(JsonReader &reader, const Shape &input, Layer layer) {
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

/// The values that an op of a graph takes: those that "from" names, or what the op before gives.
std::vector<int> readFrom(JsonReader &reader, const Layer &layer) {
    const QJsonArray names = reader.array("from", false);
    if (!reader.has("from"))
        return {static_cast<int>(layer.ops.size())};
    QStringList known{inputName};
    for (const Op &op : layer.ops)
        known << op.name;
    std::vector<int> from;
    for (qsizetype i = 0; i < names.size() && reader.ok(); ++i) {
        const QString name = names[i].toString();
        const auto value = static_cast<int>(known.indexOf(name));
        if (value < 0) {
            reader.rejectAt(jsonPointer(reader.pathOf(QStringLiteral("from")), i),
                            QStringLiteral("No op before this one is called \"%1\".").arg(name.left(60)),
                            didYouMean(name, known));
        }
        from.push_back(value);
    }
    return from;
}

/// Other names for tensors of an op, which may be those of other ops. That the op has such tensors is checked where its
/// shapes are known.
QMap<QString, QString> readTensorNames(JsonReader &reader) {
    static const QRegularExpression valid(
        QStringLiteral("\\A[A-Za-z0-9_./-]{1,%1}\\z").arg(2 * ModelLimits::nameLength));
    QMap<QString, QString> names;
    const QJsonObject object = reader.object("tensors", false);
    for (auto entry = object.begin(); entry != object.end(); ++entry) {
        const QString name = entry.value().toString();
        if (!valid.match(name).hasMatch()) {
            reader.rejectAt(jsonPointer(reader.pathOf(QStringLiteral("tensors")), entry.key()),
                            sentence("\"%1\" is no name of a tensor.").arg(name.left(60)),
                            sentence("Use letters, digits, and - _ . / (\"layer.op.weight\")."));
        }
        names.insert(entry.key(), name);
    }
    return names;
}

/// One op of a graph, and the checks that need no shapes.
Result<Op> readNode(const QJsonValue &value, const QString &source, const QString &path, const Layer &layer) {
    JsonReader reader(value, source, path);
    const QString name = reader.string("name");
    const QString kind = reader.choice("kind", opKinds());
    if (!reader.ok())
        return tl::unexpected(reader.finish().error());
    const bool taken = name == inputName ||
                       std::any_of(layer.ops.begin(), layer.ops.end(), [&](const Op &op) { return op.name == name; });
    if (!isName(name)) {
        reader.reject(QStringLiteral("name"), QStringLiteral("\"%1\" is no name of an op.").arg(name.left(60)),
                      QStringLiteral("Use letters, digits, - and _ (weights are named after it)."));
    } else if (taken) {
        reader.reject(QStringLiteral("name"), QStringLiteral("The name \"%1\" is taken.").arg(name),
                      QStringLiteral("\"input\" is what the layer takes; each op needs a name of its own."));
    }
    Op op = readOp(reader, kind);
    op.name = name;
    op.from = readFrom(reader, layer);
    op.tensorNames = readTensorNames(reader);
    const bool joins = !chainKinds().contains(kind);
    if (joins ? op.from.size() < 2 : op.from.size() != 1) {
        reader.reject(QStringLiteral("from"),
                      joins ? QStringLiteral("\"%1\" takes two inputs or more.").arg(kind)
                            : QStringLiteral("\"%1\" takes one input.").arg(kind),
                      QStringLiteral("Name what it takes: [\"input\"], or the names of ops before it."));
    }
    if (op.from.size() > ModelLimits::opsPerLayer)
        reader.reject(QStringLiteral("from"),
                      QStringLiteral("It has more than %1 names.").arg(ModelLimits::opsPerLayer));
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    return op;
}

/// What an op gives must lead to the layer's output.
Result<void> checkUsed(const Layer &layer, JsonReader &reader) {
    for (int value = 1; value < static_cast<int>(layer.ops.size()); ++value) {
        const bool used = std::any_of(layer.ops.begin(), layer.ops.end(), [value](const Op &op) {
            return std::find(op.from.begin(), op.from.end(), value) != op.from.end();
        });
        if (!used) {
            reader.rejectAt(jsonPointer(reader.pathOf(QStringLiteral("ops")), value - 1),
                            QStringLiteral("Nothing takes what \"%1\" gives.").arg(nameOf(layer, value)),
                            QStringLiteral("Name it in the \"from\" of a later op, or leave it out. The last op gives "
                                           "what the layer gives."));
        }
    }
    return reader.finish();
}

QJsonObject namesOf(const Op &op) {
    QJsonObject names;
    for (auto name = op.tensorNames.cbegin(); name != op.tensorNames.cend(); ++name)
        names.insert(name.key(), name.value());
    return names;
}

QJsonArray describeGraph(const Layer &layer) {
    QJsonArray array;
    for (const Op &op : layer.ops) {
        QJsonObject description = describeOp(op);
        QJsonArray from;
        for (const int value : op.from)
            from.append(nameOf(layer, value));
        description[QStringLiteral("name")] = op.name;
        description[QStringLiteral("from")] = from;
        if (!op.tensorNames.isEmpty())
            description[QStringLiteral("tensors")] = namesOf(op);
        array.append(description);
    }
    return array;
}

Result<Layer> graph(JsonReader &reader, const Shape &input, Layer layer) {
    const QJsonArray entries = reader.array("ops");
    if (reader.ok() && (entries.isEmpty() || entries.size() > ModelLimits::opsPerLayer)) {
        reader.reject(QStringLiteral("ops"), QStringLiteral("There are %1.").arg(entries.size()),
                      QStringLiteral("Give 1 to %1 ops.").arg(ModelLimits::opsPerLayer));
    }
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    for (qsizetype i = 0; i < entries.size(); ++i) {
        auto op = readNode(entries[i], reader.source(), jsonPointer(reader.pathOf(QStringLiteral("ops")), i), layer);
        if (!op)
            return tl::unexpected(op.error());
        layer.ops.push_back(std::move(*op));
    }
    if (auto used = checkUsed(layer, reader); !used)
        return tl::unexpected(used.error());
    if (auto fits = fitLayer(layer, input, reader.source()); !fits)
        return tl::unexpected(fits.error());
    layer.description = {{QStringLiteral("ops"), describeGraph(layer)}};
    return layer;
}

struct LayerForm {
    const char *kind;
    Result<Layer> (*read)(JsonReader &reader, const Shape &input, Layer layer);
};
/// A graph, and the short forms of common ones.
constexpr LayerForm forms[] = {
    {"graph", graph}, {"sequence", sequence}, {"residual", residual}, {"inverted-residual", invertedResidualBlock}};

Result<Layer> readByKind(JsonReader &reader, const Shape &input) {
    Layer layer;
    layer.name = reader.string("name");
    if (reader.ok() && !isName(layer.name)) {
        reader.reject(QStringLiteral("name"), QStringLiteral("\"%1\" is no layer name.").arg(layer.name.left(60)),
                      QStringLiteral("Use letters, digits, - and _ (weights are named after it)."));
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

Result<Layer> readLayer(const QJsonValue &value, const QString &source, const QString &path, const Shape &input) {
    JsonReader reader(value, source, path);
    auto layer = readByKind(reader, input);
    if (layer) {
        layer->description[QStringLiteral("kind")] = layer->kind;
        layer->description[QStringLiteral("name")] = layer->name;
        if (layer->frozen) {
            // Left out where it is false: models of before keep their hash.
            layer->description[QStringLiteral("frozen")] = true;
            for (TensorSpec &tensor : layer->shape.tensors) {
                if (tensor.isTrainable())
                    tensor.role = TensorRole::Frozen;
            }
        }
    }
    return layer;
}

}  // namespace hearth::detail
