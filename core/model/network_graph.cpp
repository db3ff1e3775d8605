#include "core/model/network_graph.h"

#include <algorithm>

#include "core/model/find_layers.h"
#include "core/model/layer.h"
#include "core/model/op_graph.h"

namespace hearth::detail {
namespace {

QString nameOf(ValueKind kind) {
    return kind == ValueKind::Int64 ? QStringLiteral("int64") : QStringLiteral("real");
}

Shape readShape(JsonReader &reader) {
    const QJsonArray dims = reader.array("shape");
    Shape shape;
    for (const QJsonValue dim : dims) {
        const int value = dim.toInt(0);
        if (value < 1 || value > ModelLimits::dimension || shape.size() == ModelLimits::rank)
            break;
        shape.push_back(value);
    }
    if (reader.ok() &&
        (static_cast<qsizetype>(shape.size()) != dims.size() || elementCount(shape) > ModelLimits::elements)) {
        reader.reject(QStringLiteral("shape"), sentence("It is not the shape of a sample."),
                      sentence("Give up to %1 dimensions without the batch, each from 1 to %2.")
                          .arg(ModelLimits::rank)
                          .arg(ModelLimits::dimension));
        return {};
    }
    return shape;
}

Result<std::vector<ModelInput>> readInputs(JsonReader &reader) {
    const QJsonArray entries = reader.array("inputs");
    if (reader.ok() && (entries.isEmpty() || entries.size() > ModelLimits::inputs)) {
        reader.reject(QStringLiteral("inputs"), sentence("There are %1.").arg(entries.size()),
                      sentence("Give 1 to %1 inputs.").arg(ModelLimits::inputs));
    }
    if (!reader.ok())
        return tl::unexpected(reader.finish().error());
    std::vector<ModelInput> inputs;
    for (qsizetype i = 0; i < entries.size(); ++i) {
        JsonReader entry(entries[i], reader.source(), jsonPointer(reader.pathOf(QStringLiteral("inputs")), i));
        ModelInput input;
        input.name = entry.string("name");
        const QString kind =
            entry.choice("dtype", {nameOf(ValueKind::Real), nameOf(ValueKind::Int64)}, nameOf(ValueKind::Real));
        input.kind = kind == nameOf(ValueKind::Int64) ? ValueKind::Int64 : ValueKind::Real;
        input.shape = readShape(entry);
        if (entry.ok() && !isOpName(input.name, OpNames::Scoped)) {
            entry.reject(QStringLiteral("name"), sentence("\"%1\" is no name of an input.").arg(input.name.left(60)),
                         sentence("Use up to %1 letters, digits, and - _ . /.").arg(ModelLimits::nameLength));
        } else if (std::ranges::find(inputs, input.name, &ModelInput::name) != inputs.end()) {
            entry.reject(QStringLiteral("name"), sentence("The name \"%1\" is taken.").arg(input.name),
                         sentence("Each input and each op needs a name of its own."));
        }
        if (auto finished = entry.finish(); !finished)
            return tl::unexpected(finished.error());
        inputs.push_back(std::move(input));
    }
    return inputs;
}

/// The value that a network gives; the last op's, where the description does not say.
Result<int> readOutput(JsonReader &reader, const OpListReader &names, int inputs, int ops) {
    const QJsonArray outputs = reader.array("outputs", false);
    int output = inputs + ops - 1;
    if (reader.has("outputs") && outputs.size() != 1) {
        reader.reject(QStringLiteral("outputs"), sentence("There are %1.").arg(outputs.size()),
                      sentence("Name one op: the one that gives the logits."));
    } else if (outputs.size() == 1) {
        const QString name = outputs[0].toString();
        output = names.valueOf(name);
        if (output < inputs) {
            reader.rejectAt(jsonPointer(reader.pathOf(QStringLiteral("outputs")), 0),
                            sentence("No op is called \"%1\".").arg(name.left(60)), names.nearest(name));
        }
    }
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    return output;
}

/// Takes from what crosses the cut before the layer, and gives what crosses the one behind. `slots`: values of the
/// network, before and, on return, behind.
Layer cutOut(const FoundLayer &found, std::vector<Op> &ops, int inputs, const std::vector<int> &lastTaken,
             std::vector<int> &slots) {
    Layer layer;
    layer.name = found.name;
    layer.kind = found.kind;
    const auto count = static_cast<int>(slots.size());
    QHash<int, int> own;  // by value of the network
    for (int i = 0; i < count; ++i)
        own.insert(slots[static_cast<std::size_t>(i)], i);
    for (int i = found.first; i < found.last; ++i)
        own.insert(inputs + i, count + i - found.first);
    std::vector<int> next;
    const auto leaves = [&](int value) {
        if (lastTaken[static_cast<std::size_t>(value)] < found.last)
            return;
        next.push_back(value);
        layer.outputs.push_back(own.value(value));
    };
    std::ranges::for_each(slots, leaves);
    layer.frozen = true;
    for (int i = found.first; i < found.last; ++i) {
        leaves(inputs + i);
        Op &op = layer.ops.emplace_back(std::move(ops[static_cast<std::size_t>(i)]));
        for (int &value : op.from)
            value = own.value(value);
        layer.frozen = layer.frozen && (op.frozen || op.tensors == 0);
    }
    slots = std::move(next);
    return layer;
}

Result<void> cutIntoLayers(Model &model, std::vector<Op> ops, int output, const QString &source) {
    const auto inputs = static_cast<int>(model.inputs.size());
    std::vector<ValueSpec> given;
    std::vector<int> slots;
    for (const ModelInput &input : model.inputs) {
        slots.push_back(static_cast<int>(slots.size()));
        given.push_back({input.kind, input.shape, false});
    }
    const auto place = [&](const Op &op) { return QStringLiteral("%1: op \"%2\" (%3)").arg(source, op.name, op.kind); };
    if (auto fits = fitOps(ops, given, place); !fits)
        return fits;
    const std::vector<bool> widened = widenedOps(ops, model.inputs.size());
    const std::vector<int> lastTaken = lastTakers(ops, model.inputs.size(), output);
    for (const FoundLayer &found : findLayers(ops, model.inputs.size(), output)) {
        Layer layer = cutOut(found, ops, inputs, lastTaken, slots);
        const auto spread = [&](std::size_t i) {
            const int op = found.first + static_cast<int>(i);
            return widened[static_cast<std::size_t>(op)] ? Spread::Wide
                   : inputs + op == output               ? Spread::Narrow
                                                         : Spread::Plain;
        };
        if (auto complete = completeLayer(layer, std::move(given), {}, spread, place); !complete)
            return complete;
        given = layer.shape.outputs;
        model.layers.push_back(std::move(layer));
    }
    return {};
}

}  // namespace

Result<Model> readGraphModel(JsonReader &reader) {
    Model model;
    model.isGraph = true;
    auto inputs = readInputs(reader);
    if (!inputs)
        return tl::unexpected(inputs.error());
    model.inputs = std::move(*inputs);
    const QJsonArray entries = reader.array("graph");
    if (reader.ok() && (entries.isEmpty() || entries.size() > ModelLimits::ops)) {
        reader.reject(QStringLiteral("graph"), sentence("There are %1 ops.").arg(entries.size()),
                      sentence("Give 1 to %1 ops.").arg(ModelLimits::ops));
    }
    if (!reader.ok())
        return tl::unexpected(reader.finish().error());
    QStringList names;
    for (const ModelInput &input : model.inputs)
        names << input.name;
    OpListReader list(names, OpNames::Scoped);
    const QString path = reader.pathOf(QStringLiteral("graph"));
    auto ops = list.read(entries, reader.source(), path);
    if (!ops)
        return tl::unexpected(ops.error());
    const auto output = readOutput(reader, list, static_cast<int>(model.inputs.size()), static_cast<int>(ops->size()));
    if (!output)
        return tl::unexpected(output.error());
    if (auto used = checkUsed(*ops, names, {*output}, true, reader.source(), path); !used)
        return tl::unexpected(used.error());
    if (auto cut = cutIntoLayers(model, std::move(*ops), *output, reader.source()); !cut)
        return tl::unexpected(cut.error());
    const ValueSpec &logits = model.layers.back().shape.outputs.front();
    if (logits.kind != ValueKind::Real || logits.shape.empty()) {
        return fail(QStringLiteral("model.shape"),
                    sentence("%1: what the network gives cannot be trained.").arg(reader.source()),
                    sentence("It gives %1; a loss expects real numbers, one for each class in the last dimension.")
                        .arg(logits.kind == ValueKind::Real ? sentence("a single number") : sentence("whole numbers")),
                    sentence("Name the op that gives the logits in \"outputs\"."));
    }
    model.classes = static_cast<int>(logits.shape.back());
    return model;
}

void describeGraphModel(const Model &model, QJsonObject &to) {
    QJsonArray inputs, ops;
    QStringList slots;
    for (const ModelInput &input : model.inputs) {
        inputs.append(QJsonObject{{QStringLiteral("name"), input.name},
                                  {QStringLiteral("dtype"), nameOf(input.kind)},
                                  {QStringLiteral("shape"), shapeJson(input.shape)}});
        slots << input.name;
    }
    for (const Layer &layer : model.layers) {
        QStringList names = slots;
        for (const Op &op : layer.ops)
            names << op.name;
        describeOps(layer.ops, names, OpNames::Scoped, ops);
        slots.clear();
        for (const int value : layer.outputs)
            slots << names[value];
    }
    to[QStringLiteral("inputs")] = inputs;
    to[QStringLiteral("graph")] = ops;
    to[QStringLiteral("outputs")] = QJsonArray::fromStringList(slots);
}

}  // namespace hearth::detail
