// What a worker keeps of layers' states, and when: snapshots, copies, what moves to it and from it.
#pragma once

#include <QCborMap>
#include <functional>
#include <memory>

#include "core/protocol/deployment.h"
#include "core/protocol/term_origins.h"
#include "core/train/state_inbox.h"
#include "core/train/state_sender.h"
#include "core/train/state_store.h"
#include "core/train/worker_stages.h"

namespace hearth {

/// Lives on the compute thread, next to the stages, which it outlives. Errors leave the store as it is.
class WorkerStates {
  public:
    /// All layers that this device keeps for `from` are whole at `version`.
    using CopyStored = std::function<void(const QString &from, int firstLayer, int lastLayer, quint64 version)>;
    WorkerStates(QString self, CopyStored copyStored);

    /// A peer without layers: at most it keeps copies and gives states.
    static bool isIdle(const QString &device, const Deployment &deployment);

    /// Throws the round under way away and takes a snapshot of the state before it, where that is whole
    /// (StageExecutor::owesGradients), and forgets what does not count by `origins`. `stages` may be null and must
    /// not go on. The answer to `halt`. Error "worker.out-of-memory".
    Result<QCborMap> halt(quint32 term, WorkerStages *stages, const TermOrigins &origins);
    /// Before anything of the deployment is built. Errors: "worker.no-state", a state is neither here nor on its way;
    /// "worker.bad-deployment"; "wire.bad-state", of chunks that came before.
    Result<void> prepare(const Deployment &deployment, const Model &model);
    /// What this device must send for the deployment that was prepared.
    std::vector<StateParcel> moves() const;
    /// Loads what is here of what it awaits.
    Result<void> load(WorkerStages &stages) const;
    /// The deployment has come about: what is newer than its beginning counts no more.
    void deployed();
    /// A chunk. Error "wire.bad-state".
    Result<void> receive(const QString &from, const TensorFrame &frame) { return m_inbox.add(from, frame); }
    /// After every round: snapshots when they are due, and gives what should go to others. Error
    /// "worker.out-of-memory".
    Result<std::vector<StateParcel>> roundDone(const WorkerStages &stages);
    /// This version is to be kept until it, or a newer one, is committed; copies of it go to others.
    void keep(quint64 version) { m_wanted = version; }
    bool isWanted(quint64 version) const { return version == m_wanted && version > 0; }
    void commit(quint64 version);
    /// Error "worker.no-state".
    Result<StateParcel> fetch(int firstLayer, int lastLayer, quint64 version) const;

    /// Of the deployment that was prepared last.
    quint32 term() const { return m_deployment.term; }

  private:
    Result<void> snapshot(const StageExecutor &executor);
    std::set<quint64> pinned() const;
    Result<void> checkHeld(const Deployment &deployment, const StateInbox::Expected &expected) const;
    void arrived(const QString &from, int layer, quint64 version, std::shared_ptr<const Buffer> state);

    QString m_self;
    CopyStored m_copyStored;
    std::shared_ptr<BufferPool> m_pool;
    StateStore m_store;
    StateInbox m_inbox;
    Deployment m_deployment;           // the last one that was prepared
    std::vector<qint64> m_stateBytes;  // of its model's layers
    quint64 m_base = 0;                // of the last deployment that came about
    std::set<quint64> m_begun;         // by keep(), not committed yet
    quint64 m_wanted = 0;              // by keep()
    quint64 m_version = 0;             // rounds applied by all stages when they were halted last
};

}  // namespace hearth
