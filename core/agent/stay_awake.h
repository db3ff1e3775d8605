// Keeps this computer from suspending while it works for runs.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <chrono>

#include "core/agent/child_process.h"

namespace hearth {

/// Holds an inhibitor of systemd-logind against sleep: a child `systemd-inhibit … cat` of this process. That cat reads
/// a pipe whose other end is here alone, so the kernel ends it with this process, however that ends. Main thread.
///
/// Where there is no such program, or it is refused, nothing is held and the log says so once. It is tried again when
/// the next work begins. A closed lid suspends all the same.
class StayAwake : public QObject {
    Q_OBJECT
  public:
    /// `program`: systemd-inhibit, in PATH or with its folder; empty: nothing is ever held. `after`: so long it is
    /// still held when the work is over, since a worker that is started again, or another run, may follow soon.
    StayAwake(QString program, std::chrono::milliseconds after, QObject *parent = nullptr);
    /// Ends the child; blocks for a moment.
    ~StayAwake() override;

    /// Whether there is work; may be called with the same answer again.
    void want(bool wanted);
    /// There is none, and nothing is to follow: a person may be about to suspend this computer.
    void letGo();

  private:
    void hold();
    void ended(ChildProcess *child, const Error &reason);

    QString m_program;
    QTimer m_after;  // runs while it is held without work
    bool m_wanted = false;
    bool m_told = false;              // that nothing can be held
    ChildProcess *m_child = nullptr;  // ours as a QObject; null: nothing is held
};

}  // namespace hearth
