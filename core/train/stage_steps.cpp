// The executor's work in a round: forward, backward, AllReduce, update.
#include <algorithm>
#include <set>

#include "core/base/generator.h"
#include "core/train/process_memory.h"
#include "core/train/stage_state.h"

namespace hearth {
namespace {

/// Keeps dropout apart from the other uses of a run's seed: initial weights have 1, the order of samples has 2.
constexpr quint64 dropoutStream = 3;

}  // namespace

Result<bool> StageExecutor::Private::step() {
    times.endWait();
    sender.check();
    if (weightsAwaited > 0)
        return false;
    const auto found = rounds.find(currentRound);
    if (found == rounds.end() || found->second.forwards == 0) {
        if (evaluateNext())
            return true;
    }
    if (found == rounds.end()) {
        times.beginWait(Activity::WaitForward);
        return false;
    }
    RoundState &state = found->second;
    sums.prepare(state.sums, currentRound);
    if (state.summing) {
        if (!sums.areDone(state.sums, currentRound)) {
            times.beginWait(sums.awaitMembers(state.sums) ? Activity::WaitAllReduce : Activity::AllReduce);
            return false;
        }
        if (!norm.isKnown(state.norm, currentRound)) {
            times.beginWait(Activity::WaitAllReduce);
            return false;
        }
        update();
        return true;
    }
    StageStatus status{state.forwards, state.inputGradients, state.weightGradients};
    if (state.forwards < deployment.microBatches) {
        const MicroBatchState &next = state.microBatches[static_cast<std::size_t>(state.forwards)];
        const bool input = isFirst() ? decoding->has({currentRound, state.forwards}) : next.input.complete();
        status.forwardReady = input && (!isLast() || (next.labels.complete() && state.normaliser > 0));
    }
    if (state.inputGradients < state.forwards)
        status.backwardReady =
            isLast() || state.microBatches[static_cast<std::size_t>(state.inputGradients)].gradient.complete();
    switch (rules.next(status)) {
        case StageTask::Forward:
            forward(state.forwards);
            return true;
        case StageTask::BackwardInput:
            backwardInput(state.inputGradients);
            return true;
        case StageTask::BackwardWeights:
            backwardWeights(state.weightGradients);
            return true;
        case StageTask::WaitForward:
            times.beginWait(Activity::WaitForward);
            return false;
        case StageTask::WaitBackward:
            times.beginWait(Activity::WaitBackward);
            return false;
        case StageTask::Update:
            if (!checkDone(state)) {
                times.beginWait(Activity::WaitForward);
                return false;
            }
            state.summing = true;
            sums.begin(state.sums);
            return true;
    }
    return false;
}

Tensors StageExecutor::Private::fromHost(Tensors tensors) const {
    for (at::Tensor &tensor : tensors) {
        if (tensor.defined())
            tensor = device().fromHost(tensor);
    }
    return tensors;
}

Tensors StageExecutor::Private::inputOf(Parts values, int samples) const {
    Tensors inputs;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Slot &slot = decoders[i]->decoded();
        inputs.push_back(device().fromHost(
            wrapBuffer(std::move(values[i]), batchSizes(samples, slot.shape), slot.dtype, computeFormat(slot.dtype))));
    }
    return inputs;
}

StageModule::Pass StageExecutor::Private::pass(int microBatch, bool training) const {
    const Generator stream = Generator(deployment.training.seed).child(dropoutStream).child(currentRound);
    const auto place64 = static_cast<quint64>(microBatch) << 32 | static_cast<quint32>(mine.first);
    return {training, true, stream.word(place64)};
}

void StageExecutor::Private::forward(int index) {
    RoundState &state = rounds.at(currentRound);
    MicroBatchState &micro = state.microBatches[static_cast<std::size_t>(index)];
    {
        const Timed timed(times, Activity::Forward, index);
        if (state.forwards == 0)
            beginRound();
        micro.version = weights.hold();
        micro.x = isFirst() ? inputOf(decoding->take({currentRound, index}), mine.count) : fromHost(micro.input.take());
        for (std::size_t slot = 0; slot < micro.x.size(); ++slot)
            micro.x[slot].set_requires_grad(module.inputs()[slot].needsGradient);
        StageModule::Pass how = pass(index, true);
        const bool again = stage().recompute && !isLast();
        {
            how.updateStatistics = !again;
            const at::AutoGradMode mode(!again);
            micro.y = module.forward(micro.x, how);
        }
        if (isLast()) {
            const at::Tensor labels = device().fromHost(micro.labels.take());
            micro.y = {loss->sum(micro.y.front(), labels)};
            const auto sum = micro.y.front().item<double>();
            state.lossSum += sum;
            if (state.check && index == 0) {
                report.check->codedLoss = sum;
                state.check->labels = labels;
            }
        }
    }
    ++state.forwards;
    if (!isLast()) {
        const Timed timed(times, Activity::Send, index);
        for (std::size_t slot = 0; slot < micro.y.size(); ++slot)
            sendSamples(TensorKind::Activation, slot, micro.y[slot], mine, place + 1, index, micro.version,
                        codecFor(module.outputs()[slot], *codecBefore(place + 1, currentRound).forward));
        for (std::size_t slot = 0; state.check && index == 0 && isFirst() && slot < micro.y.size(); ++slot)
            sendSamples(TensorKind::Check, slot, micro.y[slot], mine, place + 1, index, micro.version);
        if (stage().recompute)
            micro.y.clear();
    }
}

