// Runs one stage of a deployment on this device: what arrives becomes rounds.
#pragma once

#include <QJsonArray>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/model/model.h"
#include "core/model/named_tensor.h"
#include "core/plan/schedule.h"
#include "core/protocol/deployment.h"
#include "core/protocol/evaluation_order.h"
#include "core/protocol/evaluation_tally.h"
#include "core/protocol/judged_sample.h"
#include "core/protocol/round_report.h"
#include "core/protocol/round_trace.h"
#include "core/train/compute_device.h"
#include "core/train/fabric_backend.h"
#include "core/wire/tensor_frame.h"

namespace hearth {

/// One micro-batch of a forward-only pass over the test set, this member's part.
struct EvaluationShare {
    quint64 version = 0;
    int microBatch = 0;
    int samples = 0;
    EvaluationTally tally = {};
    std::vector<JudgedSample> judged = {};  // those worth telling, numbered as the pass does
    qint64 first = 0;                       // of its samples, numbered likewise
    std::vector<double> outputs = {};       // of each, where these were asked for
};

/// What the executor asks of its surroundings; on the compute thread, from within step() and deliver(), where nothing
/// else is said.
struct StageOutputs {
    /// `device` is a peer of the deployment. Any thread.
    std::function<void(const QString &device, const TensorHeader &header, Payload payload)> send;
    /// Bytes a second to `device`; 0: nobody knows. Any thread.
    std::function<double(const QString &device)> linkRate = [](const QString &) { return 0.0; };
    std::function<void(const RoundReport &report)> roundDone;
    /// Before roundDone, where the deployment asks for a trace; empty: there is none.
    std::function<void(RoundTrace trace)> roundTraced;
    std::function<void(const EvaluationShare &part)> evaluationDone;
    /// The trusted fabric of the group ended for good; the built-in AllReduce goes on in its place.
    std::function<void(const Error &error)> fabricFailed;
    /// Makes step() run again soon. Any thread, also outside of step() and deliver().
    std::function<void()> wake;
    bool trustsFabric = false;  // also beyond this machine
    FabricFactory openFabric = makeFabricBackend;
    std::shared_ptr<ComputeDevice> device = processor();
};

/// Pipeline training (design §6): rounds run freely as data arrive. A round is M micro-batches in the order that the
/// schedule picks, gradients summed with weight 1/normaliser, AllReduce by sum inside the group, one optimizer step. In
/// asynchronous training (Asynchrony) rounds overlap, and there may be one step for each micro-batch. With local steps
/// there is one after every micro-batch, and at the end a mean of the weights (LocalTraining). Lives on the
/// compute thread, where alone it may be touched. Errors end the executor, which must not be used
/// after one; "worker.bad-frame" changes nothing. LibTorch exceptions stop here.
class StageExecutor {
  public:
    /// Builds the layers of one of this device's stages; weights by seed unless they are streamed or come by
    /// loadState(). Errors: "worker.bad-deployment", "worker.out-of-memory".
    static Result<std::unique_ptr<StageExecutor>> make(const Deployment &deployment, const Model &model,
                                                       const QString &self, int stage, StageOutputs outputs);
    ~StageExecutor();

    /// Sorts one frame into its place, whose payload is values: what crossed a cut has gone through valuesOf(). `from`
    /// is the peer's device id, empty for the coordinator. Frames of another term or of finished rounds are dropped.
    /// `arrived`, for the trace, is when it was here as a whole, in nanoseconds of the steady clock.
    Result<void> deliver(const QString &from, const TensorFrame &frame, qint64 arrived = 0);
    /// True once every tensor of this stage is here: from the start if neither weights nor states are awaited.
    bool weightsComplete() const;
    /// Does the next thing there is to do, where that is so urgent (urgencyOf()); else false, as if everything waits
    /// for frames. What is asked for the least is told to wait from then on.
    Result<bool> step(int urgency = leastUrgent);
    /// Another stage of this device goes on: nobody waits.
    void endWait();

    /// Frames of its samples are sent only after every stage has begun. Errors: "worker.bad-evaluation",
    /// "answer.bad-row".
    Result<void> beginEvaluation(const EvaluationOrder &order);
    /// Rounds applied.
    quint64 version() const;
    /// Of its deployment.
    quint32 term() const;
    /// From now on these are the deployment's (CodecChange). Errors: they are not valid; a round that has begun would
    /// change.
    Result<void> changeCodecs(const QJsonArray &changes);
    /// The round that makes this version sums gradients as they are, with all that members owe each other (GroupSum);
    /// too late for one whose last backward pass has begun.
    void sumExactly(quint64 version);
    /// Members of this stage's group owe each other what rounding took from their gradients: the state of version() is
    /// not all that there is.
    bool owesGradients() const;
    /// Nobody wants traces any more.
    void endTrace();
    /// Between rounds: nothing of a later one has begun.
    bool isIdle() const;
    /// Copies of the tensors of one of this stage's layers, in the order of its specs; of weights the moving average,
    /// where one is kept. Only while isIdle().
    Result<std::vector<NamedTensor>> readLayer(int layer) const;
    int firstLayer() const;
    int lastLayer() const;

    // The states of layers (LayerStateLayout), where the deployment says that they are held.
    qint64 stateBytes(int layer) const;
    /// Still to be loaded; false for layers of other stages.
    bool awaitsState(int layer) const;
    /// Error "worker.bad-weights": not awaited, or of another size.
    Result<void> loadState(int layer, std::span<const std::byte> state);
    // Frozen tensors, where the deployment lists the layer: none is in a state.
    qint64 frozenBytes(int layer) const;
    /// The layer's are still to be loaded; false for layers of other stages.
    bool awaitsFrozen(int layer) const;
    /// All of a layer that awaits them (LayerStateLayout::ofFrozen). Error "worker.bad-weights": not awaited, or of
    /// another size.
    Result<void> loadFrozen(int layer, std::span<const std::byte> values);
    /// `to` has frozenBytes(layer).
    Result<void> readFrozen(int layer, std::span<std::byte> to) const;
    /// Throws the rounds under way away: version(), weights and statistics are as at the start of the first of them.
    /// All that may follow is readStates().
    void abandonRound();
    struct LayerBytes {
        int layer;
        std::span<std::byte> to;  // has stateBytes(layer)
    };
    /// Of version(), once weightsComplete(), and only between the last step of a round and the first one of the next.
    Result<void> readStates(const std::vector<LayerBytes> &wanted) const;

    /// For tests: called when all gradients of a round are summed, before the optimizer step, with one tensor per
    /// trainable tensor of the stage.
    void observeGradients(std::function<void(quint32 round, const std::vector<NamedTensor> &)> observer);

  private:
    class Private;
    explicit StageExecutor(std::unique_ptr<Private> p);
    std::unique_ptr<Private> d;
};

}  // namespace hearth
