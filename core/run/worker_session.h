// The coordinator's end of one worker: its channel, its calls, its notes.
#pragma once

#include <QCborMap>
#include <QObject>
#include <QTimer>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "core/home/device_info.h"
#include "core/protocol/evaluation_tally.h"
#include "core/protocol/judged_sample.h"
#include "core/protocol/memory_shortage.h"
#include "core/protocol/round_report.h"
#include "core/protocol/round_trace.h"
#include "core/protocol/transfer_progress.h"
#include "core/run/links.h"
#include "core/wire/channel.h"
#include "core/wire/rpc.h"

namespace hearth {

/// What a last-stage member found in its part of one micro-batch of an evaluation.
struct EvaluationPart {
    quint64 version = 0;
    qint64 microBatch = 0;
    qint64 samples = 0;
    EvaluationTally tally = {};
    std::vector<JudgedSample> judged = {};
    qint64 first = 0;                  // of its samples, of the whole pass
    std::vector<double> outputs = {};  // of each, where these were asked for
};

/// Copies of another worker's layers that are whole now.
struct StoredBackup {
    int firstLayer = 0, lastLayer = 0;
    quint64 version = 0;
};

/// What a worker says about itself.
struct WorkerHello {
    QString version;        // of Hearth; empty where it does not say
    QString library;        // "libtorch 1.13.1"
    QString computeDevice;  // "cpu"
    int threads = 1;
    qint64 memoryBytes = 0, runtimeBytes = 0;
    quint16 heartbeatPort = 0;  // 0: it has none
};

/// The error as one of this device: its sentence names it.
Error namedFor(const DeviceInfo &device, Error error);

/// Lives in the coordinator's thread and owns the channel.
class WorkerSession : public QObject {
    Q_OBJECT
  public:
    WorkerSession(DeviceInfo device, WorkerAddress address, std::unique_ptr<Channel> channel,
                  std::chrono::milliseconds exitReason, QObject *parent = nullptr);
    ~WorkerSession() override;

    const DeviceInfo &device() const { return m_device; }
    const QString &id() const { return m_device.id; }
    const WorkerAddress &address() const { return m_address; }
    /// Where this one finds another: as its own agent sees that device, else as it is known here.
    QString placeOf(const WorkerSession &other) const { return m_address.sees.value(other.id(), knownPlaceOf(other)); }
    /// Where it may be as well: as it is known here; empty where that is the same.
    QString otherPlaceOf(const WorkerSession &other) const {
        const QString place = knownPlaceOf(other);
        return place == placeOf(other) ? QString() : place;
    }
    /// Its device has another address now, where others find it; the coordinator dials it where it was.
    void moveTo(const QString &host) { m_address.forOthers = host; }
    /// Its own agent sees that device there now. False: as before.
    bool see(const QString &other, const QString &place) {
        return std::exchange(m_address.sees[other], place) != place;
    }
    /// That device is not there any more.
    void forgetPlace(const QString &other, const QString &place) {
        if (m_address.sees.value(other) == place)
            m_address.sees.remove(other);
    }
    Channel &channel() { return *m_channel; }
    /// Its channel has closed and lost() follows.
    bool isClosing() const { return m_reason.has_value(); }
    const WorkerHello &hello() const { return m_hello; }
    /// Of its last word about it.
    const QMap<QString, qint64> &waitingBytes() const { return m_waiting; }
    void setHello(WorkerHello hello) { m_hello = std::move(hello); }
    /// What it said of its memory before an error for want of it.
    const std::optional<MemoryShortage> &shortage() const { return m_shortage; }

    /// Fingerprints of the peers that it did not reach, as it said before such an error; once.
    QStringList takeUnreached() { return std::exchange(m_unreached, {}); }

    /// Errors name the device. When the worker is gone there is no answer: lost() follows.
    void call(const QString &op, const QCborMap &args, std::chrono::milliseconds deadline, QObject *context,
              std::function<void(Result<QCborMap>)> done);
    /// The same, but the deadline is for silence: it begins anew whenever bytes of a transfer have moved.
    void callWhileMoving(const QString &op, const QCborMap &args, std::chrono::milliseconds quiet, QObject *context,
                         std::function<void(Result<QCborMap>)> done);
    /// The largest tensor that it may send, in bytes: part of a state, unless more is asked for.
    void setTensorLimit(quint64 bytes);
    void notify(const QString &op, const QCborMap &args = {}) { m_rpc->notify(op, args); }
    /// Why the worker ended, as its agent tells it: better than what a closed channel can say.
    void setExitReason(const Error &error);

  Q_SIGNALS:
    void profileProgress(int done);
    void roundDone(const hearth::RoundReport &report);
    /// Before the roundDone() of its round, where the deployment asks for it.
    void roundTraced(const hearth::RoundTrace &trace);
    /// Bytes of its transfers have moved.
    void progressed();
    /// Its part of a round, or of an evaluation, gets on.
    void computed();
    void evaluationDone(const hearth::EvaluationPart &part);
    void tensorReceived(const hearth::TensorFrame &frame);
    /// It computes this layer under that term and lacks its frozen tensors.
    void frozenWanted(quint32 term, int layer);
    void backupStored(const hearth::StoredBackup &stored);
    /// The trusted fabric of its group ended for good; it goes on without.
    void fabricFailed(const hearth::Error &error);
    /// Its connection to the worker with this fingerprint ended; both may be well. `term`: of the last deployment that
    /// it was given, where that needs the connection; 0: it does not; -1: the worker does not say.
    void peerLost(const QString &fingerprint, const hearth::Error &error, qint64 term);
    /// Exactly once, when the worker is gone: its process ended, its channel closed, or it said that it failed.
    void lost(const hearth::Error &error);

  private:
    /// As the agent of this run sees it, and this device itself at the address that this connection comes from.
    QString knownPlaceOf(const WorkerSession &other) const;
    void registerNotes();
    void loseNow();

    DeviceInfo m_device;
    WorkerAddress m_address;
    std::unique_ptr<Channel> m_channel;
    std::unique_ptr<Rpc> m_rpc;
    WorkerHello m_hello;
    std::optional<MemoryShortage> m_shortage;
    QStringList m_unreached;
    qint64 m_noteBytes = 0;           // of what it says of how it gets on: no progress of transfers
    QMap<QString, qint64> m_waiting;  // by the peer's fingerprint
    QTimer m_exitReasonDue;           // runs from the end of the channel until somebody has said why
    std::optional<Error> m_reason;
    bool m_lost = false;
};

}  // namespace hearth