/// With the masks of the first pass, and on the same weights; statistics stay as they are.
bool StageExecutor::Private::checkDone(RoundState &state) {
    if (!state.check || state.check->isDone)
        return true;
    CheckState &check = *state.check;
    if (!isFirst()) {
        if (!check.input.complete())
            return false;
        const at::NoGradGuard guard;
        const Timed timed(times, Activity::Forward, 0);
        StageModule::Pass how = pass(0, true);
        how.updateStatistics = false;
        const Tensors y = module.forward(fromHost(check.input.take()), how);
        if (isLast())
            report.check->rawLoss = loss->sum(y.front(), check.labels).item<double>();
        for (std::size_t slot = 0; !isLast() && slot < y.size(); ++slot)
            sendSamples(TensorKind::Check, slot, y[slot], mine, place + 1, 0, weights.current());
    }
    check.labels.reset();
    check.isDone = true;
    return true;
}

/// The statistics move with every forward pass; weights do not before the end of the round.
void StageExecutor::Private::beginRound() {
    const at::NoGradGuard guard;
    module.zeroGradients();
    if (rounds.at(currentRound).check)
        report.check.emplace();
    statisticsBefore.copy_(module.statistics());
}

/// Of the first stage, which has nobody to send a gradient to, the whole backward pass.
void StageExecutor::Private::backwardInput(int index) {
    RoundState &state = rounds.at(currentRound);
    MicroBatchState &micro = state.microBatches[static_cast<std::size_t>(index)];
    if (index + 1 == deployment.microBatches)
        sums.watch(state.sums, currentRound);
    using Weights = StageModule::WeightGradients;
    {
        const Timed timed(times, Activity::Backward, index);
        if (micro.y.empty())
            micro.y = module.forward(micro.x, pass(index, true));
        Tensors gradients =
            isLast() ? Tensors{at::full_like(micro.y.front(), 1 / state.normaliser)} : fromHost(micro.gradient.take());
        Tensors outputs = std::exchange(micro.y, {});
        for (std::size_t slot = gradients.size(); slot-- > 0;) {
            if (!gradients[slot].defined()) {
                gradients.erase(gradients.begin() + static_cast<std::ptrdiff_t>(slot));
                outputs.erase(outputs.begin() + static_cast<std::ptrdiff_t>(slot));
            }
        }
        module.backward(outputs, gradients, isFirst() ? Weights::Now : Weights::Later);
    }
    if (!isFirst()) {
        const Timed timed(times, Activity::Send, index);
        for (std::size_t slot = 0; slot < micro.x.size(); ++slot) {
            if (!module.inputs()[slot].needsGradient)
                continue;
            const at::Tensor &gradient = micro.x[slot].grad();
            sendSamples(TensorKind::Gradient, slot, gradient.defined() ? gradient : at::zeros_like(micro.x[slot]), mine,
                        place - 1, index, micro.version, *codecBefore(place, currentRound).backward);
        }
    }
    ++state.inputGradients;
}

void StageExecutor::Private::backwardWeights(int index) {
    RoundState &state = rounds.at(currentRound);
    if (!isFirst()) {
        const Timed timed(times, Activity::WeightGradients, index);
        module.finishBackward();
    }
    module.watchGradients({});
    state.microBatches[static_cast<std::size_t>(index)] = {};
    weights.release();
    ++state.weightGradients;
}

