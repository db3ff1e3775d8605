// One supervised child of the agent: a coordinator or a worker, with calls over its standard input and output.
#pragma once

#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>
#include <chrono>
#include <memory>
#include <optional>

#include "core/agent/child_end.h"
#include "core/wire/rpc.h"

namespace hearth {

/// Lives in the main thread (the kernel ends the child with the *thread* that started it). A child that fails, crashes
/// or hangs costs the agent nothing but this object. The child ends at the end of its standard input; the kernel ends
/// it, too, if this process dies.
class ChildProcess : public QObject {
    Q_OBJECT
  public:
    /// From the end of its input to SIGKILL: time to close files, less than a person's patience.
    static constexpr std::chrono::milliseconds stopGrace{600};
    /// Of its words: a library that complains of every sample fills no disk. Its last ones are told with its end.
    static constexpr qsizetype mostLoggedBytes = 256 << 10;

    explicit ChildProcess(Sentence role, QObject *parent = nullptr);
    ~ChildProcess() override;  // ends the child by force if it still runs

    /// Before start(): the child is ended when it has taken more memory than this, a fraction of a second later. (The
    /// limits of setrlimit(2) count what is reserved, for LibTorch half a GiB that is never used.)
    void limitMemory(qint64 bytes) { m_memoryLimit = bytes; }

    /// Before start(): it and its disk come after a person's programs (see lowerPriority()). Programs that also have a
    /// heart to beat lower their other threads themselves.
    void setNice(int nice) { m_nice = nice; }

    /// Before start(): in addition to this process's own environment, where that does not set it.
    void setDefault(const QString &variable, const QString &value);

    /// Register handlers on rpc() in the same turn of the event loop. A program that cannot be started ends at once, or
    /// within this very call; calls are answered with that all the same.
    void start(const QString &program, const QStringList &arguments);
    Rpc *rpc() { return m_rpc.get(); }
    qint64 pid() const;
    bool isRunning() const;
    const Sentence &role() const { return m_role; }

    /// As Rpc::call(); but when the child ends first, the error is how it ended rather than that its channel closed.
    void call(const QString &op, const QCborMap &args, std::chrono::milliseconds deadline, QObject *context,
              Rpc::Callback callback, Rpc::Bounds bounds = Rpc::Bounds::Answer);

    /// Closes its input; SIGKILL after the grace. `ended` follows.
    void stop(std::chrono::milliseconds grace = stopGrace);
    void kill();
    /// Blocks; false if it still runs.
    bool waitForEnd(std::chrono::milliseconds deadline);
    const std::optional<ChildEnd> &end() const { return m_end; }
    /// What the child said itself (the note "failed") before it ended: it gave up, rather than being lost.
    const std::optional<Error> &ownReason() const { return m_ownReason; }

  Q_SIGNALS:
    /// Exactly once, after its last words were read. `error` describes the end, also a polite one.
    void ended(const hearth::Error &error);

  private:
    void keepLastOutput();
    void checkMemory();
    /// Of one that has.
    Error whyEnded() const;
    void finish(ChildEnd end);

    Sentence m_role;
    QProcess m_process;
    std::unique_ptr<Channel> m_channel;
    std::unique_ptr<Rpc> m_rpc;
    QByteArray m_lastOutput;
    qsizetype m_loggedBytes = 0;
    qint64 m_memoryLimit = 0;  // 0: none
    int m_nice = 0;            // 0: as this process
    qint64 m_tooMuch = 0;      // what it had when it was ended for that
    QTimer m_memoryTimer;
    qint64 m_killsBefore = -1;
    bool m_requested = false;
    bool m_killed = false;
    std::optional<ChildEnd> m_end;
    std::optional<Error> m_ownReason;  // what the child said itself before it ended
};

}  // namespace hearth
