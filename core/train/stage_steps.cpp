// The executor's work in a round: forward, backward, AllReduce, update.
#include <set>
#include <utility>

#include "core/base/generator.h"
#include "core/train/input_tensors.h"
#include "core/train/stage_state.h"

namespace hearth {
namespace {

/// Keeps dropout apart from the other uses of a run's seed: initial weights have 1, the order of samples has 2.
constexpr quint64 dropoutStream = 3;

}  // namespace

Result<bool> StageExecutor::Private::step(int urgency) {
    const auto wait = [&](Activity what) {
        if (urgency == leastUrgent)
            times.beginWait(what);
        return false;
    };
    times.endWait();
    sender.check();
    if (weightsAwaited > 0)
        return false;
    if (isAsynchronous())
        return stepAsynchronously();
    const auto found = rounds.find(currentRound);
    if (found == rounds.end() || found->second.forwards == 0) {
        if (evaluateNext())
            return true;
    }
    if (found == rounds.end())
        return wait(Activity::WaitForward);
    RoundState &state = found->second;
    sums.prepare(state.sums.front(), currentRound);
    if (state.summing) {
        if (!sums.areDone(state.sums.front(), currentRound))
            return wait(sums.awaitMembers(state.sums.front()) ? Activity::WaitAllReduce : Activity::AllReduce);
        if (!norm.isKnown(state.norm, currentRound))
            return wait(Activity::WaitAllReduce);
        update();
        return true;
    }
    StageStatus status{state.forwards, state.inputGradients, state.weightGradients};
    if (state.forwards < deployment.microBatches) {
        const MicroBatchState &next = state.microBatches[static_cast<std::size_t>(state.forwards)];
        status.forwardReady = hasInput(currentRound, state.forwards, next) &&
                              (!isLast() || (next.labels.complete() && state.normaliser > 0));
    }
    status.backwardReady = hasGradient(state);
    const StageTask next = rules.next(status);
    if (urgencyOf(next, rules).value_or(0) > urgency)
        return false;
    switch (next) {
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
            return wait(Activity::WaitForward);
        case StageTask::WaitBackward:
            return wait(Activity::WaitBackward);
        case StageTask::Update:
            if (!checkDone(state))
                return wait(Activity::WaitForward);
            state.summing = true;
            if (local)
                local->endSteps();
            sums.begin(state.sums.front());
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

bool StageExecutor::Private::hasInput(quint32 round, int index, const MicroBatchState &micro) const {
    if (!micro.ahead.empty())
        return true;
    if (!isFirst())
        return micro.input.complete();
    return decoding ? decoding->has({round, index}) : micro.samples.complete();
}

void StageExecutor::Private::fetchAhead(quint32 round, int index) {
    if (device().isHost())
        return;
    if (index == deployment.microBatches) {
        ++round;
        index = 0;
    }
    const auto state = rounds.find(round);
    if (state == rounds.end())
        return;
    MicroBatchState &micro = state->second.microBatches[static_cast<std::size_t>(index)];
    if (micro.ahead.empty() && hasInput(round, index, micro)) {
        const Timed timed(times, Activity::Forward, index);
        micro.ahead = takeInput(round, index, micro);
    }
}

Tensors StageExecutor::Private::takeInput(quint32 round, int index, MicroBatchState &micro) {
    if (!micro.ahead.empty())
        return std::exchange(micro.ahead, {});
    if (!isFirst())
        return fromHost(micro.input.take());
    if (decoding)
        return inputTensors(device(), decoders, decoding->take({round, index}), mine.count);
    return decodedTensors(device(), decoders, micro.samples.take());
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
        weights.hold();
        micro.version = versionOf(currentRound, index);
        const WeightVersions::Use use(weights, micro.version);
        micro.x = takeInput(currentRound, index, micro);
        for (std::size_t slot = 0; slot < micro.x.size(); ++slot)
            micro.x[slot].set_requires_grad(module.inputs()[slot].needsGradient);
        StageModule::Pass how = pass(index, true);
        {
            how.updateStatistics = !recomputes();
            const at::AutoGradMode mode(!recomputes());
            micro.y = module.forward(micro.x, how);
        }
        if (isLast()) {
            const at::Tensor labels = device().fromHost(micro.labels.take());
            micro.y = {loss->sum(micro.y.front(), labels)};
            const at::Tensor sum = micro.y.front().detach().to(at::kDouble);
            if (state.check && index == 0) {
                state.check->codedLoss = sum;
                state.check->labels = labels;
            }
            state.lossSum = state.lossSum.defined() ? state.lossSum + sum : sum;
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
        if (recomputes())
            micro.y.clear();
    }
    fetchAhead(currentRound, state.forwards);
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
        const WeightVersions::Use use(weights, versionOf(currentRound, 0));
        const Tensors y = module.forward(fromHost(check.input.take()), how);
        if (isLast())
            check.rawLoss = loss->sum(y.front(), check.labels);
        for (std::size_t slot = 0; !isLast() && slot < y.size(); ++slot)
            sendSamples(TensorKind::Check, slot, y[slot], mine, place + 1, 0, weights.current());
    }
    check.labels.reset();
    check.isDone = true;
    return true;
}

/// Gradients that the round before has not applied stay. Where passes are recomputed and rounds overlap, the statistics
/// that are kept here are still to change: update() keeps them again.
void StageExecutor::Private::beginRound() {
    const at::NoGradGuard guard;
    if (!isAsynchronous())
        module.zeroGradients();
    if (rounds.at(currentRound).check)
        report.checks.emplace_back().stage = place;
    statisticsBefore(currentRound).copy_(module.statistics());
    if (local)
        local->begin();
}

/// Of the first stage, which has nobody to send a gradient to, the whole backward pass unless weights can wait.
void StageExecutor::Private::backwardInput(int index) {
    RoundState &state = rounds.at(currentRound);
    MicroBatchState &micro = state.microBatches[static_cast<std::size_t>(index)];
    if (!local && (index + 1) % (deployment.microBatches / updatesPerRound) == 0)
        sums.watch(sumsOf(updateNumber()), updateNumber());
    using Weights = StageModule::WeightGradients;
    {
        const Timed timed(times, Activity::Backward, index);
        const WeightVersions::Use use(weights, micro.version);
        if (micro.y.empty())
            micro.y = module.forward(micro.x, pass(index, true));
        const double normaliser = local ? local->normaliser(state.normaliser) : state.normaliser;
        Tensors gradients = isLast() ? Tensors{at::full_like(micro.y.front(), updatesPerRound / normaliser)}
                                     : fromHost(micro.gradient.take());
        Tensors outputs = std::exchange(micro.y, {});
        for (std::size_t slot = gradients.size(); slot-- > 0;) {
            if (!gradients[slot].defined()) {
                gradients.erase(gradients.begin() + static_cast<std::ptrdiff_t>(slot));
                outputs.erase(outputs.begin() + static_cast<std::ptrdiff_t>(slot));
            }
        }
        module.backward(outputs, gradients, isWhole() ? Weights::Now : Weights::Later);
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
    if (local) {
        const Timed timed(times, Activity::Optimizer, index);
        local->step(weights.current(), index);
    }
    ++state.inputGradients;
    micro.x.clear();
}

void StageExecutor::Private::backwardWeights(int index) {
    RoundState &state = rounds.at(currentRound);
    if (!isWhole()) {
        const Timed timed(times, Activity::WeightGradients, index);
        module.finishBackward();
    }
    if ((index + 1) % (deployment.microBatches / updatesPerRound) == 0)
        module.endWatch();
    state.microBatches[static_cast<std::size_t>(index)] = {};
    weights.release();
    ++state.weightGradients;
}

void StageExecutor::Private::update() {
    RoundState &state = rounds.at(currentRound);
    const quint32 number = updateNumber();
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
        gradientObserver(number, gradients);
    }
    {
        const Timed timed(times, Activity::Optimizer);
        norm.clip(state.norm);
        if (updatesPerRound > 1 && !beginning.isKept())
            beginning.keep(module.parameters(), optimizerState);
        weights.beginUpdate();
        if (local)
            local->average();
        else
            device().update(optimizer, module.parameters(), module.gradients(), optimizerState, number);
        weights.endUpdate();
    }
    sums.end(sumsOf(number));
    state.summing = false;
    if (number % static_cast<quint32>(updatesPerRound) != 0)
        return;
    beginning.forget();
    if (!isAsynchronous())
        fetchAhead(currentRound, deployment.microBatches);
    report.gradientNorm = GradientNorm::lengthOf(state.norm);
    accountSent();
    times.settle(report, recorder);
    report.round = currentRound;
    report.term = deployment.term;
    report.version = currentRound;
    report.loss = isLast() ? state.lossSum.item<double>() / state.normaliser : 0;
    if (state.check && isLast()) {
        report.checks.front().codedLoss = state.check->codedLoss.item<double>();
        report.checks.front().rawLoss = state.check->rawLoss.item<double>();
    }
    report.memoryBytes = device().takePeakBytes();
    if (recorder.isActive())
        out.roundTraced(recorder.finish(currentRound, deployment.term));
    rounds.erase(currentRound);
    ++currentRound;
    // The next round's first forward pass came before the last passes that move statistics for this one.
    if (recomputes() && !isIdle()) {
        const at::NoGradGuard guard;
        statisticsBefore(currentRound).copy_(module.statistics());
    }
    times.setRound(currentRound);
    const auto next = rounds.find(currentRound);
    RoundReport begun = next == rounds.end() ? RoundReport() : std::exchange(next->second.report, {});
    out.roundDone(std::exchange(report, std::move(begun)));
}

}  // namespace hearth