void StageExecutor::Private::sendSamples(TensorKind kind, std::size_t slot, const at::Tensor &tensor, Interval interval,
                                         int toStage, int microBatch, quint64 atVersion, const Codec &codec) {
    const at::NoGradGuard guard;
    const DType type = (kind == TensorKind::Gradient ? module.inputs() : module.outputs())[slot].dtype;
    const at::Tensor values = device().toHost(inFormat(tensor.detach(), computeFormat(type)));
    const at::Tensor rectified = kind == TensorKind::Gradient ? rectifiedInput(slot, microBatch) : at::Tensor();
    const auto &members = deployment.stages[static_cast<std::size_t>(toStage)].members;
    for (const Portion &portion : portions(interval, intervalsOf(toStage))) {
        TensorHeader header;
        header.kind = kind;
        header.slot = static_cast<quint16>(slot);
        header.dtype = type;
        header.dims = {static_cast<quint32>(portion.samples.count)};
        for (std::int64_t i = 1; i < values.dim(); ++i)
            header.dims.push_back(static_cast<quint32>(values.size(i)));
        header.term = deployment.term;
        header.round = kind == TensorKind::Evaluation ? 0 : currentRound;
        header.version = atVersion;
        header.microBatch = static_cast<quint32>(microBatch);
        header.stage = static_cast<quint16>(toStage);
        header.firstSample = static_cast<quint32>(portion.samples.first);
        header.sampleCount = static_cast<quint32>(portion.samples.count);
        const QString &to = members[static_cast<std::size_t>(portion.member)].device;
        Payload raw = samplesOf(values, portion.samples.first - interval.first, portion.samples.count);
        CutPiece piece{to, header, std::move(raw), &codec, report.check && microBatch == 0 && &codec != &noCodec()};
        if (rectified.defined())
            piece.rectified = samplesOf(rectified, portion.samples.first - interval.first, portion.samples.count);
        if (mayBePacked(kind))
            sender.put(std::move(piece));
        else
            hand(to, header, std::move(piece.raw));
    }
}

/// Undefined where the stage before has not the very same values, or will not have them when the gradient comes.
at::Tensor StageExecutor::Private::rectifiedInput(std::size_t slot, int microBatch) const {
    const bool isExact = codecBefore(place, currentRound).forward == &noCodec();
    if (!rectifiedInputs[slot] || !isExact || deployment.stages[static_cast<std::size_t>(place) - 1].recompute)
        return {};
    const at::Tensor &input = rounds.at(currentRound).microBatches[static_cast<std::size_t>(microBatch)].x[slot];
    return device().toHost(inFormat(input.detach(), computeFormat(module.inputs()[slot].dtype)));
}

void StageExecutor::Private::accountSent() {
    const CutSender::Sent sent = [this] {
        const Timed timed(times, Activity::Send);
        return sender.take();
    }();
    for (const CutSender::Frame &frame : sent.frames) {
        report.sent[frame.device] += frame.bytes;
        recorder.sent(frame.device, frame.header, frame.bytes, frame.at);
    }
    report.savedBytes += sent.savedBytes;
    if (report.check) {
        report.check->forward += sent.forward;
        report.check->backward += sent.backward;
    }
}

void StageExecutor::Private::hand(const QString &device, const TensorHeader &header, Payload payload) {
    // An evaluation's are of no round.
    if (header.kind != TensorKind::Evaluation) {
        report.sent[device] += payload.size;
        recorder.sent(device, header, payload.size, RoundRecorder::now());
    }
    out.send(device, header, std::move(payload));
}

void StageExecutor::Private::update() {
    RoundState &state = rounds.at(currentRound);
    if (gradientObserver) {
        std::vector<NamedTensor> gradients;
        std::set<TensorRef> seen;
        for (int l = module.firstLayer(); l < module.lastLayer(); ++l) {
            for (int i = 0; i < module.tensorCount(l); ++i) {
                NamedTensor entry = module.read(l, i);
                if (!entry.spec.isTrainable() || !seen.insert(entry.spec.tiedTo.value_or(TensorRef{l, i})).second)
                    continue;
                const at::Tensor plain = device().toHost(module.gradientOf(l, i)).contiguous();
                std::memcpy(entry.data->data(), plain.data_ptr(), static_cast<std::size_t>(entry.data->size()));
                gradients.push_back(std::move(entry));
            }
        }
        gradientObserver(currentRound, gradients);
    }
    {
        Q_ASSERT(weights.isFree());
        const Timed timed(times, Activity::Optimizer);
        norm.clip(state.norm);
        device().update(optimizer, module.parameters(), module.gradients(), optimizerState, weights.current() + 1);
    }
    report.gradientNorm = GradientNorm::lengthOf(state.norm);
    sums.end(state.sums);
    weights.advance();
    accountSent();
    report.round = currentRound;
    report.term = deployment.term;
    report.version = weights.current();
    report.loss = isLast() ? state.lossSum / state.normaliser : 0;
    report.memoryBytes = residentPeakBytes();
    if (recorder.isActive())
        out.roundTraced(recorder.finish(currentRound, deployment.term));
    rounds.erase(currentRound);
    ++currentRound;
    resetResidentPeak();
    out.roundDone(std::exchange(report, {}));
}

}  // namespace hearth
