#include "core/model/init.h"

#include <algorithm>
#include <span>

#include "core/base/generator.h"

namespace hearth {
namespace {

// Keeps weights apart from the other uses of a run's seed (core/data/sampler.h has 2).
constexpr quint64 weightsStream = 1;

template <class T>
void fill(Buffer &buffer, const TensorSpec &spec, const Generator &stream) {
    const std::span<T> values(reinterpret_cast<T *>(buffer.data()), static_cast<std::size_t>(spec.elements()));
    switch (spec.init) {
        case InitKind::Zero:
            std::fill(values.begin(), values.end(), T{0});
            break;
        case InitKind::One:
            std::fill(values.begin(), values.end(), T{1});
            break;
        case InitKind::Uniform:
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = static_cast<T>(static_cast<float>(spec.bound * stream.symmetric(i)));
            break;
    }
}

}  // namespace

std::vector<NamedTensor> initialise(const Model &model, int layerIndex, quint64 seed, DType dtype) {
    Q_ASSERT(dtype == DType::Float32 || dtype == DType::Float64);
    const Layer &layer = model.layers.at(static_cast<std::size_t>(layerIndex));
    const Generator stream = Generator(seed).child(weightsStream);
    std::vector<NamedTensor> tensors;
    for (std::size_t t = 0; t < layer.shape.tensors.size(); ++t) {
        const TensorSpec &spec = layer.shape.tensors[t];
        auto data = Buffer::allocate(spec.bytes(dtype));
        const TensorRef place = spec.tiedTo.value_or(TensorRef{layerIndex, static_cast<int>(t)});
        const Generator own = stream.child(static_cast<quint64>(place.layer)).child(static_cast<quint64>(place.tensor));
        if (dtype == DType::Float64) {
            fill<double>(*data, spec, own);
        } else {
            fill<float>(*data, spec, own);
        }
        tensors.push_back({spec, dtype, std::move(data)});
    }
    return tensors;
}

std::vector<NamedTensor> initialise(const Model &model, quint64 seed, DType dtype) {
    std::vector<NamedTensor> all;
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        auto layer = initialise(model, static_cast<int>(i), seed, dtype);
        std::copy_if(layer.begin(), layer.end(), std::back_inserter(all),
                     [](const NamedTensor &tensor) { return !tensor.spec.tiedTo; });
    }
    return all;
}

}  // namespace hearth
