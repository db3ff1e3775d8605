// The executor's work between rounds: passes over the test set, forward only.
#include <optional>

#include "core/model/asked_outputs.h"
#include "core/train/answers.h"
#include "core/train/input_tensors.h"
#include "core/train/stage_state.h"

namespace hearth {

Result<void> StageExecutor::beginEvaluation(const EvaluationOrder &order) {
    const auto [atVersion, samples, microBatch, wanted, row] = order;
    const auto refuse = [](const Sentence &cause) {
        return fail(QStringLiteral("worker.bad-evaluation"), sentence("The test set cannot be evaluated now."), cause);
    };
    if (atVersion != version() || !isIdle())
        return refuse(
            sentence("Version %1 was asked for; the weights are at version %2.").arg(atVersion).arg(version()));
    if (samples < 1 || microBatch != d->deployment.microBatch)
        return refuse(sentence("%1 {1|sample|samples} in micro-batches of %2; the plan's are of %3.")
                          .arg(samples)
                          .arg(microBatch)
                          .arg(d->deployment.microBatch));
    if (d->isLast()) {
        if (auto fits = AskedOutputs::of(d->module.outputs().front().shape, row); !fits)
            return tl::unexpected(fits.error());
    }
    return guarded([&]() -> Result<void> {
        EvaluationState state;
        state.order = order;
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
                if (d->isLast() && wanted == EvaluationOrder::Wanted::Judgements)
                    part.labels = Assembly(own, everything);
            }
            state.parts.push_back(std::move(part));
        }
        d->evaluation = std::move(state);
        return {};
    });
}

/// Where one is kept and a step was made.
ExchangedValues StageExecutor::Private::averaged() {
    const OptimizerSpec &spec = deployment.training.optimizer;
    const qint64 elements = module.parameters().numel();
    if (spec.ema == 0 || weights.current() == 0 || elements == 0)
        return {};
    return {module.parameters(), optimizerState.narrow(0, (spec.state().copies - 1) * elements, elements)};
}

bool StageExecutor::Private::evaluateNext() {
    if (!evaluation || evaluation->order.version != version())
        return false;
    for (std::size_t m = 0; m < evaluation->parts.size(); ++m) {
        EvaluationState::Part &part = evaluation->parts[m];
        const bool hasLabels = !part.labels.isAwaited() || part.labels.complete();
        if (!(isFirst() ? part.samples.complete() : part.input.complete()) || !hasLabels)
            continue;
        const at::NoGradGuard guard;
        // No report counts it, and where nothing but questions come no round's end would forget it.
        std::optional<Timed> timed;
        if (recorder.isActive())
            timed.emplace(times, Activity::Evaluation, static_cast<int>(m));
        const ExchangedValues average = averaged();
        const Interval own = part.own;
        const Tensors x =
            isFirst() ? decodedTensors(device(), decoders, part.samples.take()) : fromHost(part.input.take());
        const Tensors y = module.forward(x, pass(static_cast<int>(m), false));
        if (isLast() && evaluation->order.wanted == EvaluationOrder::Wanted::Outputs) {
            EvaluationShare share{evaluation->order.version, static_cast<int>(m), own.count};
            share.first = static_cast<qint64>(m) * deployment.microBatch + own.first;
            share.outputs = answersOf(device(), y.front(), evaluation->order.row);
            out.evaluationDone(share);
        } else if (isLast()) {
            const at::Tensor labels = device().fromHost(part.labels.take());
            Judgement judgement = loss->judge(y.front(), labels);
            for (JudgedSample &one : judgement.samples)
                one.sample += static_cast<qint64>(m) * deployment.microBatch + own.first;
            out.evaluationDone({evaluation->order.version, static_cast<int>(m), own.count, std::move(judgement.tally),
                                worthTelling(std::move(judgement.samples), evaluation->order.samples)});
        } else {
            for (std::size_t slot = 0; slot < y.size(); ++slot)
                sendSamples(TensorKind::Evaluation, slot, y[slot], own, place + 1, static_cast<int>(m),
                            evaluation->order.version);
        }
        part = {};
        if (++evaluation->done == evaluation->microBatches)
            evaluation.reset();
        return true;
    }
    return false;
}

}  // namespace hearth
