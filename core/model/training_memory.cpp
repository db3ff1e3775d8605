#include "core/model/training_memory.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace hearth {
namespace {

/// What backward keeps of the values of a network: a value that two ops need lies in memory once.
class KeptValues {
  public:
    KeptValues(const Model &model, DType dtype) : m_dtype(dtype) {
        std::vector<std::size_t> slots;
        for (const ModelInput &input : model.inputs)
            slots.push_back(add({input.kind, input.shape, false}));
        for (const Layer &layer : model.layers) {
            m_kept.push_back(0);
            slots = run(layer, std::move(slots));
            m_outputs.push_back(slots);
        }
    }

    qint64 all() const { return std::accumulate(m_kept.begin(), m_kept.end(), qint64{0}); }

    /// Each layer alone: what it gives stays, whether or not it needs that itself.
    std::vector<LayerActivations> byLayer() {
        for (const std::vector<std::size_t> &given : m_outputs) {
            for (const std::size_t value : given)
                keep(value);
        }
        std::vector<LayerActivations> layers(m_passing.size());
        for (std::size_t l = 0; l < layers.size(); ++l)
            layers[l] = {m_kept[l + 1], m_passing[l]};
        return layers;
    }

  private:
    struct Value {
        ValueSpec spec;
        std::size_t place = 0;  // of m_kept
        bool kept = false;
    };

    std::size_t add(ValueSpec spec) {
        m_values.push_back({std::move(spec), m_kept.size() - 1, false});
        return m_values.size() - 1;
    }

    qint64 bytes(std::size_t value) const { return m_values[value].spec.bytes(m_dtype); }

    void keep(std::size_t value) {
        if (!std::exchange(m_values[value].kept, true))
            m_kept[m_values[value].place] += bytes(value);
    }

    /// The values that the layer gives.
    std::vector<std::size_t> run(const Layer &layer, std::vector<std::size_t> values) {
        std::size_t tensor = 0;
        qint64 widest = 0;  // what one op takes and makes, kept or not
        for (const Op &op : layer.ops) {
            bool trained = false;
            for (int i = 0; i < op.tensors; ++i)
                trained = layer.shape.tensors[tensor++].isTrainable() || trained;
            const std::size_t output = run(op, values, trained);
            qint64 own = bytes(output) + 2 * op.cost.keptBesides * byteSize(m_dtype);
            for (const int from : op.from)
                own += bytes(values[static_cast<std::size_t>(from)]);
            widest = std::max(widest, op.cost.launched ? own : 0);
            values.push_back(output);
        }
        std::vector<std::size_t> given;
        for (const int value : layer.outputs)
            given.push_back(values[static_cast<std::size_t>(value)]);
        // The gradient of each value, all at once: those of weights wait until that of the input has left.
        std::ranges::sort(values);
        values.erase(std::ranges::unique(values).begin(), values.end());
        for (const std::size_t value : values)
            widest += m_values[value].spec.needsGradient ? bytes(value) : 0;
        m_passing.push_back(widest);
        return given;
    }

    /// The value that the op gives.
    std::size_t run(const Op &op, const std::vector<std::size_t> &values, bool trained) {
        const auto input = [&](std::size_t i) { return values[static_cast<std::size_t>(op.from[i])]; };
        bool flows = false;
        for (std::size_t i = 0; i < op.from.size(); ++i)
            flows = flows || m_values[input(i)].spec.needsGradient;
        const bool needs = op.outputKind == ValueKind::Real && (flows || trained);
        if (!op.cost.launched && op.from.size() == 1 && elementCount(op.outputShape) == elementCount(op.inputShape())) {
            m_values[input(0)].spec.needsGradient = needs;  // the same memory, seen otherwise
            return input(0);
        }
        const std::size_t output = add({op.outputKind, op.outputShape, needs});
        if (!needs)
            return output;
        // A product with weights needs what it took for their gradient alone.
        const bool product = op.kind == QLatin1String("linear") || op.kind.contains(QLatin1String("convolution")) ||
                             op.kind == QLatin1String("depthwise");
        for (std::size_t i = 0; i < op.from.size(); ++i) {
            if (((op.cost.keptInputs >> i) & 1) != 0 && (trained || !product))
                keep(input(i));
        }
        if (op.cost.keepsOutput)
            keep(output);
        m_kept.back() += op.cost.keptBesides * byteSize(m_dtype);
        return output;
    }

    DType m_dtype;
    std::vector<Value> m_values;
    std::vector<qint64> m_kept{0};                    // of the network's inputs, then of what each layer makes
    std::vector<qint64> m_passing;                    // by layer
    std::vector<std::vector<std::size_t>> m_outputs;  // likewise
};

}  // namespace

qint64 factoredMoments(const Model &model) {
    qint64 count = 0;
    for (const Layer &layer : model.layers) {
        for (const TensorSpec &tensor : layer.shape.tensors)
            count += tensor.isTrainable() && !tensor.tiedTo ? MatrixForm::of(tensor.shape).moments() : 0;
    }
    return count;
}

TrainingMemory trainingMemory(const Model &model, DType dtype) {
    const qint64 size = byteSize(dtype);
    TrainingMemory memory;
    memory.gradients = size * model.elements(TensorRole::Trainable);
    memory.factored = size * factoredMoments(model);
    memory.weights =
        memory.gradients + size * (model.elements(TensorRole::Frozen) + model.elements(TensorRole::Statistics));
    memory.activations = KeptValues(model, dtype).all();
    return memory;
}

std::vector<LayerActivations> layerActivations(const Model &model, DType dtype) {
    return KeptValues(model, dtype).byLayer();
}

}  // namespace hearth
