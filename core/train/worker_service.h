// A worker: the coordinator's control protocol on one side, the compute thread on the other.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <chrono>
#include <memory>
#include <optional>

#include "core/base/heap_tidy.h"
#include "core/train/coordinator_line.h"
#include "core/train/frozen_exchange.h"
#include "core/train/peer_links.h"
#include "core/train/profile_calls.h"
#include "core/train/stage_calls.h"
#include "core/train/task_thread.h"
#include "core/train/worker_compute.h"
#include "core/train/worker_options.h"
#include "core/wire/channel.h"

namespace hearth {

/// Protocol, coordinator → worker: calls `hello`, `expect`, `profile`, `profile.units`, `link.probe`, `deploy`, `halt`,
/// `state.get`, `evaluate`, `weights.get`, `codecs {term, changes}`, `clock`, `leave`; notes `keep`, `commit`,
/// `profile.end`, `trace.end`; tensors Input, Label, Evaluation, Replica. Worker → coordinator: notes `backup.stored`
/// (copies of another worker's layers are whole), `frozen.wanted {term, layers}` (whose frozen tensors no member
/// gives), `profile.progress`, `round.trace` (where the deployment asks for it, before the `round.done` of its round),
/// `round.done`, `evaluation.done`, `fabric.failed`, `transfers` (TransferProgress, every progressInterval while bytes
/// move), `computed {steps}` (since the last time, as often while it computes), `peer.lost {device, error, term}` (that
/// of the last deployment, where it needs the connection; else 0), `memory.short` (before the error of a step or a
/// deployment that memory ended), `peers.unreached` (before a deployment's "worker.peer-unreachable"), `failed`;
/// tensors Replica. Lives in the I/O thread, which owns all channels; everything that touches tensors runs on the
/// compute thread.
class WorkerService : public QObject {
    Q_OBJECT

  public:
    /// What a worker exits with after `failed`.
    static constexpr int failedStatus = 3;
    /// How long a last message may take to arrive.
    static constexpr std::chrono::milliseconds farewell{1000};
    /// So often it tells how transfers and rounds get on, while they do: often enough for the coordinator's deadlines.
    static constexpr std::chrono::milliseconds progressInterval{2000};
    /// A connection to another worker of which the other kernel confirms nothing is given up then. A device that is
    /// gone is noticed by its heartbeats long before, and after a shorter outage TCP goes on by itself.
    static constexpr std::chrono::milliseconds longestUnconfirmed{10000};

    WorkerService(WorkerOptions options, const Fingerprint &self, PeerConnector &connector, QObject *parent = nullptr);
    ~WorkerService() override;

    void setCoordinator(const Fingerprint &coordinator) { m_coordinatorKey = coordinator; }
    /// The coordinator, and the devices that it told this worker to expect.
    bool authorises(const Fingerprint &peer) const;
    /// Takes over a channel whose peer authorises() accepted.
    void adopt(std::unique_ptr<Channel> channel);
    quint32 term() const { return m_term; }
    /// Where Heartbeat listens: told in the answer to `hello`.
    void setHeartbeatPort(quint16 port) { m_heartbeatPort = port; }
    /// How the card that it computes on is doing: the reports of rounds say so from now on.
    void setCardLoad(const CardLoad &load) { m_cardLoad = load; }
    /// For tests: gradients of every round, called on the compute thread. Set before the deployment.
    void observeGradients(std::function<void(quint32 round, const std::vector<NamedTensor> &)> observer);

  Q_SIGNALS:
    /// Exactly once: the process should end with this status.
    void finished(int status);

  private:
    struct Deploying {
        Reply reply;
        quint64 serial;  // a plan may be sent again under the same term
        bool built = false, weights = false, connected = false;
        QElapsedTimer moving{};              // since states may be sent and arrive; invalid before
        std::vector<StateParcel> parcels{};  // to be sent once everyone is connected
        std::size_t unsent = 0;
    };
    void adoptCoordinator(std::unique_ptr<Channel> channel);
    void coordinatorClosed(const Error &reason);
    void hello(const QCborMap &args, const Reply &reply);
    void expectPeers(const QCborMap &args, const Reply &reply);
    void probeLink(const QCborMap &args, const Reply &reply);
    void deploy(const QCborMap &args, const Reply &reply);
    void halt(const QCborMap &args, const Reply &reply);
    void receiveState(const QString &from, const TensorFrame &frame);
    void receiveFrozen(const QString &from, const TensorFrame &frame);
    FrozenExchange::Doors frozenDoors();
    void sendMoves(Deploying &deploying);
    /// What is under way for an older plan ends, or for this term's former one.
    void enterTerm(quint32 term);
    void endTrace();
    void build(const Deployment &deployment, const Model &model, quint64 serial);
    /// On the compute thread.
    Result<void> buildStage(WorkerCompute &compute, const Deployment &deployment, const Model &model,
                            ComputeThread *thread);
    /// The compute thread's background work: the one place where rounds are driven.
    bool computeStep(WorkerCompute &compute);
    void deployProgress(quint64 serial, const std::function<void(Deploying &)> &change, const Result<void> &result);
    /// What crossed cuts is decoded in a thread of its own; of one sender all stays in order.
    void deliver(const QString &from, const TensorFrame &frame);
    /// Any thread.
    void handOver(ComputeThread &thread, const QString &from, const Result<TensorFrame> &frame, qint64 arrived);
    /// A frame was refused. What a member sends is no reason to end for the others: only its link does. On the compute
    /// thread.
    void refuse(WorkerCompute &compute, const QString &from, const Error &error);
    void setTensorLimit(quint64 bytes);
    /// `thread` by value: the destructor takes the pointer away while the thread still runs.
    StageOutputs outputs(ComputeThread *thread);
    void tellProgress();
    /// Before the error that ends a step or a deployment, the bytes go to the coordinator: it plans with them.
    void tellShortage(const Error &error);
    void failWorker(const Error &error);
    void finish(int status, const Error &reason);
    /// Runs `task` in this thread, soon; from any thread.
    void later(std::function<void()> task) { m_mailbox.post(std::move(task)); }

    WorkerOptions m_options;
    Fingerprint m_self;
    Fingerprint m_coordinatorKey;
    quint64 m_tensorLimit = PeerLinks::burstFrame;
    CardLoad m_cardLoad;
    CoordinatorLine m_line;
    PeerLinks m_links;
    StateSender m_sender;
    FrozenExchange m_exchange;
    QTimer m_orphan;
    HeapTidy m_tidy;  // after a deployment: its layers are others than those whose memory is still held
    QTimer m_progress;
    quint64 m_told = 0;       // bytes moved when progress was told last, and ...
    quint64 m_toldSteps = 0;  // ... steps done
    quint32 m_term = 0;
    quint32 m_deployedTerm = 0;  // of the last deployment that it was given
    quint16 m_heartbeatPort = 0;
    bool m_traced = false;
    std::optional<Deploying> m_deploying;
    quint64 m_lastSerial = 0;
    bool m_finished = false;
    int m_status = 0;
    QTimer m_farewell;
    Mailbox m_mailbox;
    std::shared_ptr<WorkerCompute> m_compute;
    std::unique_ptr<ComputeThread> m_thread;
    std::optional<TaskThread> m_decoding;    // as the thread, ...
    std::optional<ProfileCalls> m_profiles;  // ... this ...
    std::optional<StageCalls> m_stage;       // ... and this
};

}  // namespace hearth
