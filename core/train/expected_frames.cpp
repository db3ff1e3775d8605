#include "core/train/expected_frames.h"

#include <algorithm>
#include <array>

#include "core/model/cut_slots.h"
#include "core/model/loss_facts.h"
#include "core/model/ties.h"
#include "core/train/input_decoder.h"
#include "core/wire/channel.h"
#include "core/wire/state_chunks.h"

namespace hearth {

quint64 largestFrame(const Deployment &deployment, const Model &model, const QString &self) {
    qint64 largest = stateChunkBytes;
    if (deployment.stages.back().lastLayer > static_cast<int>(model.layers.size()))
        return static_cast<quint64>(largest);
    for (const int place : deployment.stagesOf(self)) {
        const Deployment::Stage &stage = deployment.stages[static_cast<std::size_t>(place)];
        const DType type = dtypeOf(deployment.training.precision);
        const qint64 samples = stage.members[static_cast<std::size_t>(deployment.memberOf(place, self))].samples;
        const auto ofSamples = [&](const Slot &slot) { largest = std::max(largest, samples * slot.bytes()); };
        const auto first = static_cast<std::size_t>(stage.firstLayer), last = static_cast<std::size_t>(stage.lastLayer);
        if (first > 0) {
            std::ranges::for_each(cutSlots(model, first, type), ofSamples);
        } else if (const auto decoders =
                       makeInputDecoders(deployment.input, deployment.sampleTypes, cutSlots(model, 0, type))) {
            for (const auto &decoder : *decoders)
                ofSamples(decoder->encoded());
        }
        const std::vector<Slot> outputs = cutSlots(model, last, type);
        if (last < model.layers.size())
            std::ranges::for_each(outputs, ofSamples);
        else if (const LossFacts *loss = LossFacts::byName(deployment.training.loss))
            std::ranges::for_each(std::array{loss->label(outputs.front().shape), mixedLabel()}, ofSamples);
        for (std::size_t l = first; l < last; ++l) {
            for (const TensorSpec &tensor : model.layers[l].shape.tensors) {
                if (tensor.role != TensorRole::Frozen)  // these come in chunks
                    largest = std::max(largest, tensor.bytes(type));
            }
        }
    }
    return std::min(static_cast<quint64>(largest), Channel::maximumTensorBytes);
}

QSet<QString> tiePartners(const Deployment &deployment, const Model &model, const QString &self) {
    QSet<QString> partners;
    const std::vector<int> stages = deployment.stagesOf(self);
    const auto isCut = [&](const Tie &tie) {
        return std::ranges::any_of(stages, [&](int s) {
            const Deployment::Stage &own = deployment.stages[static_cast<std::size_t>(s)];
            return tie.isCut(own.firstLayer, own.lastLayer);
        });
    };
    for (const Tie &tie : tiesOf(model)) {
        if (!tie.isTrainable || !isCut(tie))
            continue;
        for (const Deployment::Stage &stage : deployment.stages) {
            if (!tie.isIn(stage.firstLayer, stage.lastLayer))
                continue;
            for (const Deployment::Member &member : stage.members)
                partners.insert(member.device);
        }
    }
    partners.remove(self);
    return partners;
}

QSet<QString> frozenPartners(const Deployment &deployment, const QString &self) {
    QSet<QString> partners;
    for (const Deployment::Frozen &frozen : deployment.frozen) {
        QSet<QString> holders, others;
        for (const int holder : frozen.holders)
            holders.insert(deployment.peers[static_cast<std::size_t>(holder)].device);
        for (const Deployment::Stage &stage : deployment.stages) {
            for (const Deployment::Member &member : stage.members) {
                const bool computes = frozen.layer >= stage.firstLayer && frozen.layer < stage.lastLayer;
                if (computes && !holders.contains(member.device))
                    others.insert(member.device);
            }
        }
        if (holders.contains(self))
            partners |= others;
        else if (others.contains(self))
            partners |= holders;
    }
    return partners;
}

}  // namespace hearth
