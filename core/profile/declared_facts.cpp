#include "core/profile/declared_facts.h"

#include <set>

#include "core/model/cut_slots.h"
#include "core/model/training_memory.h"

namespace hearth {

std::vector<LayerFacts> declaredFacts(const Model &model, DType dtype) {
    std::vector<LayerFacts> all;
    for (std::size_t l = 0; l < model.layers.size(); ++l) {
        const Layer &layer = model.layers[l];
        const std::vector<Slot> outputs = cutSlots(model, l + 1, dtype);
        LayerFacts facts;
        facts.name = layer.name;
        facts.outputBytes = forwardBytes(outputs);
        facts.gradientBytes = backwardBytes(outputs);
        facts.parameterBytes = layer.shape.parameterBytes(dtype);
        facts.trainableBytes = layer.shape.trainableBytes(dtype);
        facts.bufferBytes = layer.shape.bufferBytes(dtype);
        facts.minimumSamples = layer.shape.minimumSamples;
        std::set<TensorRef> seen;
        for (const TensorSpec &tensor : layer.shape.tensors) {
            if (tensor.tiedTo && tensor.tiedTo->layer < static_cast<int>(l) && seen.insert(*tensor.tiedTo).second)
                facts.tied.push_back(
                    {tensor.tiedTo->layer, tensor.tiedTo->tensor, tensor.bytes(dtype), tensor.isTrainable()});
        }
        all.push_back(std::move(facts));
    }
    return all;
}

std::vector<LayerFacts> estimatedFacts(const Model &model, DType dtype) {
    constexpr qint64 ofLoss = 2;  // so many times its output the loss keeps at most, and passes on back
    // Gradients of weights on the way to their sums, and weights in the order that a library likes best: of a
    // micro-batch of so many samples a part counts for each.
    constexpr qint64 copiesOfWeights = 2, usualSamples = 8;
    std::vector<LayerFacts> all = declaredFacts(model, dtype);
    const std::vector<LayerActivations> activations = layerActivations(model, dtype);
    for (std::size_t l = 0; l < all.size(); ++l) {
        all[l].savedBytes = activations[l].kept + activations[l].kept / 10;  // ops are known to a few per cent
        all[l].workspaceBytes = activations[l].passing + copiesOfWeights * all[l].trainableBytes / usualSamples;
    }
    all.back().savedBytes += ofLoss * all.back().outputBytes;
    all.back().workspaceBytes += ofLoss * all.back().outputBytes;
    return all;
}

void addSecondMoments(std::vector<LayerFacts> &layers, const Model &model, DType dtype, const OptimizerState &state) {
    for (std::size_t l = 0; l < layers.size() && l < model.layers.size(); ++l) {
        const auto &tensors = model.layers[l].shape.tensors;
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            if (tensors[i].isTrainable() && !isRepeat(tensors, i))
                layers[l].bufferBytes += state.momentsOf(tensors[i].shape) * byteSize(dtype);
        }
    }
}

}  // namespace hearth
