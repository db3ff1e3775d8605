// Holds or slows the processes of one agent by signals: what a person does to a device of a demo home.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <vector>

namespace hearth {

/// A process by its id and the moment of its start, so that an id that the kernel gave anew is not mistaken for it.
struct ProcessMark {
    qint64 pid = 0;
    quint64 startTicks = 0;  // 0: there is no such process
    bool operator==(const ProcessMark &) const = default;
};
ProcessMark processMark(qint64 pid);
/// All living descendants of a process of this user, children before grandchildren.
std::vector<qint64> descendantsOf(qint64 pid);

/// Belongs to one agent of this machine, and lives in a thread with an event loop. Whatever it did is undone when it
/// dies. A process that was stopped by someone else is not distinguished: it runs again after release().
class ProcessBrake : public QObject {
    Q_OBJECT
  public:
    enum class State { Released, Frozen, Slowed };

    explicit ProcessBrake(qint64 agentPid, QObject *parent = nullptr);
    ~ProcessBrake() override;

    State state() const { return m_state; }
    /// The agent that this was made for still lives.
    bool isValid() const;

    /// SIGSTOP for the agent and all its descendants: the device falls silent. False where the agent is gone.
    bool freeze();
    /// Its workers (descendants called `program`) run a quarter of the time, in slices so short that heartbeats are in
    /// time. New workers are found within a second. A scheduler class would only count where processors are short, and
    /// could not be taken back without rights.
    bool slowDown(const QString &program);
    void release();

  private:
    void slice();
    void findWorkers();
    void signalWorkers(int signal) const;

    const ProcessMark m_agent;
    State m_state = State::Released;
    QString m_program;
    std::vector<ProcessMark> m_workers;
    QTimer m_slice;
    bool m_running = true;  // the part of the cycle
    int m_slices = 0;
};

}  // namespace hearth
