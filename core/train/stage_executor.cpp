#include "core/train/stage_executor.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/model/cut_slots.h"
#include "core/model/ties.h"
#include "core/train/memory.h"
#include "core/train/stage_place.h"
#include "core/train/stage_state.h"

namespace hearth {
namespace {

Error badDeployment(const Sentence &cause) {
    return {QStringLiteral("worker.bad-deployment"), sentence("This worker cannot take the part it was given."), cause,
            sentence("Run the same version of Hearth on all devices.")};
}

/// What the executor needs beyond Deployment::validate().
Result<void> checkDeployment(const Deployment &deployment, const Model &model, const QString &self, int stageIndex) {
    const bool exists = stageIndex >= 0 && stageIndex < static_cast<int>(deployment.stages.size());
    const int member = exists ? deployment.memberOf(stageIndex, self) : -1;
    if (member < 0)
        return tl::unexpected(badDeployment(sentence("The plan gives it no layers.")));
    const Deployment::Stage &stage = deployment.stages[static_cast<std::size_t>(stageIndex)];
    const auto layers = static_cast<int>(model.layers.size());
    if (stage.firstLayer < 0 || stage.firstLayer >= stage.lastLayer || stage.lastLayer > layers)
        return tl::unexpected(badDeployment(
            sentence("Layers %1 to %2 of a model of %3.").arg(stage.firstLayer).arg(stage.lastLayer).arg(layers)));
    if (deployment.stages.front().firstLayer != 0 || deployment.stages.back().lastLayer != layers)
        return tl::unexpected(badDeployment(sentence("The stages do not cover the model.")));
    if (!Schedule::byName(deployment.schedule))
        return tl::unexpected(
            badDeployment(sentence("The schedule \"%1\" is unknown; it knows %2.")
                              .arg(deployment.schedule, Schedule::names().join(QStringLiteral(", ")))));
    if (!LossFacts::byName(deployment.training.loss) || !Loss::make(deployment.training))
        return tl::unexpected(badDeployment(sentence("The loss \"%1\" is unknown.").arg(deployment.training.loss)));
    for (const Tie &tie : tiesOf(model)) {
        const bool isCut = tie.isTrainable && tie.isCut(stage.firstLayer, stage.lastLayer);
        const auto hasIt = [&](int other) {
            const Deployment::Stage &its = deployment.stages[static_cast<std::size_t>(other)];
            return other != stageIndex && tie.isIn(its.firstLayer, its.lastLayer);
        };
        if (isCut && std::ranges::any_of(deployment.stagesOf(self), hasIt))
            return tl::unexpected(badDeployment(sentence("Two of its stages have the same tied weights.")));
    }
    const int samples = stage.members[static_cast<std::size_t>(member)].samples;
    for (int l = stage.firstLayer; l < stage.lastLayer; ++l) {
        const Layer &layer = model.layers[static_cast<std::size_t>(l)];
        if (samples < layer.shape.minimumSamples)
            return tl::unexpected(
                badDeployment(sentence("Layer \"%1\" needs %2 {2|sample|samples} at least; the share is %3.")
                                  .arg(layer.name)
                                  .arg(layer.shape.minimumSamples)
                                  .arg(samples)));
    }
    return {};
}

double rateFactorOf(const Deployment &deployment, const QString &self, int stage) {
    const bool isCorrected = deployment.training.asynchronous && deployment.training.asynchronous->correctRate;
    return isCorrected ? 1.0 / (1 + stagePlaceOf(deployment, self, stage).delay.value_or(0)) : 1;
}

}  // namespace

StageExecutor::StageExecutor(std::unique_ptr<Private> p) : d(std::move(p)) {}
StageExecutor::~StageExecutor() = default;

Result<std::unique_ptr<StageExecutor>> StageExecutor::make(const Deployment &deployment, const Model &model,
                                                           const QString &self, int stage, StageOutputs outputs) {
    if (const auto valid = deployment.validate(); !valid)
        return tl::unexpected(valid.error());
    if (const auto valid = checkDeployment(deployment, model, self, stage); !valid)
        return tl::unexpected(valid.error());
    InputDecoders decoders;
    if (stage == 0) {
        auto made = makeInputDecoders(deployment.input, deployment.sampleTypes,
                                      cutSlots(model, 0, dtypeOf(deployment.training.precision)));
        if (!made)
            return tl::unexpected(made.error());
        decoders = std::move(*made);
    }
    return guarded([&]() -> Result<std::unique_ptr<StageExecutor>> {
        auto p = std::make_unique<Private>(deployment, model, self, stage, std::move(outputs), std::move(decoders));
        return std::unique_ptr<StageExecutor>(new StageExecutor(std::move(p)));
    });
}

Result<void> StageExecutor::deliver(const QString &from, const TensorFrame &frame, qint64 arrived) {
    return guarded([&] { return d->deliver(from, frame, arrived); });
}

void StageExecutor::endTrace() {
    d->recorder.setActive(false);
}

bool StageExecutor::weightsComplete() const {
    return d->weightsAwaited == 0;
}

Result<bool> StageExecutor::step(int urgency) {
    return guarded([&] { return d->step(urgency); });
}

void StageExecutor::endWait() {
    d->times.endWait();
}

Result<void> StageExecutor::changeCodecs(const QJsonArray &changes) {
    // Rounds that may be here as frames were begun with the codecs that were known.
    const quint32 begun = d->rounds.empty() ? d->currentRound - 1 : d->rounds.rbegin()->first;
    const std::size_t cuts = d->deployment.stages.size() - 1;
    auto read = codecChangesFromJson(changes, d->deployment.firstRound, cuts, QStringLiteral("The change of codecs"),
                                     QStringLiteral("/changes"));
    if (!read)
        return tl::unexpected(read.error());
    Deployment changed = d->deployment;
    changed.codecChanges = std::move(*read);
    for (std::size_t cut = 0; cut < cuts; ++cut) {
        for (quint32 round = d->currentRound; round <= begun; ++round) {
            if (changed.codecAfter(cut, round) != d->deployment.codecAfter(cut, round))
                return fail(QStringLiteral("codecs.late"), sentence("Codecs cannot change now."),
                            sentence("Round %1 has begun.").arg(round));
        }
    }
    d->deployment.codecChanges = std::move(changed.codecChanges);
    return {};
}

void StageExecutor::sumExactly(quint64 version) {
    d->sums.sumExactly(static_cast<quint32>(version));
}

bool StageExecutor::owesGradients() const {
    return d->sums.areOwed();
}

quint64 StageExecutor::version() const {
    return d->version();
}

quint32 StageExecutor::term() const {
    return d->deployment.term;
}

bool StageExecutor::isIdle() const {
    return d->isIdle();
}

bool StageExecutor::Private::isIdle() const {
    return std::ranges::all_of(rounds, [](const auto &round) { return round.second.forwards == 0; });
}

int StageExecutor::firstLayer() const {
    return d->module.firstLayer();
}

int StageExecutor::lastLayer() const {
    return d->module.lastLayer();
}

Result<std::vector<NamedTensor>> StageExecutor::readLayer(int layer) const {
    return guarded([&]() -> Result<std::vector<NamedTensor>> {
        const ExchangedValues averaged = d->averaged();
        std::vector<NamedTensor> tensors;
        for (int i = 0; i < d->module.tensorCount(layer); ++i)
            tensors.push_back(d->module.read(layer, i));
        return tensors;
    });
}

void StageExecutor::observeGradients(std::function<void(quint32, const std::vector<NamedTensor> &)> observer) {
    d->gradientObserver = std::move(observer);
}

StageExecutor::Private::Private(const Deployment &given, const Model &model, const QString &self, int index,
                                StageOutputs outputs, InputDecoders inputs)
    : deployment(given),
      out(std::move(outputs)),
      place(index),
      memberPlace(given.memberOf(index, self)),
      module(model, stage().firstLayer, stage().lastLayer, given.training.precision, *out.device),
      updatesPerRound(given.training.asynchronous ? given.training.asynchronous->updatesPerRound(given.microBatches)
                                                  : 1),
      sums(deployment, model, self, place, module, out, report, times,
           [this](const QString &device, const TensorHeader &header, Payload payload) {
               hand(device, header, std::move(payload));
           }),
      norm(deployment, self, place, module,
           [this](const QString &device, const TensorHeader &header, Payload payload) {
               hand(device, header, std::move(payload));
           }),
      optimizer(given.training.inner(), module.trained(), updatesPerRound, rateFactorOf(given, self, place)),
      weights(module, *out.device, given.firstVersion() * static_cast<quint64>(updatesPerRound),
              stagePlaceOf(given, self, place).delay.value_or(0), given.training.asynchronous),
      currentRound(given.firstRound),
      decoders(std::move(inputs)) {
    const Deployment::Member &member = stage().members[static_cast<std::size_t>(memberPlace)];
    mine = {member.firstSample, member.samples};
    rules = Schedule::byName(given.schedule)
                ->rules({stage().inFlight, static_cast<int>(given.stages.size()) - place, stage().recompute},
                        given.microBatches);
    recorder.setActive(deployment.trace && out.roundTraced, place);
    recorder.setRound(currentRound);
    times.setRound(currentRound);
    for (const auto &decoder : decoders)
        encodedSlots.push_back(decoder->encoded());
    for (std::size_t slot = 0; slot < module.inputs().size(); ++slot)
        rectifiedInputs.push_back(isRectified(model, static_cast<std::size_t>(module.firstLayer()), slot));
    if (isFirst() && device().isHost())
        decoding.emplace(decoders, out.wake);
    if (isLast()) {
        loss = Loss::make(deployment.training);
        label = LossFacts::byName(deployment.training.loss)->label(module.outputs().front().shape);
        trainedLabel = deployment.training.mixed ? mixedLabel() : label;
    }
    const OptimizerState state = deployment.training.state();
    optimizerState = at::zeros({module.parameters().numel() * state.copies + (state.isFactored ? module.moments() : 0)},
                               module.parameters().options());
    statisticsBefore(0) = at::empty_like(module.statistics());
    if (isAsynchronous())
        statisticsBefore(1) = at::empty_like(module.statistics());
    if (deployment.training.localSteps)
        local.emplace(deployment, mine.count, module, device(), optimizer, optimizerState);
    for (int l = module.firstLayer(); l < module.lastLayer(); ++l) {
        const Layer &layer = model.layers[static_cast<std::size_t>(l)];
        layouts.push_back(LayerStateLayout::of(layer, module.dtype(), state));
        frozenLayouts.push_back(LayerStateLayout::ofFrozen(layer, module.dtype()));
    }
    if (deployment.statesHeld) {
        statesAwaited.resize(layouts.size(), true);
        weightsAwaited = static_cast<int>(layouts.size());
    }
    if (deployment.weightsStreamed)
        awaitWeights(model);
    else if (!deployment.statesHeld || (module.hasFrozen() && deployment.frozen.empty()))
        module.initialise(model, deployment.training.seed);
    for (int l = module.firstLayer(); l < module.lastLayer(); ++l) {
        frozenAwaited.push_back(deployment.frozenOf(l) != nullptr);
        weightsAwaited += frozenAwaited.back() ? 1 : 0;
    }
}

void StageExecutor::Private::awaitWeights(const Model &model) {
    std::set<TensorRef> sent;  // a stage gets a tied tensor once
    for (int l = module.firstLayer(); l < module.lastLayer(); ++l) {
        std::vector<bool> &here = weightsHere.emplace_back();
        for (const TensorSpec &spec : model.layers[static_cast<std::size_t>(l)].shape.tensors) {
            const TensorRef first = spec.tiedTo.value_or(TensorRef{l, static_cast<int>(here.size())});
            here.push_back(spec.role == TensorRole::Frozen || !sent.insert(first).second);
            weightsAwaited += here.back() ? 0 : 1;
        }
    }
}

std::vector<Interval> StageExecutor::Private::intervalsOf(int stageIndex) const {
    std::vector<Interval> intervals;
    for (const Deployment::Member &member : deployment.stages[static_cast<std::size_t>(stageIndex)].members)
        intervals.push_back({member.firstSample, member.samples});
    return intervals;
}

int StageExecutor::Private::memberIndex(int stageIndex, const QString &device) const {
    if (stageIndex < 0 || stageIndex >= static_cast<int>(deployment.stages.size()))
        return -1;
    const auto &members = deployment.stages[static_cast<std::size_t>(stageIndex)].members;
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (members[i].device == device)
            return static_cast<int>(i);
    }
    return -1;
}

CutAssembly StageExecutor::Private::inputsOf(Interval own) const {
    return {own, portions(own, intervalsOf(place - 1)), module.inputs(), CutAssembly::Carries::Values};
}

RoundState &StageExecutor::Private::roundState(quint32 round) {
    const auto known = rounds.find(round);
    if (known != rounds.end())
        return known->second;
    RoundState &state = rounds[round];
    state.microBatches.resize(static_cast<std::size_t>(deployment.microBatches));
    for (int u = 0; u < updatesPerRound; ++u)
        state.sums.push_back(sums.newRound());
    const std::vector<Portion> everything{{0, mine}};  // from the coordinator
    if (deployment.isChecked(round)) {
        state.check.emplace();
        if (!isFirst())
            state.check->input = inputsOf(mine);
    }
    for (MicroBatchState &micro : state.microBatches) {
        if (isFirst())
            micro.samples = ArrivingSamples(mine, encodedSlots);
        else
            micro.input = inputsOf(mine);
        if (isLast())
            micro.labels = Assembly(mine, everything);
        else
            micro.gradient = CutAssembly(mine, portions(mine, intervalsOf(place + 1)), module.outputs(),
                                         CutAssembly::Carries::Gradients);
    }
    return state;
}

}  // namespace hearth
