#include "core/run/frozen_tensors.h"

#include <QFileInfo>
#include <algorithm>

#include "core/model/safetensors.h"

namespace hearth {

FrozenTensors frozenOf(const std::vector<std::vector<NamedTensor>> &weights) {
    FrozenTensors frozen = weights;
    bool any = false;
    for (std::vector<NamedTensor> &layer : frozen) {
        for (NamedTensor &tensor : layer) {
            if (tensor.spec.role == TensorRole::Frozen)
                any = true;
            else
                tensor.data.reset();
        }
    }
    return any ? frozen : FrozenTensors();
}

QString frozenFile(const QString &runFolder) {
    return runFolder + QStringLiteral("/frozen.safetensors");
}

Result<void> saveFrozen(const QString &runFolder, const FrozenTensors &frozen) {
    std::vector<NamedTensor> tensors;
    for (const std::vector<NamedTensor> &layer : frozen)
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
    FrozenTensors frozen;
    for (const Layer &layer : model.layers) {
        std::vector<NamedTensor> &list = frozen.emplace_back();
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
    return frozen;
}

}  // namespace hearth
