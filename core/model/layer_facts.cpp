// What follows from the ops of layers.
#include <algorithm>

#include "core/model/layer.h"
#include "core/model/op.h"
#include "core/model/op_graph.h"

namespace hearth::detail {
namespace {

/// A linear op that nothing follows is a head: a tenth of the usual width starts all classes nearly equal, without
/// which some seeds begin with a loss far above ln(classes) and jump once momentum has built up.
constexpr double headNarrowing = 10;

std::vector<TensorSpec> ownTensors(const Op &op, Spread spread) {
    std::vector<TensorSpec> own = tensorsOf(op, spread == Spread::Wide);
    if (spread == Spread::Narrow && op.kind == QLatin1String("linear"))
        own.front().bound /= headNarrowing;
    if (op.frozen) {
        for (TensorSpec &tensor : own) {
            if (tensor.isTrainable())
                tensor.role = TensorRole::Frozen;
        }
    }
    return own;
}

Result<void> checkTensorNames(const Op &op, const std::vector<TensorSpec> &own, const QString &place) {
    for (auto renamed = op.tensorNames.cbegin(); renamed != op.tensorNames.cend(); ++renamed) {
        if (std::ranges::find(own, renamed.key(), &TensorSpec::name) != own.end())
            continue;
        QStringList names;
        for (const TensorSpec &tensor : own)
            names << tensor.name;
        return fail(QStringLiteral("model.tensor"),
                    sentence("%1: it has no tensor \"%2\".").arg(place, renamed.key().left(60)),
                    names.isEmpty() ? sentence("An op of this kind has none.")
                                    : sentence("It has %1.").arg(names.join(QStringLiteral(", "))),
                    sentence("Correct \"tensors\"."));
    }
    return {};
}

}  // namespace

Result<void> completeLayer(Layer &layer, std::vector<ValueSpec> inputs, const QString &prefix,
                           const std::function<Spread(std::size_t op)> &spread,
                           const std::function<QString(const Op &)> &place) {
    LayerShape &shape = layer.shape;
    for (std::size_t i = 0; i < layer.ops.size(); ++i) {
        Op &op = layer.ops[i];
        std::vector<TensorSpec> own = ownTensors(op, spread(i));
        if (auto named = checkTensorNames(op, own, place(op)); !named)
            return named;
        for (TensorSpec &tensor : own) {
            tensor.name =
                op.tensorNames.value(tensor.name, QStringLiteral("%1%2.%3").arg(prefix, op.name, tensor.name));
            shape.tensors.push_back(std::move(tensor));
        }
        const auto macs = static_cast<qint64>(op.cost.macs);
        shape.macs += macs;
        shape.flops += macs > 0 ? 2 * macs : std::max(elementCount(op.inputShape()), elementCount(op.outputShape));
        shape.minimumSamples = std::max(shape.minimumSamples, op.cost.minimumSamples);
    }
    for (const int value : layer.outputs)
        shape.outputs.push_back(valueSpec(layer.ops, inputs, value));
    shape.inputs = std::move(inputs);
    return {};
}

void markGradients(std::vector<Layer> &layers) {
    std::vector<ValueSpec> given;  // by the layer before
    for (Layer &layer : layers) {
        std::vector<bool> needs;  // by value
        for (std::size_t i = 0; i < layer.shape.inputs.size(); ++i) {
            needs.push_back(!given.empty() && given[i].needsGradient);
            layer.shape.inputs[i].needsGradient = needs.back();
        }
        std::size_t tensor = 0;
        for (const Op &op : layer.ops) {
            const auto trained = [&] {
                const auto first = layer.shape.tensors.begin() + static_cast<std::ptrdiff_t>(tensor);
                return std::any_of(first, first + op.tensors,
                                   [](const TensorSpec &spec) { return spec.isTrainable(); });
            };
            const bool above =
                std::ranges::any_of(op.from, [&](int value) { return needs[static_cast<std::size_t>(value)]; });
            needs.push_back(op.outputKind == ValueKind::Real && (above || trained()));
            tensor += static_cast<std::size_t>(op.tensors);
        }
        for (std::size_t i = 0; i < layer.outputs.size(); ++i)
            layer.shape.outputs[i].needsGradient = needs[static_cast<std::size_t>(layer.outputs[i])];
        given = layer.shape.outputs;
    }
}

}  // namespace hearth::detail
