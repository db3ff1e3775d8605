// Fetches the weights of all layers from their owners.
#pragma once

#include <QObject>
#include <vector>

#include "core/base/dtype.h"
#include "core/model/model.h"
#include "core/model/named_tensor.h"
#include "core/protocol/deployment.h"
#include "core/run/deadlines.h"
#include "core/run/quiet_step.h"
#include "core/run/worker_session.h"

namespace hearth {

/// Asks the first member of each stage; only between rounds. One use; the coordinator's thread.
class WeightsCollector : public QuietStep {
    Q_OBJECT
  public:
    WeightsCollector(const Model &model, DType dtype, Deployment deployment, quint64 version,
                     const RunDeadlines &deadlines, QObject *parent = nullptr);
    void start(const std::vector<WorkerSession *> &workers);

  Q_SIGNALS:
    /// All tensors of the model, in layer order.
    void finished(const std::vector<hearth::NamedTensor> &tensors);

  private:
    void tooQuiet() override;
    /// Stages whose first member the worker is.
    std::vector<const Deployment::Stage *> stagesOf(const WorkerSession &worker) const;
    void ask(WorkerSession &worker, const Deployment::Stage &stage);
    void take(const WorkerSession &worker, const TensorFrame &frame);
    void completeWhenDone();
    quint64 receivedBytes() const;

    DType m_dtype;
    Deployment m_deployment;
    quint64 m_version;
    RunDeadlines m_deadlines;
    std::vector<std::vector<NamedTensor>> m_tensors;  // by layer; no data = still missing
    qsizetype m_missing = 0;
    std::size_t m_open = 0;  // calls: their replies may overtake the tensors
    std::vector<WorkerSession *> m_workers;
    quint64 m_received = 0;  // when m_quiet was started last for them
};

}  // namespace hearth
