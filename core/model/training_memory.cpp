#include "core/model/training_memory.h"

#include <algorithm>

namespace hearth {
namespace {

/// What backward keeps, over all layers: a value that two ops need lies in memory once.
class KeptValues {
  public:
    explicit KeptValues(DType dtype) : m_dtype(dtype) {}

    qint64 of(const Model &model) {
        std::vector<std::size_t> slots;
        for (const ModelInput &input : model.inputs)
            slots.push_back(add({input.kind, input.shape, false}));
        for (const Layer &layer : model.layers) {
            std::vector<std::size_t> values = slots;
            std::size_t tensor = 0;
            for (const Op &op : layer.ops) {
                bool trained = false;
                for (int i = 0; i < op.tensors; ++i)
                    trained = layer.shape.tensors[tensor++].isTrainable() || trained;
                values.push_back(run(op, values, trained));
            }
            slots.clear();
            for (const int value : layer.outputs)
                slots.push_back(values[static_cast<std::size_t>(value)]);
        }
        return m_bytes;
    }

  private:
    struct Value {
        ValueSpec spec;
        bool kept = false;
    };

    std::size_t add(ValueSpec spec) {
        m_values.push_back({std::move(spec), false});
        return m_values.size() - 1;
    }

    void keep(std::size_t value) {
        if (!std::exchange(m_values[value].kept, true))
            m_bytes += m_values[value].spec.bytes(m_dtype);
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
        m_bytes += op.cost.keptBesides * byteSize(m_dtype);
        return output;
    }

    DType m_dtype;
    std::vector<Value> m_values;
    qint64 m_bytes = 0;
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
    memory.activations = KeptValues(dtype).of(model);
    return memory;
}

}  // namespace hearth
