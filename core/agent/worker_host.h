// The workers that run on this device, one per run.
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "core/agent/child_process.h"

namespace hearth {

struct WorkerSettings {
    QString listenHost = QStringLiteral("0.0.0.0");
    quint16 firstPort = 47601;  // documented, for firewalls
    quint16 lastPort = 47632;
    int threads = 1;
    qint64 memoryBytes = 0;
    qint64 memoryForOthers = 0;  // of a worker for another device's run
    bool trustsFabric = false;   // workers for other devices' runs may sum over a trusted fabric
    bool enforceMemory = false;  // somebody set that limit: a worker that takes more is ended
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
    void setResources(int threads, qint64 memoryBytes, qint64 memoryForOthers, bool enforceMemory);
    /// For workers that start from now on; 0: any.
    void setPorts(quint16 first, quint16 last);
    /// What errors call this device from now on.
    void setDeviceName(const QString &name) { m_settings.deviceName = name; }

    /// Starts the worker of `run` for the coordinator with this fingerprint (64 hex digits). Answers
    /// {fingerprint, port, pid} once it listens. `owner` comes back with `exited`; only the same one may replace or
    /// stop the worker. An older one is killed first, with no word of `exited`, and the new one starts when it has
    /// ended: two of them might not fit into the memory. Of several starts meanwhile the last one counts, the others
    /// get "worker.replaced".
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

  private:
    struct Next {
        QString coordinator;
        QString owner;
        QPointer<QObject> context;
        Answer answer;
    };
    struct Worker {
        std::unique_ptr<ChildProcess> process;
        QString owner;
        std::optional<Next> next;  // takes its place when it has ended
    };
    void launch(const QString &program, const QString &run, const Next &next);
    void workerEnded(const QString &run, ChildProcess *process, const Error &reason);
    std::size_t countOf(const QString &owner) const;
    static void cancel(std::optional<Next> &next, const Error &reason);

    WorkerSettings m_settings;
    std::map<QString, Worker> m_workers;
};

}  // namespace hearth
