// The tensors between the coordinator of a LoopbackHome and its workers: samples, labels, weights, states.
#include <QCborArray>
#include <QSet>
#include <algorithm>
#include <cstring>

#include "core/model/layer_state.h"
#include "core/model/loss_facts.h"
#include "core/wire/sha256.h"
#include "core/wire/state_chunks.h"
#include "tests/core/train/loopback_home.h"

namespace hearth {

std::shared_ptr<Buffer> LoopbackHome::frozenOf(const Layer &layer, const std::vector<NamedTensor> &weights) {
    const DType dtype = weights.front().dtype;
    const LayerStateLayout layout = LayerStateLayout::ofFrozen(layer, dtype);
    std::shared_ptr<Buffer> bytes = Buffer::allocate(layout.bytes);
    for (const LayerStateLayout::Part &part : layout.parts) {
        const QString &name = layer.shape.tensors[static_cast<std::size_t>(part.tensor)].name;
        const auto tensor = std::ranges::find(weights, name, [](const NamedTensor &each) { return each.spec.name; });
        std::memcpy(bytes->data() + part.offset, tensor->data->data(), static_cast<std::size_t>(part.bytes));
    }
    return bytes;
}

std::vector<Deployment::Frozen> LoopbackHome::frozenIn(const Model &model, const std::vector<NamedTensor> &weights) {
    std::vector<Deployment::Frozen> rows;
    for (std::size_t l = 0; l < model.layers.size() && !weights.empty(); ++l) {
        const std::shared_ptr<Buffer> bytes = frozenOf(model.layers[l], weights);
        if (bytes->size() > 0)
            rows.push_back({static_cast<int>(l), QString::fromLatin1(Sha256::of(bytes->bytes())), {}});
    }
    return rows;
}

void LoopbackHome::sendFrozen(int device, int layer) {
    const std::shared_ptr<Buffer> bytes = frozenOf(m_model.layers[static_cast<std::size_t>(layer)], given);
    if (givesOthers)
        bytes->data()[0] ^= std::byte{1};
    sendState(device, layer, frozenVersion, bytes, m_deployment.term);
}

void LoopbackHome::streamWeights(int device, const Deployment::Stage &stage, const std::vector<NamedTensor> &weights) {
    QSet<QString> sent;  // a tied tensor goes once
    for (int l = stage.firstLayer; l < stage.lastLayer; ++l) {
        const auto &specs = m_model.layers[static_cast<std::size_t>(l)].shape.tensors;
        for (std::size_t i = 0; i < specs.size(); ++i) {
            if (specs[i].role == TensorRole::Frozen || sent.contains(specs[i].name))
                continue;
            sent.insert(specs[i].name);
            const auto tensor =
                std::ranges::find_if(weights, [&](const NamedTensor &each) { return each.spec.name == specs[i].name; });
            TensorHeader head = header(TensorKind::Replica, 0, 0, l);
            head.slot = static_cast<quint16>(i);
            head.dtype = tensor->dtype;
            head.dims.assign(specs[i].shape.begin(), specs[i].shape.end());
            send(device, head, tensor->data->data(), tensor->data->size());
        }
    }
}

TensorHeader LoopbackHome::header(TensorKind kind, quint32 round, int microBatch, int stage) const {
    TensorHeader result;
    result.kind = kind;
    result.term = m_deployment.term;
    result.round = round;
    result.microBatch = static_cast<quint32>(microBatch);
    result.stage = static_cast<quint16>(stage);
    return result;
}

void LoopbackHome::send(int device, const TensorHeader &header, const void *data, qsizetype bytes) {
    const std::shared_ptr<Buffer> copy = Buffer::allocate(bytes);
    std::memcpy(copy->data(), data, static_cast<std::size_t>(bytes));
    m_ends[static_cast<std::size_t>(device)]->channel->sendTensor(header, Payload::of(copy));
}

void LoopbackHome::sendImages(TensorHeader head, const Deployment::Member &member, const SampleBatch &batch, int first,
                              int count) {
    const auto sendPart = [&](const Slot &slot, const void *bytes) {
        head.dtype = slot.dtype;
        head.dims = {static_cast<quint32>(count)};
        for (const qint64 size : slot.shape)
            head.dims.push_back(static_cast<quint32>(size));
        head.firstSample = static_cast<quint32>(member.firstSample);
        head.sampleCount = static_cast<quint32>(count);
        send(deviceOf(member.device), head, static_cast<const char *>(bytes) + first * slot.bytes(),
             count * slot.bytes());
        ++head.slot;
    };
    head.slot = 0;
    if (batch.parts.empty())
        sendPart({DType::UInt8, batch.sample, false}, batch.images.data());
    for (const SampleBatch::Part &part : batch.parts)
        sendPart(part.slot, part.bytes.constData());
}

void LoopbackHome::sendLabels(TensorHeader head, const Deployment::Member &member, const SampleBatch &batch, int first,
                              int count) {
    head.dtype = DType::Int64;
    head.dims = {static_cast<quint32>(count)};
    for (const qint64 size : batch.label)
        head.dims.push_back(static_cast<quint32>(size));
    head.firstSample = static_cast<quint32>(member.firstSample);
    head.sampleCount = static_cast<quint32>(count);
    const qint64 each = elementCount(batch.label);
    send(deviceOf(member.device), head, batch.labels.data() + first * each, count * each * qsizetype{8});
}

void LoopbackHome::feed(quint32 round, const SampleBatch &batch, std::optional<int> microBatches) {
    const int last = static_cast<int>(m_deployment.stages.size()) - 1;
    const auto normaliser =
        static_cast<double>(std::ranges::count_if(batch.labels, [](qint64 label) { return label != ignoredLabel; }));
    for (const Deployment::Member &member : m_deployment.stages.back().members) {
        TensorHeader head = header(TensorKind::Label, round, 0, last);
        head.slot = normaliserSlot;
        head.dtype = DType::Float64;
        head.dims = {1};
        send(deviceOf(member.device), head, &normaliser, sizeof normaliser);
    }
    for (int m = 0; m < microBatches.value_or(m_deployment.microBatches); ++m) {
        const int start = m * m_deployment.microBatch;
        for (const Deployment::Member &member : m_deployment.stages.front().members)
            sendImages(header(TensorKind::Input, round, m, 0), member, batch, start + member.firstSample,
                       member.samples);
        for (const Deployment::Member &member : m_deployment.stages.back().members)
            sendLabels(header(TensorKind::Label, round, m, last), member, batch, start + member.firstSample,
                       member.samples);
    }
}

Result<std::vector<std::shared_ptr<const Buffer>>> LoopbackHome::states(int device, int firstLayer, int lastLayer,
                                                                        quint64 version) {
    End &end = *m_ends[static_cast<std::size_t>(device)];
    end.replicas.clear();
    const auto answer = call(device, QStringLiteral("state.get"),
                             {{QLatin1String("version"), static_cast<qint64>(version)},
                              {QLatin1String("layers"), QCborArray{firstLayer, lastLayer}}});
    if (!answer)
        return tl::unexpected(answer.error());
    std::map<int, std::vector<TensorFrame>> chunks;
    for (const TensorFrame &frame : end.replicas)
        chunks[frame.header.stage].push_back(frame);
    std::vector<std::shared_ptr<const Buffer>> states;
    for (int layer = firstLayer; layer < lastLayer; ++layer) {
        qint64 bytes = 0;
        for (const TensorFrame &frame : chunks[layer])
            bytes += frame.payload->size();
        StateAssembly assembly(layer, version, bytes);
        for (const TensorFrame &frame : chunks[layer]) {
            if (const auto added = assembly.add(frame); !added)
                return tl::unexpected(added.error());
        }
        states.push_back(assembly.state());
    }
    return states;
}

void LoopbackHome::sendState(int device, int layer, quint64 version, const std::shared_ptr<const Buffer> &state,
                             quint32 term) {
    const int count = stateChunkCount(state->size());
    for (int chunk = 0; chunk < count; ++chunk)
        m_ends[static_cast<std::size_t>(device)]->channel->sendTensor(
            stateChunkHeader({layer, version, chunk, count}, state->size(), term), stateChunkPayload(state, chunk));
}

std::vector<NamedTensor> LoopbackHome::weights(int member) {
    std::vector<NamedTensor> result;
    for (const Deployment::Stage &stage : m_deployment.stages) {
        const auto &who = stage.members[static_cast<std::size_t>(member) % stage.members.size()];
        End &end = *m_ends[static_cast<std::size_t>(deviceOf(who.device))];
        end.replicas.clear();
        const auto answer = call(deviceOf(who.device), QStringLiteral("weights.get"),
                                 {{QLatin1String("layers"), QCborArray{stage.firstLayer, stage.lastLayer}}});
        if (!answer)
            return {};
        std::size_t next = 0;
        for (int l = stage.firstLayer; l < stage.lastLayer; ++l) {
            for (const TensorSpec &spec : m_model.layers[static_cast<std::size_t>(l)].shape.tensors) {
                if (spec.tiedTo)
                    continue;
                if (next >= end.replicas.size() || end.replicas[next].header.stage != l)
                    return {};
                result.push_back({spec, end.replicas[next].header.dtype, end.replicas[next].payload});
                ++next;
            }
        }
    }
    return result;
}

}  // namespace hearth
