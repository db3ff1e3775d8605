// The executor's work: forward, backward, AllReduce, update, evaluation.
#include <set>

#include "core/base/generator.h"
#include "core/train/process_memory.h"
#include "core/train/stage_state.h"

namespace hearth {
namespace {

/// Keeps dropout apart from the other uses of a run's seed: initial weights have 1, the order of samples has 2.
constexpr quint64 dropoutStream = 3;

/// Where a report counts it; an evaluation is no part of a round.
double RoundReport::*categoryOf(Activity what) {
    switch (what) {
        case Activity::Forward:
        case Activity::Backward:
        case Activity::WeightGradients:
            return &RoundReport::computeSeconds;
        case Activity::WaitForward:
            return &RoundReport::waitForwardSeconds;
        case Activity::WaitBackward:
            return &RoundReport::waitBackwardSeconds;
        case Activity::WaitAllReduce:
            return &RoundReport::waitAllReduceSeconds;
        case Activity::Send:
            return &RoundReport::sendSeconds;
        case Activity::AllReduce:
            return &RoundReport::allReduceSeconds;
        case Activity::Optimizer:
            return &RoundReport::optimizerSeconds;
        case Activity::Evaluation:
            break;
    }
    return nullptr;
}

}  // namespace

Result<bool> StageExecutor::Private::step() {
    endWait();
    if (weightsAwaited > 0)
        return false;
    const auto found = rounds.find(currentRound);
    if (found == rounds.end() || found->second.forwards == 0) {
        if (evaluateNext())
            return true;
    }
    if (found == rounds.end()) {
        beginWait(Activity::WaitForward);
        return false;
    }
    RoundState &state = found->second;
    for (SumGroup &group : groups) {
        openFabric(group, sumOf(state, group));
        sendFabricEntries(group);
    }
    if (state.summing) {
        if (!allSummed(state)) {
            beginWait(awaitsMembers(state) ? Activity::WaitAllReduce : Activity::AllReduce);
            return false;
        }
        if (!normKnown(state)) {
            beginWait(Activity::WaitAllReduce);
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
            beginWait(Activity::WaitForward);
            return false;
        case StageTask::WaitBackward:
            beginWait(Activity::WaitBackward);
            return false;
        case StageTask::Update:
            if (!checkDone(state)) {
                beginWait(Activity::WaitForward);
                return false;
            }
            beginSums(state);
            return true;
    }
    return false;
}

void StageExecutor::Private::beginWait(Activity what) {
    waiting = what;
    waitingSince = RoundRecorder::Clock::now();
}

void StageExecutor::Private::endWait() {
    if (const auto what = std::exchange(waiting, std::nullopt))
        account(*what, -1, waitingSince, RoundRecorder::Clock::now());
}

/// A part of the group's sum is here, whose first byte came at `began`: what has passed since was no waiting.
void StageExecutor::Private::sumArrives(RoundRecorder::Clock::time_point began) {
    if (waiting != Activity::WaitAllReduce)
        return;
    began = std::max(began, waitingSince);
    if (began > waitingSince)
        account(Activity::WaitAllReduce, -1, waitingSince, began);
    waiting = Activity::AllReduce;
    waitingSince = began;
}

void StageExecutor::Private::account(Activity what, int microBatch, RoundRecorder::Clock::time_point since,
                                     RoundRecorder::Clock::time_point until) {
    if (double RoundReport::*category = categoryOf(what))
        report.*category += std::chrono::duration<double>(until - since).count();
    recorder.span(what, microBatch, since, until);
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
        const Timed timed(*this, Activity::Forward, index);
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
        const Timed timed(*this, Activity::Send, index);
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
        const Timed timed(*this, Activity::Forward, 0);
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

void StageExecutor::Private::fetchGradients(qint64 first, qint64 end) {
    const at::NoGradGuard guard;
    if (!hostGradients.is_same(module.gradients()))
        hostGradients.narrow(0, first, end - first).copy_(module.gradients().narrow(0, first, end - first));
}

void StageExecutor::Private::storeGradients(qint64 first, qint64 end) {
    const at::NoGradGuard guard;
    if (!hostGradients.is_same(module.gradients()))
        module.gradients().narrow(0, first, end - first).copy_(hostGradients.narrow(0, first, end - first));
}

/// Of the first stage, which has nobody to send a gradient to, the whole backward pass.
void StageExecutor::Private::backwardInput(int index) {
    RoundState &state = rounds.at(currentRound);
    MicroBatchState &micro = state.microBatches[static_cast<std::size_t>(index)];
    if (index + 1 == deployment.microBatches)
        watchGradients(state);
    using Weights = StageModule::WeightGradients;
    {
        const Timed timed(*this, Activity::Backward, index);
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
        const Timed timed(*this, Activity::Send, index);
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
        const Timed timed(*this, Activity::WeightGradients, index);
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
        const Payload raw = samplesOf(values, portion.samples.first - interval.first, portion.samples.count);
        Encoded written = encoded(codec, type, raw, header.sampleCount,
                                  kind == TensorKind::Gradient ? Rounding::Stochastic : Rounding::Nearest);
        header.codec = written.codec->number;
        if (&codec != &noCodec()) {
            report.savedBytes += raw.size - written.payload.size;
            if (report.check && microBatch == 0)
                (kind == TensorKind::Gradient ? report.check->backward : report.check->forward) +=
                    lossOf(written, type, raw, header.sampleCount);
        }
        hand(members[static_cast<std::size_t>(portion.member)].device, header, std::move(written.payload));
    }
}

void StageExecutor::Private::hand(const QString &device, const TensorHeader &header, Payload payload) {
    // An evaluation's are of no round.
    if (header.kind != TensorKind::Evaluation) {
        report.sent[device] += payload.size;
        recorder.sent(device, header, payload.size);
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
        const Timed timed(*this, Activity::Optimizer);
        if (state.norm.whole)
            clipGradients(*state.norm.whole);
        device().update(optimizer, module.parameters(), module.gradients(), optimizerState, weights.current() + 1);
    }
    weights.advance();
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

StageExecutor::Private::Averaged::Averaged(Private &executor) {
    const OptimizerSpec &spec = executor.deployment.training.optimizer;
    const qint64 elements = executor.module.parameters().numel();
    if (spec.ema == 0 || executor.weights.current() == 0 || elements == 0)
        return;
    m_weights = executor.module.parameters();
    m_average = executor.optimizerState.narrow(0, (spec.state().copies - 1) * elements, elements);
    swap();
}

/// Piece by piece: no memory for a copy of all is foreseen.
void StageExecutor::Private::Averaged::swap() {
    constexpr qint64 piece = 1 << 18;
    if (!m_weights.defined())
        return;
    const at::NoGradGuard guard;
    for (qint64 first = 0; first < m_weights.numel(); first += piece) {
        const qint64 count = std::min(piece, m_weights.numel() - first);
        at::Tensor weights = m_weights.narrow(0, first, count), average = m_average.narrow(0, first, count);
        const at::Tensor kept = weights.clone();
        weights.copy_(average);
        average.copy_(kept);
    }
}

Result<void> StageExecutor::beginEvaluation(quint64 atVersion, int samples, int microBatch) {
    const auto refuse = [](const Sentence &cause) {
        return fail(QStringLiteral("worker.bad-evaluation"), sentence("The test set cannot be evaluated now."), cause);
    };
    if (atVersion != version() || !isIdle())
        return refuse(
            sentence("Version %1 was asked for; the weights are at version %2.").arg(atVersion).arg(version()));
    if (samples < 1 || microBatch != d->deployment.microBatch)
        return refuse(sentence("%1 samples in micro-batches of %2; the plan's are of %3.")
                          .arg(samples)
                          .arg(microBatch)
                          .arg(d->deployment.microBatch));
    return guarded([&]() -> Result<void> {
        EvaluationState state;
        state.version = atVersion;
        state.samples = samples;
        state.microBatches = (samples + microBatch - 1) / microBatch;
        for (int m = 0; m < state.microBatches; ++m) {
            const int exist = std::min(microBatch, samples - m * microBatch);
            const Interval own = clipped(d->mine, exist);
            EvaluationState::Part part;
            if (own.count == 0) {
                ++state.done;  // the short last one ends before this member's share
            } else {
                const std::vector<Portion> everything{{0, own}};
                part.own = own;
                if (d->isFirst())
                    part.samples = ArrivingSamples(own, d->encodedSlots);
                else
                    part.input = d->inputsOf(own);
                part.labels = Assembly(own, everything);
            }
            state.parts.push_back(std::move(part));
        }
        d->evaluation = std::move(state);
        return {};
    });
}

bool StageExecutor::Private::evaluateNext() {
    if (!evaluation || evaluation->version != weights.current())
        return false;
    for (std::size_t m = 0; m < evaluation->parts.size(); ++m) {
        EvaluationState::Part &part = evaluation->parts[m];
        if (!(isFirst() ? part.samples.complete() : part.input.complete()) || (isLast() && !part.labels.complete()))
            continue;
        const at::NoGradGuard guard;
        const Timed timed(*this, Activity::Evaluation, static_cast<int>(m));
        const Averaged averaged(*this);
        const Interval own = part.own;
        const Tensors x =
            isFirst() ? inputOf(decoded(decoders, part.samples.take()), own.count) : fromHost(part.input.take());
        const Tensors y = module.forward(x, pass(static_cast<int>(m), false));
        if (isLast()) {
            const at::Tensor labels = device().fromHost(part.labels.take());
            out.evaluationDone({evaluation->version, static_cast<int>(m), own.count, loss->judge(y.front(), labels)});
        } else {
            for (std::size_t slot = 0; slot < y.size(); ++slot)
                sendSamples(TensorKind::Evaluation, slot, y[slot], own, place + 1, static_cast<int>(m),
                            evaluation->version);
        }
        part = {};
        if (++evaluation->done == evaluation->microBatches)
            evaluation.reset();
        return true;
    }
    return false;
}

}  // namespace hearth
