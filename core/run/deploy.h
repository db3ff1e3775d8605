// The fourth step of a run: everybody gets layers, peers and, where they were given, weights.
#pragma once

#include <QMap>
#include <QObject>
#include <QSet>
#include <vector>

#include "core/model/model.h"
#include "core/model/named_tensor.h"
#include "core/plan/plan.h"
#include "core/plan/replay/state_holders.h"
#include "core/protocol/deployment.h"
#include "core/run/deadlines.h"
#include "core/run/frozen_tensors.h"
#include "core/run/state_collector.h"
#include "core/run/worker_session.h"

namespace hearth {

/// The plan with the workers of this run in place of devices. Everything but stages, peers and plan numbers is left
/// to the caller. Every device of the plan has a session in `workers`.
Deployment deploymentOf(const Plan &plan, const std::vector<WorkerSession *> &workers);

/// Layers whose frozen tensors each device has.
using FrozenByDevice = QMap<QString, QSet<int>>;

/// Where frozen tensors come from, beside the workers that have them.
struct FrozenSource {
    FrozenTensors tensors;
    LinkRate rate;  // between devices, by id
    QString here;   // this device: its link is what all others wait for, so it is asked last
};

/// What a deployment says of them; `deployment` has its peers, `workers` in their order.
std::vector<Deployment::Frozen> frozenIn(const FrozenTensors &tensors, const std::vector<WorkerSession *> &workers,
                                         const FrozenByDevice &holders);

/// Deploys on all workers at once and streams the weights to the owners of each layer, if there are any; of frozen
/// tensors only what is asked for. One use.
class Deploy : public QObject {
    Q_OBJECT
  public:
    Deploy(Deployment deployment, const RunDeadlines &deadlines, QObject *parent = nullptr)
        : QObject(parent), m_deployment(std::move(deployment)), m_deadlines(deadlines) {}
    /// `weights`: one list per layer, or empty. `states`: by layer, for moves from the coordinator.
    void start(const std::vector<WorkerSession *> &workers, const std::vector<std::vector<NamedTensor>> &weights,
               const LayerStates &states = {}, FrozenSource frozen = {});
    /// Once finished: how long the slowest worker waited for states after everything else was ready.
    double moveSeconds() const { return m_moveSeconds; }

  Q_SIGNALS:
    void finished();
    void failed(const QString &device, const hearth::Error &error);

  private:
    void send(WorkerSession &worker, const LayerStates &states) const;
    void stream(WorkerSession &worker, const std::vector<std::vector<NamedTensor>> &weights) const;
    void streamLayer(WorkerSession &worker, int layer, const std::vector<NamedTensor> &tensors) const;
    void sendFrozen(WorkerSession &worker, int layer) const;
    QCborMap deploymentFor(const WorkerSession &worker, const std::vector<WorkerSession *> &workers) const;
    Deployment m_deployment;
    FrozenSource m_frozen;
    RunDeadlines m_deadlines;
    std::size_t m_open = 0;
    double m_moveSeconds = 0;
    bool m_over = false;
};

/// The header of a layer's tensor on its way to or from a worker (kind Replica).
TensorHeader replicaHeader(const NamedTensor &tensor, int layer, int slot, quint32 term);

}  // namespace hearth
