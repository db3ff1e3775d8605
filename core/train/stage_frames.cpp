// The executor's door: every frame is checked against the plan before it becomes a tensor.
#include <algorithm>

#include "core/protocol/label_slots.h"
#include "core/train/active_values.h"
#include "core/train/stage_state.h"

namespace hearth {
Result<void> Assembly::add(int member, const TensorFrame &frame, const Slot &slot, at::MemoryFormat format,
                           const Codec &codec, const at::Tensor &activations) {
    const TensorHeader &header = frame.header;
    const Interval samples{static_cast<int>(header.firstSample), static_cast<int>(header.sampleCount)};
    std::size_t index = 0;
    while (index < m_portions.size() && !(m_portions[index].member == member && m_portions[index].samples == samples))
        ++index;
    if (index == m_portions.size())
        return tl::unexpected(badFrame(sentence("Samples %1 to %2 of micro-batch %3 do not come from there.")
                                           .arg(samples.first)
                                           .arg(samples.end())
                                           .arg(header.microBatch)));
    if (m_arrived[index])
        return tl::unexpected(badFrame(sentence("Samples %1 to %2 of micro-batch %3 came twice.")
                                           .arg(samples.first)
                                           .arg(samples.end())
                                           .arg(header.microBatch)));
    const std::vector<std::int64_t> sizes = batchSizes(samples.count, slot.shape);
    // What the codec cannot write came as it is.
    const Codec &written = header.codec == codec.number ? codec : noCodec();
    if (header.dtype != slot.dtype || header.codec != written.number ||
        frame.payload->size() !=
            (header.lacksValues() ? static_cast<qsizetype>(header.encodedBytes) : samples.count * slot.bytes()) ||
        !std::equal(sizes.begin(), sizes.end(), header.dims.begin(), header.dims.end()))
        return tl::unexpected(badFrame(sentence("Wrong type or shape for micro-batch %1.").arg(header.microBatch)));
    std::shared_ptr<Buffer> values = frame.payload;
    if (header.lacksValues()) {
        if (activations.defined()) {
            const Payload own = samplesOf(activations, samples.first - m_mine.first, samples.count);
            values = withZeros(slot.dtype, {own.data, static_cast<std::size_t>(own.size)},
                               std::as_const(*frame.payload).bytes());
        }
        if (!activations.defined() || !values)
            return tl::unexpected(badFrame(
                sentence("Values are missing that belong to the gradient of micro-batch %1.").arg(header.microBatch)));
    }
    m_arrived[index] = true;
    ++m_count;
    at::Tensor piece = wrapBuffer(std::move(values), sizes, slot.dtype, format);
    if (m_portions.size() == 1) {
        m_tensor = std::move(piece);
        return {};
    }
    const at::NoGradGuard guard;
    if (!m_tensor.defined()) {
        const std::vector<std::int64_t> all = batchSizes(m_mine.count, slot.shape);
        m_tensor = at::empty_strided(all, stridesFor(all, format), piece.options());
    }
    m_tensor.narrow(0, samples.first - m_mine.first, samples.count).copy_(piece);
    return {};
}

CutAssembly::CutAssembly(Interval mine, const std::vector<Portion> &portions, const std::vector<Slot> &cut,
                         Carries carries) {
    for (const Slot &slot : cut)
        slots.push_back(carries == Carries::Values || slot.needsGradient ? Assembly(mine, portions) : Assembly());
}

Result<void> CutAssembly::add(int member, const TensorFrame &frame, const std::vector<Slot> &cut, const Codec &codec,
                              const at::Tensor &activations) {
    const std::size_t slot = frame.header.slot;
    if (slot >= slots.size() || !slots[slot].isAwaited())
        return tl::unexpected(badFrame(sentence("Nothing comes in slot %1.").arg(slot)));
    return slots[slot].add(member, frame, cut[slot], computeFormat(cut[slot].dtype), codecFor(cut[slot], codec),
                           activations);
}

bool CutAssembly::complete() const {
    return !slots.empty() &&
           std::ranges::all_of(slots, [](const Assembly &slot) { return !slot.isAwaited() || slot.complete(); });
}

Tensors CutAssembly::take() {
    Tensors tensors;
    for (Assembly &slot : slots)
        tensors.push_back(slot.take());
    return tensors;
}

ArrivingSamples::ArrivingSamples(Interval mine, const std::vector<Slot> &encoded)
    : m_checks(mine, {{0, mine}}, encoded, CutAssembly::Carries::Values),
      m_samples{Parts(encoded.size()), mine.count} {}

Result<void> ArrivingSamples::add(const TensorFrame &frame, const std::vector<Slot> &encoded) {
    auto added = m_checks.add(0, frame, encoded);
    if (added)
        m_samples.parts[frame.header.slot] = frame.payload;
    return added;
}

EncodedSamples ArrivingSamples::take() {
    m_checks.take();
    return std::exchange(m_samples, {});
}

Result<void> StageExecutor::Private::deliver(const QString &from, const TensorFrame &frame, qint64 arrived) {
    const TensorHeader &header = frame.header;
    if (header.term != deployment.term)
        return {};  // of a plan that is no more
    if (header.stage != place && header.kind != TensorKind::Replica)
        return tl::unexpected(badFrame(sentence("It is for stage %1; this is stage %2.").arg(header.stage).arg(place)));
    if (header.kind == TensorKind::Replica)
        return deliverWeights(from, frame);
    if (header.kind == TensorKind::Evaluation)
        return deliverEvaluation(from, frame);
    if (header.kind == TensorKind::AllReduce && header.slot % SumGroup::slots >= fabricSlots)
        return deliverSum(from, frame);
    const bool isSum = header.kind == TensorKind::AllReduce;
    const quint32 round = isSum && !GradientNorm::hasSlot(header.slot) ? roundOf(header.round) : header.round;
    if (round < currentRound || (isSum && header.round < updateNumber()))
        return {};  // a repeated frame of a round that is done
    if (round - currentRound > roundsAhead)
        return tl::unexpected(badFrame(sentence("Round %1 came during round %2.").arg(round).arg(currentRound)));
    TensorHeader noted = header;
    noted.round = round;
    recorder.received(from, noted, static_cast<qint64>(header.payloadBytes()), arrived);
    if (header.kind == TensorKind::AllReduce)
        return deliverSum(from, frame);
    if (header.microBatch >= static_cast<quint32>(deployment.microBatches))
        return tl::unexpected(
            badFrame(sentence("Micro-batch %1 of %2.").arg(header.microBatch).arg(deployment.microBatches)));
    const auto wrongSender = [&] {
        return tl::unexpected(badFrame(sentence("A tensor of this kind does not come from there.")));
    };
    RoundState &state = roundState(header.round);
    MicroBatchState &micro = state.microBatches[header.microBatch];
    switch (header.kind) {
        case TensorKind::Check: {
            const int member = memberIndex(place - 1, from);
            if (member < 0 || !state.check || header.microBatch != 0)
                return wrongSender();
            return state.check->input.add(member, frame, module.inputs());
        }
        case TensorKind::Input: {
            if (!from.isEmpty() || !isFirst())
                return wrongSender();
            auto added = micro.samples.add(frame, encodedSlots);
            if (added && decoding && micro.samples.complete())
                decoding->put({header.round, static_cast<int>(header.microBatch)}, micro.samples.take());
            return added;
        }
        case TensorKind::Label:
            return from.isEmpty() && isLast() ? deliverLabels(frame) : wrongSender();
        case TensorKind::Activation: {
            const int member = memberIndex(place - 1, from);
            if (member < 0)
                return wrongSender();
            return micro.input.add(member, frame, module.inputs(), *codecBefore(place, header.round).forward);
        }
        case TensorKind::Gradient: {
            const int member = memberIndex(place + 1, from);
            if (member < 0)
                return wrongSender();
            at::Tensor activations;
            if (header.lacksValues() && header.slot < micro.y.size())
                activations = device().toHost(inFormat(micro.y[header.slot].detach(), computeFormat(header.dtype)));
            return micro.gradient.add(member, frame, module.outputs(), *codecBefore(place + 1, header.round).backward,
                                      activations);
        }
        default:
            return wrongSender();
    }
}

Result<void> StageExecutor::Private::deliverLabels(const TensorFrame &frame) {
    RoundState &state = roundState(frame.header.round);
    if (frame.header.slot == labelSlot)
        return state.microBatches[frame.header.microBatch].labels.add(0, frame, trainedLabel,
                                                                      at::MemoryFormat::Contiguous);
    double normaliser = 0;
    if (frame.header.dtype != DType::Float64 || frame.payload->size() != sizeof normaliser)
        return tl::unexpected(badFrame(sentence("The normaliser is one 64-bit number.")));
    std::memcpy(&normaliser, frame.payload->data(), sizeof normaliser);
    if (!(normaliser > 0))
        return tl::unexpected(badFrame(sentence("The normaliser is not positive.")));
    state.normaliser = normaliser;
    return {};
}

Result<void> StageExecutor::Private::deliverWeights(const QString &from, const TensorFrame &frame) {
    const int layer = frame.header.stage, index = frame.header.slot;
    if (!from.isEmpty() || weightsAwaited == 0 || weightsHere.empty())
        return tl::unexpected(badFrame(sentence("Weights come from the coordinator, and before the first round.")));
    if (frame.header.dtype != module.dtype())
        return tl::unexpected(badFrame(sentence("Weights come in the precision of the run.")));
    const auto own = static_cast<std::size_t>(layer - module.firstLayer());
    if (const auto loaded = module.load(layer, index, frame.payload->bytes()); !loaded)
        return loaded;
    auto &here = weightsHere[own];
    if (!here[static_cast<std::size_t>(index)]) {
        here[static_cast<std::size_t>(index)] = true;
        --weightsAwaited;
    }
    return {};
}

Result<void> StageExecutor::Private::deliverSum(const QString &from, const TensorFrame &frame) {
    if (GradientNorm::hasSlot(frame.header.slot))
        return norm.deliver(roundState(frame.header.round).norm, from, frame);
    return sums.deliver(from, frame, updateNumber(),
                        [this](quint32 number) -> GradientSums::Round & { return sumsOf(number); });
}

Result<void> StageExecutor::Private::deliverEvaluation(const QString &from, const TensorFrame &frame) {
    const TensorHeader &header = frame.header;
    // The coordinator sends samples once every worker has answered its call, so what comes without an evaluation is
    // of one that was given up.
    if (!evaluation || header.version != evaluation->order.version)
        return {};
    if (header.microBatch >= evaluation->parts.size())
        return tl::unexpected(
            badFrame(sentence("Test micro-batch %1 of %2.").arg(header.microBatch).arg(evaluation->parts.size())));
    EvaluationState::Part &part = evaluation->parts[header.microBatch];
    if (header.slot == evaluationLabelSlot) {
        if (!from.isEmpty() || !isLast() || evaluation->order.wanted != EvaluationOrder::Wanted::Judgements)
            return tl::unexpected(badFrame(sentence("Labels come from the coordinator to the last stage.")));
        return part.labels.add(0, frame, label, at::MemoryFormat::Contiguous);
    }
    if (isFirst()) {
        if (!from.isEmpty())
            return tl::unexpected(badFrame(sentence("Samples come from the coordinator.")));
        return part.samples.add(frame, encodedSlots);
    }
    const int member = memberIndex(place - 1, from);
    if (member < 0)
        return tl::unexpected(badFrame(sentence("Activations come from the stage before.")));
    return part.input.add(member, frame, module.inputs());
}

}  // namespace hearth
