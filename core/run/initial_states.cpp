#include "core/run/initial_states.h"

#include <cstring>

#include "core/base/at.h"
#include "core/model/init.h"
#include "core/model/layer_state.h"

namespace hearth {

LayerStates initialStates(const Model &model, const TrainingSpec &training,
                          const std::vector<std::vector<NamedTensor>> &weights) {
    const DType dtype = dtypeOf(training.precision);
    LayerStates states;
    for (std::size_t l = 0; l < model.layers.size(); ++l) {
        const auto layout = LayerStateLayout::of(model.layers[l], dtype, training.state());
        const auto tensors =
            weights.empty() ? initialise(model, static_cast<int>(l), training.seed, dtype) : weights[l];
        auto state = Buffer::allocate(layout.bytes);
        for (const LayerStateLayout::Part &part : layout.parts) {
            if (part.bytes == 0)
                continue;
            std::byte *place = state->data() + part.offset;
            const auto size = static_cast<std::size_t>(part.bytes);
            if (part.optimizer >= 0)
                std::memset(place, 0, size);
            else
                std::memcpy(place, tensors[at(part.tensor)].data->data(), size);
        }
        states.push_back(std::move(state));
    }
    return states;
}

}  // namespace hearth
