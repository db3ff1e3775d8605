// How a stage computes its part of the rounds. Internal to core/train.
#pragma once

#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "core/plan/schedule.h"
#include "core/protocol/deployment.h"
#include "core/train/cut_sender.h"
#include "core/train/decoding_thread.h"
#include "core/train/exchanged_values.h"
#include "core/train/flat_math.h"
#include "core/train/gradient_sums.h"
#include "core/train/host_copy.h"
#include "core/train/local_training.h"
#include "core/train/loss.h"
#include "core/train/round_state.h"
#include "core/train/stage_errors.h"
#include "core/train/stage_executor.h"
#include "core/train/stage_module.h"
#include "core/train/stage_times.h"
#include "core/train/weight_versions.h"

namespace hearth {

class StageExecutor::Private {
  public:
    using Timed = StageTimes::Timed;

    /// `decoders` for the first stage, else none.
    Private(const Deployment &deployment, const Model &model, const QString &self, int index, StageOutputs outputs,
            InputDecoders decoders);

    Result<void> deliver(const QString &from, const TensorFrame &frame, qint64 arrived);
    /// The weights that will come one by one.
    void awaitWeights(const Model &model);
    Result<void> deliverWeights(const QString &from, const TensorFrame &frame);
    Result<void> deliverLabels(const TensorFrame &frame);
    Result<void> deliverSum(const QString &from, const TensorFrame &frame);
    Result<void> deliverEvaluation(const QString &from, const TensorFrame &frame);
    Result<bool> step(int urgency);
    Result<bool> stepAsynchronously();
    bool forwardNext(const RoundState &current);
    bool hasGradient(const RoundState &state) const;

    void forward(int index);
    void beginRound();
    void backwardInput(int index);
    void backwardWeights(int index);
    void sendSamples(TensorKind kind, std::size_t slot, const at::Tensor &tensor, Interval interval, int stage,
                     int microBatch, quint64 atVersion, const Codec &codec = noCodec());
    /// A device that computes ahead of its thread must not stand still because pieces wait for it: those of two
    /// micro-batches.
    std::size_t piecesWaiting() const {
        const std::size_t slots = module.inputs().size() + module.outputs().size();
        return device().isHost() ? CutSender::usualWaiting : 2 * slots * deployment.peers.size();
    }
    bool codedByDevice(CutPiece &piece, const at::Tensor &values, Rounding rounding);
    bool hasSameInputs(quint32 round) const;
    HostCopy rectifiedInput(std::size_t slot, int microBatch) const;
    /// For these samples of the cut before this stage.
    CutAssembly inputsOf(Interval own) const;
    /// False: what it takes is not here yet.
    bool checkDone(RoundState &state);
    /// What the round sent over its cuts.
    void accountSent();
    /// Leaves out what the cut's codec did not write: slots without gradient, and values that it refused.
    void accountPacking(const CutSender::Frame &frame, RoundReport &told) const;
    void update();
    bool evaluateNext();
    ExchangedValues averaged();

    bool isFirst() const { return place == 0; }
    /// Both halves of a backward pass are one.
    bool isWhole() const { return isFirst() && !rules.defersWeights; }
    bool isLast() const { return place == static_cast<int>(deployment.stages.size()) - 1; }
    /// Backward passes repeat the forward passes, and they alone move statistics.
    bool recomputes() const { return stage().recompute && !isLast(); }
    const Deployment::Stage &stage() const { return deployment.stages[static_cast<std::size_t>(place)]; }
    RoundState &roundState(quint32 round);
    /// Of the cut before a stage.
    const CutCodec &codecBefore(int stageIndex, quint32 round) const {
        return deployment.codecAfter(static_cast<std::size_t>(stageIndex) - 1, round);
    }
    std::vector<Interval> intervalsOf(int stageIndex) const;
    int memberIndex(int stageIndex, const QString &device) const;
    ComputeDevice &device() const { return *out.device; }
    Tensors fromHost(Tensors tensors) const;
    /// What a micro-batch's forward pass takes, if it is here, goes to the device beside what that computes.
    void fetchAhead(quint32 round, int index);
    Tensors takeInput(quint32 round, int index, MicroBatchState &micro);
    bool hasInput(quint32 round, int index, const MicroBatchState &micro) const;
    StageModule::Pass pass(int microBatch, bool training) const;
    void hand(const QString &device, const TensorHeader &header, Payload payload);

