// The fourth step of a run: everybody gets layers, peers and, where they were given, weights.
#pragma once

#include <QObject>
#include <vector>

#include "core/model/model.h"
#include "core/model/named_tensor.h"
#include "core/plan/plan.h"
#include "core/protocol/deployment.h"
#include "core/run/deadlines.h"
#include "core/run/frozen_tensors.h"
#include "core/run/state_collector.h"
#include "core/run/worker_session.h"

namespace hearth {

/// The plan with the workers of this run in place of devices. Everything but stages, peers and plan numbers is left
/// to the caller. Every device of the plan has a session in `workers`.
Deployment deploymentOf(const Plan &plan, const std::vector<WorkerSession *> &workers);

/// Deploys on all workers at once and streams the weights to the owners of each layer, if there are any. One use.
class Deploy : public QObject {
    Q_OBJECT
  public:
    Deploy(Deployment deployment, const RunDeadlines &deadlines, QObject *parent = nullptr)
        : QObject(parent), m_deployment(std::move(deployment)), m_deadlines(deadlines) {}
    /// `weights`: one list per layer, or empty. `states`: by layer, for moves from the coordinator. `frozen`: for
    /// whoever asks for some.
    void start(const std::vector<WorkerSession *> &workers, const std::vector<std::vector<NamedTensor>> &weights,
               const LayerStates &states = {}, const FrozenTensors &frozen = {});
    /// Once finished: how long the slowest worker waited for states after everything else was ready.
    double moveSeconds() const { return m_moveSeconds; }

  Q_SIGNALS:
    void finished();
    void failed(const QString &device, const hearth::Error &error);

  private:
    void send(WorkerSession &worker, const LayerStates &states) const;
    void stream(WorkerSession &worker, const std::vector<std::vector<NamedTensor>> &weights) const;
    void streamLayer(WorkerSession &worker, int layer, const std::vector<NamedTensor> &tensors) const;
    Deployment m_deployment;
    RunDeadlines m_deadlines;
    std::size_t m_open = 0;
    double m_moveSeconds = 0;
    bool m_over = false;
};

/// The header of a layer's tensor on its way to or from a worker (kind Replica).
TensorHeader replicaHeader(const NamedTensor &tensor, int layer, int slot, quint32 term);

}  // namespace hearth
