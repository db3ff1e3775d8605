// Keeps this computer from suspending while it works for runs.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <chrono>
#include <vector>

#include "core/agent/child_process.h"

namespace hearth {

/// A program that keeps this computer from suspending while the command runs that follows its arguments.
struct Inhibitor {
    QString program;  // in PATH or with its folder
    QStringList arguments;
};

/// Those of systemd-logind and of GNOME.
std::vector<Inhibitor> usualInhibitors();

/// Holds inhibitors against sleep: children `systemd-inhibit … cat` of this process. Each cat reads a pipe whose other
/// end is here alone, so the kernel ends it with this process, however that ends. Main thread.
///
/// Where there is none of these programs, or all are refused, nothing is held and the log says so once. They are tried
/// again when the next work begins. A closed lid suspends all the same.
class StayAwake : public QObject {
    Q_OBJECT
  public:
    /// `inhibitors`: empty: nothing is ever held. `after`: so long they are still held when the work is over, since a
    /// worker that is started again, or another run, may follow soon.
    StayAwake(std::vector<Inhibitor> inhibitors, std::chrono::milliseconds after, QObject *parent = nullptr);
    /// Ends the children; blocks for a moment.
    ~StayAwake() override;

    /// Whether there is work; may be called with the same answer again.
    void want(bool wanted);
    /// There is none, and nothing is to follow: a person may be about to suspend this computer.
    void letGo();

  private:
    void hold();
    void ended(ChildProcess *child, const Error &reason);

    std::vector<Inhibitor> m_inhibitors;
    QTimer m_after;  // runs while they are held without work
    bool m_wanted = false;
    bool m_told = false;                     // that nothing can be held
    std::vector<ChildProcess *> m_children;  // that hold; ours as QObjects
    Sentence m_refusals;                     // why others do not
};

}  // namespace hearth