    /// Updates are numbered from 0 over the whole run. The numbers that members of a group tell each other are from 1:
    /// where a round is one update, they are rounds.
    quint64 firstUpdateOf(quint32 round) const { return quint64{round - 1} * static_cast<quint64>(updatesPerRound); }
    quint32 updateNumber() const { return static_cast<quint32>(weights.current()) + 1; }
    quint32 roundOf(quint32 number) const { return (number - 1) / static_cast<quint32>(updatesPerRound) + 1; }
    GradientSums::Round &sumsOf(quint32 number) {
        return roundState(roundOf(number)).sums[(number - 1) % static_cast<quint32>(updatesPerRound)];
    }
    /// Of the weights that the passes of this micro-batch see.
    quint64 versionOf(quint32 round, int microBatch) const {
        return weights.versionFor(firstUpdateOf(round) + static_cast<quint64>(microBatch) *
                                                             static_cast<quint64>(updatesPerRound) /
                                                             static_cast<quint64>(deployment.microBatches));
    }
    bool isAsynchronous() const { return deployment.training.asynchronous.has_value(); }
    /// Micro-batches in flight.
    int limit() const { return rules.inFlight; }
    quint64 version() const { return currentRound - 1; }
    bool isIdle() const;
    /// The module's, as the round before left them. Two rounds have begun at most.
    at::Tensor &statisticsBefore(quint32 round) { return statisticsKept[isAsynchronous() ? round % 2 : 0]; }
    RoundReport &reportOf(quint32 round) { return round <= currentRound ? report : roundState(round).report; }

    class LaterRound;

    Deployment deployment;
    StageOutputs out;
    const int place;        // among the stages of the deployment
    const int memberPlace;  // in the group
    StageModule module;
    StageRules rules;
    const int updatesPerRound;
    RoundReport report;  // of the current round
    RoundRecorder recorder;
    StageTimes times{*out.device};
    GradientSums sums;
    GradientNorm norm;
    FlatOptimizer optimizer;
    at::Tensor optimizerState;
    std::optional<LocalTraining> local;  // where devices average their weights after so many steps of their own
    WeightVersions weights;
    RoundBeginning beginning;  // where a round is several updates
    Interval mine;
    int weightsAwaited = 0;
    std::vector<std::vector<bool>> weightsHere;   // by layer and tensor; empty: none comes
    std::vector<LayerStateLayout> layouts;        // of the states of this stage's layers
    std::vector<LayerStateLayout> frozenLayouts;  // of their frozen tensors
    std::vector<bool> statesAwaited;              // empty: none
    std::vector<bool> frozenAwaited;              // by layer
    at::Tensor statisticsKept[2];                 // statisticsBefore()
    quint32 currentRound = 1;                     // the one at hand
    std::map<quint32, RoundState> rounds;
    std::optional<EvaluationState> evaluation;
    InputDecoders decoders;                  // of the first stage, as are ...
    std::vector<bool> rectifiedInputs;       // by slot of the cut before this stage
    std::vector<Slot> encodedSlots;          // ... what they take ...
    std::optional<DecodingThread> decoding;  // ... and, where the device does not decode itself, this
    std::unique_ptr<const Loss> loss;        // of the last stage, as is ...
    Slot label, trainedLabel;                // ... these, of evaluations and of rounds
    std::function<void(quint32, const std::vector<NamedTensor> &)> gradientObserver;
    CutSender sender{out.linkRate, out.send, out.wake, piecesWaiting()};  // last: its thread ends first
};

}  // namespace hearth
