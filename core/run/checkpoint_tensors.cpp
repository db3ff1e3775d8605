#include "core/run/checkpoint_tensors.h"

#include <QHash>
#include <QSet>
#include <cstring>

#include "core/base/at.h"
#include "core/model/layer_state.h"

namespace hearth::detail {
namespace {

/// Calls each(spec, layer, part of the layout) for all tensors of that file; `spec` has the name that it has there. A
/// tied tensor is there once, and each of its layers has it.
template <class Each>
void forEachPart(const CheckpointStore::Subject &subject, CheckpointPart which, const Each &each) {
    for (std::size_t l = 0; l < subject.model.layers.size(); ++l) {
        const Layer &layer = subject.model.layers[l];
        const auto layout = LayerStateLayout::of(layer, dtypeOf(subject.precision), subject.optimizer);
        for (const LayerStateLayout::Part &part : layout.parts) {
            if ((part.optimizer >= 0) != (which == CheckpointPart::Optimizer))
                continue;
            TensorSpec spec = layer.shape.tensors[at(part.tensor)];
            spec.shape = part.shape;
            if (part.optimizer >= 0)
                spec.name += QStringLiteral("/optimizer.%1").arg(part.optimizer);
            each(spec, l, part);
        }
    }
}

tl::unexpected<Error> damagedTensors(const QString &source, const Sentence &cause) {
    return fail(QStringLiteral("checkpoint.damaged"), sentence("%1 does not fit the model.").arg(source), cause,
                sentence("An older checkpoint takes its place."));
}

}  // namespace

std::vector<NamedTensor> checkpointTensors(const CheckpointStore::Subject &subject, const LayerStates &states,
                                           CheckpointPart part, const BetweenPieces &between) {
    std::vector<NamedTensor> tensors;
    forEachPart(subject, part, [&](const TensorSpec &spec, std::size_t layer, const LayerStateLayout::Part &place) {
        if (spec.tiedTo)
            return;
        NamedTensor tensor{spec, dtypeOf(subject.precision), Buffer::allocate(place.bytes)};
        if (place.bytes > 0)
            std::memcpy(tensor.data->data(), states[layer]->data() + place.offset,
                        static_cast<std::size_t>(place.bytes));
        tensors.push_back(std::move(tensor));
        if (between)
            between();
    });
    return tensors;
}

std::vector<std::shared_ptr<Buffer>> emptyStates(const CheckpointStore::Subject &subject) {
    std::vector<std::shared_ptr<Buffer>> states;
    for (const Layer &layer : subject.model.layers) {
        const auto layout = LayerStateLayout::of(layer, dtypeOf(subject.precision), subject.optimizer);
        states.push_back(Buffer::allocate(layout.bytes));
    }
    return states;
}

Result<void> fillStates(const CheckpointStore::Subject &subject, CheckpointPart part,
                        const std::vector<NamedTensor> &tensors, const QString &source,
                        std::vector<std::shared_ptr<Buffer>> *states) {
    QHash<QString, const NamedTensor *> byName;
    QSet<QString> unused;
    for (const NamedTensor &tensor : tensors) {
        byName.insert(tensor.spec.name, &tensor);
        unused.insert(tensor.spec.name);
    }
    Result<void> outcome;
    const auto fill = [&](const TensorSpec &spec, std::size_t layer, const LayerStateLayout::Part &place) {
        if (!outcome)
            return;
        const NamedTensor *found = byName.value(spec.name);
        unused.remove(spec.name);
        if (!found) {
            outcome = damagedTensors(source, sentence("The tensor \"%1\" is missing.").arg(spec.name));
        } else if (found->spec.shape != spec.shape || found->dtype != dtypeOf(subject.precision)) {
            outcome =
                damagedTensors(source, sentence("The tensor \"%1\" is %2 of type %3; the model wants %4 of %5.")
                                           .arg(spec.name, shapeText(found->spec.shape), safetensorsName(found->dtype),
                                                shapeText(spec.shape), safetensorsName(dtypeOf(subject.precision))));
        } else if (place.bytes > 0) {
            std::memcpy((*states)[layer]->data() + place.offset, found->data->data(),
                        static_cast<std::size_t>(place.bytes));
        }
    };
    forEachPart(subject, part, fill);
    if (outcome && !unused.isEmpty()) {
        QStringList rest = unused.values();
        rest.sort();
        return damagedTensors(source, sentence("The tensor \"%1\" is not part of it.").arg(rest.first().left(100)));
    }
    return outcome;
}

}  // namespace hearth::detail
