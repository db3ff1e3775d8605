// The stages that a worker computes: one, or several that take turns.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "core/train/stage_executor.h"

namespace hearth {

/// Where a plan is interleaved, a device has several stages. They share its compute thread: whenever it is free, it
/// does what others wait for most (urgencyOf()). Towards the worker they are one executor with several runs of layers,
/// whose round is done when all of them have done theirs; what they report and trace is put together. Of one stage
/// nothing is changed. Lives on the compute thread, as the executors do, and what is said of these holds here.
class WorkerStages {
  public:
    /// All stages that the deployment gives this device. Errors as StageExecutor::make().
    static Result<std::unique_ptr<WorkerStages>> make(const Deployment &deployment, const Model &model,
                                                      const QString &self, const StageOutputs &outputs);

    /// Ascending.
    const std::vector<std::unique_ptr<StageExecutor>> &executors() const { return m_executors; }
    /// Null where no stage has the layer.
    StageExecutor *withLayer(int layer) const;

    Result<void> deliver(const QString &from, const TensorFrame &frame, qint64 arrived = 0);
    bool weightsComplete() const;
    /// One thing at a time; false if all stages wait for frames.
    Result<bool> step();
    Result<void> beginEvaluation(const EvaluationOrder &order);
    /// Rounds applied by all stages.
    quint64 version() const;
    quint32 term() const { return m_executors.front()->term(); }
    Result<void> changeCodecs(const QJsonArray &changes);
    void sumExactly(quint64 version);
    bool owesGradients() const;
    void endTrace();
    bool isIdle() const;
    void observeGradients(const std::function<void(quint32 round, const std::vector<NamedTensor> &)> &observer);

  private:
    WorkerStages() = default;
    StageOutputs outputsOf(std::size_t place);

    StageOutputs m_outputs;
    std::vector<int> m_stages;  // of the deployment
    std::vector<std::unique_ptr<StageExecutor>> m_executors;
    std::map<quint32, std::map<std::size_t, RoundReport>> m_reports;  // by round and place
    std::map<quint32, std::map<std::size_t, RoundTrace>> m_traces;
};

}  // namespace hearth
