#include "core/run/frozen_tensors.h"

#include <QFileInfo>
#include <algorithm>
#include <cstring>

#include "core/model/safetensors.h"
#include "core/wire/sha256.h"
#include "core/wire/state_chunks.h"

namespace hearth {
namespace {

/// Each tensor of a layer has its bytes once from here on, as in LayerStateLayout::ofFrozen.
FrozenTensors hashed(std::vector<std::vector<NamedTensor>> layers) {
    bool any = false;
    std::vector<QString> hashes;
    for (std::vector<NamedTensor> &layer : layers) {
        Sha256 sum;
        bool has = false;
        std::vector<TensorSpec> specs;
        for (NamedTensor &tensor : layer) {
            specs.push_back(tensor.spec);
            if (tensor.spec.role != TensorRole::Frozen || isRepeat(specs, specs.size() - 1))
                tensor.data.reset();
            if (!tensor.data)
                continue;
            sum.add(tensor.data->bytes());
            has = true;
        }
        hashes.push_back(has ? QString::fromLatin1(sum.hex()) : QString());
        any = any || has;
    }
    return any ? FrozenTensors{std::move(layers), std::move(hashes)} : FrozenTensors();
}

}  // namespace

qint64 FrozenTensors::bytes(int layer) const {
    qint64 sum = 0;
    for (const NamedTensor &tensor : layers[static_cast<std::size_t>(layer)])
        sum += tensor.data ? tensor.data->size() : 0;
    return sum;
}

Payload FrozenTensors::chunk(int layer, int index) const {
    const qint64 size = stateChunkSize(bytes(layer), index);
    qint64 at = stateChunkOffset(index), filled = 0;
    std::shared_ptr<Buffer> copy;
    for (const NamedTensor &tensor : layers[static_cast<std::size_t>(layer)]) {
        const qint64 own = tensor.data ? tensor.data->size() : 0;
        if (at >= own) {
            at -= own;
            continue;
        }
        const qint64 part = std::min(own - at, size - filled);
        if (part == size)
            return {tensor.data->data() + at, static_cast<qsizetype>(size), tensor.data};
        if (!copy)
            copy = Buffer::allocate(size);
        std::memcpy(copy->data() + filled, tensor.data->data() + at, static_cast<std::size_t>(part));
        at = 0;
        if ((filled += part) == size)
            break;
    }
    return Payload::of(copy);
}

FrozenTensors frozenOf(const std::vector<std::vector<NamedTensor>> &weights) {
    return hashed(weights);
}

QString frozenFile(const QString &runFolder) {
    return runFolder + QStringLiteral("/frozen.safetensors");
}

Result<void> saveFrozen(const QString &runFolder, const FrozenTensors &frozen) {
    std::vector<NamedTensor> tensors;
    for (const std::vector<NamedTensor> &layer : frozen.layers)
        std::copy_if(layer.begin(), layer.end(), std::back_inserter(tensors),
                     [](const NamedTensor &tensor) { return tensor.data != nullptr && !tensor.spec.tiedTo; });
    if (tensors.empty())
        return {};
    return writeSafetensors(frozenFile(runFolder), std::move(tensors));
}

Result<FrozenTensors> loadFrozen(const QString &runFolder, const Model &model, DType dtype) {
    const QString path = frozenFile(runFolder);
    if (!QFileInfo::exists(path))
        return FrozenTensors();
    auto tensors = readSafetensors(path);
    if (!tensors)
        return tl::unexpected(tensors.error());
    std::vector<std::vector<NamedTensor>> layers;
    for (const Layer &layer : model.layers) {
        std::vector<NamedTensor> &list = layers.emplace_back();
        for (const TensorSpec &spec : layer.shape.tensors) {
            list.push_back({spec, dtype, nullptr});
            if (spec.role != TensorRole::Frozen)
                continue;
            const auto found = std::find_if(tensors->begin(), tensors->end(),
                                            [&](const NamedTensor &each) { return each.spec.name == spec.name; });
            if (found == tensors->end() || found->spec.shape != spec.shape || found->dtype != dtype) {
                return fail(QStringLiteral("weights.mismatch"),
                            sentence("%1 has no weights for the model \"%2\".").arg(path, model.name),
                            sentence("The tensor \"%1\" is missing.").arg(spec.name));
            }
            list.back().data = found->data;
        }
    }
    return hashed(std::move(layers));
}

}  // namespace hearth
