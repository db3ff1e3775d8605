#include "core/train/expected_frames.h"

#include <algorithm>

#include "core/base/dtype.h"
#include "core/wire/channel.h"
#include "core/wire/state_chunks.h"

namespace hearth {

quint64 largestFrame(const Deployment &deployment, const Model &model, const QString &self) {
    qint64 largest = stateChunkBytes;
    const auto [place, member] = deployment.placeOf(self);
    if (place < 0 || deployment.stages.back().lastLayer > static_cast<int>(model.layers.size()))
        return static_cast<quint64>(largest);
    const Deployment::Stage &stage = deployment.stages[static_cast<std::size_t>(place)];
    const qint64 width = byteSize(dtypeOf(deployment.training.precision));
    const qint64 samples = stage.members[static_cast<std::size_t>(member)].samples;
    const auto ofSamples = [&](const Shape &shape, qint64 bytes) {
        largest = std::max(largest, samples * elementCount(shape) * bytes);
    };
    const auto first = static_cast<std::size_t>(stage.firstLayer), last = static_cast<std::size_t>(stage.lastLayer);
    ofSamples(first == 0 ? model.inputShape : model.layers[first - 1].shape.output, width);
    ofSamples(model.layers[last - 1].shape.output, width);
    ofSamples({1}, byteSize(DType::Int64));  // labels
    for (std::size_t l = first; l < last; ++l) {
        for (const TensorSpec &tensor : model.layers[l].shape.tensors)
            largest = std::max(largest, tensor.elements() * width);
    }
    return std::min(static_cast<quint64>(largest), Channel::maximumTensorBytes);
}

}  // namespace hearth
