// The workers that run on this device, one per run.
#pragma once

#include <QDeadlineTimer>
#include <QObject>
#include <QPointer>
#include <QString>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/agent/card_finder.h"
#include "core/agent/child_process.h"
#include "core/base/card_load.h"
#include "core/home/worker_start.h"

namespace hearth {

/// What a worker that starts may take of this device. Plain value.
struct WorkerShare {
    int threads = 1;
    qint64 memoryBytes = 0;         // of the processor's
    qint64 memoryForOthers = 0;     // of a worker for another device's run
    bool enforceMemory = false;     // somebody set that limit: a worker that takes more is ended
    std::optional<FoundCard> card;  // it computes on this one,
    qint64 cardBytes = 0;           // and takes so much of its memory

    /// Of what it computes in: what plans count with.
    qint64 usableBytes() const { return card ? cardBytes : memoryBytes; }
};

struct WorkerSettings {
    QString listenHost = QStringLiteral("0.0.0.0");
    quint16 firstPort = 47601;  // documented, for firewalls
    quint16 lastPort = 47632;
    WorkerShare share;
    bool trustsFabric = false;  // workers for other devices' runs may sum over a trusted fabric
    QString deviceName;
};

/// Starts, watches and ends worker processes. Main thread.
class WorkerHost : public QObject {
    Q_OBJECT
  public:
    using Answer = std::function<void(Result<QCborMap>)>;
    /// As many as there are ports for them.
    static constexpr std::size_t maximumWorkers = 32;
    /// For the runs of one other device: it takes neither all ports nor all memory.
    static constexpr std::size_t maximumOfOther = 4;

    /// The owner of workers of this device's own runs; else it is the fingerprint of the asking device.
    static QString localOwner() { return QStringLiteral("local"); }

    explicit WorkerHost(WorkerSettings settings, QObject *parent = nullptr);
    ~WorkerHost() override;

    const WorkerSettings &settings() const { return m_settings; }
    /// For workers that start from now on.
    void setShare(const WorkerShare &share) { m_settings.share = share; }
    /// Starts wait until it is known what there is to compute on, and how much of it.
    void holdStarts() { m_held = true; }
    void takeStarts();
    /// The processes that compute on the card.
    std::vector<qint64> cardPids() const;
    /// Passes this on to the workers that compute on the card.
    void tellCard(const CardLoad &load);
    /// Why the last worker that was to compute on the card computes on the processor; empty where it does as it should.
    const Sentence &cardTrouble() const { return m_cardTrouble; }
    /// For workers that start from now on; 0: any.
    void setPorts(quint16 first, quint16 last);
    /// What errors call this device from now on.
    void setDeviceName(const QString &name) { m_settings.deviceName = name; }

    /// Starts the worker of `run` for the coordinator with this fingerprint (64 hex digits). Answers
    /// {fingerprint, port, pid} once it listens, with a `warning` (an error's fields) where it was to compute on the
    /// card and that one ended in its start: the worker computes on the processor instead. `owner` comes back with
    /// `exited`; only the same one may replace or stop the worker. An older one is killed first, with no word of
    /// `exited`, and the new one starts when it has ended: two of them might not fit into the memory. Of several starts
    /// meanwhile the last one counts, the others get "worker.replaced".
    void start(const QString &run, const QString &coordinator, const QString &owner, QObject *context, Answer answer);
    void stop(const QString &run, const QString &owner);
    /// All that this one had asked for.
    void stopAllOf(const QString &owner);
    bool isBusy() const { return !m_workers.empty(); }
    /// Workers for coordinators on other devices.
    int countForeign() const;
    /// Ends all: first asks, then kills what is left. The caller waits with waitForEnd().
    void stopAll();
    void waitForEnd(std::chrono::milliseconds deadline);

  Q_SIGNALS:
    /// The worker ended; `requested` where stop() was the reason. Not for one that was replaced.
    void exited(const QString &run, const QString &owner, const hearth::Error &reason, bool requested);
    void busyChanged();
    /// A worker is wanted where none is: the last moment to look, and to hold it.
    void wanted();
    void cardTroubleChanged();

  private:
    struct Next {
        QString coordinator;
        QString owner;
        QPointer<QObject> context;
        Answer answer;
        QDeadlineTimer deadline{WorkerStart::onItsDevice};
    };
    /// Of a worker on the card, which may end before it has answered: another one on the processor takes its place.
    struct Starting {
        Next next;
        bool over = false;  // it has answered, or has such a successor
    };
    struct Worker {
        std::unique_ptr<ChildProcess> process;
        QString owner;
        std::optional<Next> next;            // takes its place when it has ended
        std::shared_ptr<Starting> starting;  // null on the processor
    };
    /// `cardFailed`: what became of the one on the card. False: there is no such program, which was answered.
    void begin(const QString &run, const Next &next);
    bool launch(const QString &run, const Next &next, const std::optional<Error> &cardFailed = {});
    void workerEnded(const QString &run, ChildProcess *process, const Error &reason);
    void setCardTrouble(const Sentence &trouble);
    void cancelWaiting(const std::function<bool(const QString &run, const Next &next)> &which);
    std::size_t countOf(const QString &owner) const;
    static void cancel(std::optional<Next> &next, const Error &reason);

    WorkerSettings m_settings;
    std::map<QString, Worker> m_workers;
    bool m_held = false;
    std::vector<std::pair<QString, Next>> m_waiting;  // by run, in their order
    Sentence m_cardTrouble;
};

}  // namespace hearth
