// The processes of one kind that this device runs for runs, one per run.
#pragma once

#include <QDeadlineTimer>
#include <QObject>
#include <QPointer>
#include <QStringList>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/agent/child_process.h"
#include "core/home/worker_start.h"

namespace hearth {

/// Where they listen, and what errors call this device.
struct ProcessSettings {
    QString listenHost = QStringLiteral("0.0.0.0");
    quint16 firstPort = 47601;  // documented, for firewalls
    quint16 lastPort = 47632;
    QString deviceName;
};

/// Starts, watches and ends them. Main thread.
class ProcessHost : public QObject {
    Q_OBJECT
  public:
    using Answer = std::function<void(Result<QCborMap>)>;
    /// As many as there are ports for them.
    static constexpr std::size_t maximum = 32;
    /// For the runs of one other device: it takes neither all ports nor all memory.
    static constexpr std::size_t maximumOfOther = 4;

    /// The owner of processes for this device's own runs; else it is the fingerprint of the asking device.
    static QString localOwner() { return QStringLiteral("local"); }

    ~ProcessHost() override;

    /// The first word of the calls and notes about them, and of errors' codes, as "worker".
    const QString &kind() const { return m_kind; }
    const ProcessSettings &settings() const { return m_settings; }
    /// For processes that start from now on; 0: any.
    void setPorts(quint16 first, quint16 last);
    /// What errors call this device from now on.
    void setDeviceName(const QString &name) { m_settings.deviceName = name; }
    /// Starts wait until it is known what there is to take.
    void holdStarts() { m_held = true; }
    void takeStarts();

    /// Starts the process of `run` for the coordinator with this fingerprint (64 hex digits). Answers {fingerprint,
    /// port, pid} once it listens. `owner` comes back with `exited`; only the same one may replace or stop the process.
    /// An older one is killed first, with no word of `exited`, and the new one starts when it has ended: two of them
    /// might not fit into the memory. Of several starts meanwhile the last one counts, the others get the error
    /// "replaced". Others, each after the kind: "bad-run", "no-coordinator", "other-owner", "too-many", "stopped".
    void start(const QString &run, const QString &coordinator, const QString &owner, QObject *context, Answer answer);
    void stop(const QString &run, const QString &owner);
    /// All that this one had asked for.
    void stopAllOf(const QString &owner);
    bool isBusy() const { return !m_processes.empty(); }
    /// For coordinators on other devices.
    int countForeign() const;
    /// Ends all: first asks, then kills what is left. The caller waits with waitForEnd().
    void stopAll();
    void waitForEnd(std::chrono::milliseconds deadline);

  Q_SIGNALS:
    /// The process ended; `requested` where stop() was the reason. Not for one that was replaced.
    void exited(const QString &run, const QString &owner, const hearth::Error &reason, bool requested);
    void busyChanged();
    /// There is one more; not for one that takes the place of another.
    void launched();
    /// One is wanted where none is: the last moment to look, and to hold it.
    void wanted();

  protected:
    /// What was asked for.
    struct Start {
        QString coordinator;
        QString owner;
        QPointer<QObject> context;
        Answer answer;
        QDeadlineTimer deadline{WorkerStart::onItsDevice};
    };
    ProcessHost(QString kind, ProcessSettings settings, QObject *parent);

    /// By begin(). False: there is no such program, which was answered.
    virtual bool launch(const QString &run, const Start &start) = 0;
    /// Of a process that has ended, with nothing in its place.
    virtual void tellExit(const QString &run, const QString &owner, const Error &reason, bool requested);
    /// Starts `process` and asks it to start; `answer` hears of that.
    void begin(const QString &run, const Start &start, std::unique_ptr<ChildProcess> process, const QString &program,
               const QStringList &arguments, Answer answer);
    /// The arguments that say for which run it is, and where it listens.
    QStringList argumentsFor(const QString &run) const;
    /// Null where there is none.
    ChildProcess *process(const QString &run) const;

  private:
    struct Process {
        std::unique_ptr<ChildProcess> child;
        QString owner;
        std::optional<Start> next;  // takes its place when it has ended
    };
    void take(const QString &run, const Start &start);
    Result<void> mustHaveRoom(const QString &owner) const;
    void ended(const QString &run, ChildProcess *child, const Error &reason);
    void cancelWaiting(const std::function<bool(const QString &run, const Start &start)> &which);
    std::size_t countOf(const QString &owner) const;
    Error error(const char *code, const Sentence &what, const Sentence &advice = {}) const;
    Error stoppedError() const;
    static void cancel(std::optional<Start> &start, const Error &reason);

    QString m_kind;
    ProcessSettings m_settings;
    std::map<QString, Process> m_processes;
    bool m_held = false;
    std::vector<std::pair<QString, Start>> m_waiting;  // by run, in their order
};

}  // namespace hearth
