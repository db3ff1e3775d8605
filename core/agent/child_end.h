// How a child process ended, in words that a person understands.
#pragma once

#include <QByteArray>
#include <QString>

#include "core/base/error.h"

namespace hearth {

/// What the operating system said about the end of a child. Plain value.
struct ChildEnd {
    enum class Kind { NotStarted, Exited, Signalled };
    Kind kind = Kind::Exited;
    int code = 0;            // exit status or signal
    bool requested = false;  // we asked it to end
    bool outOfMemory =
        false;              // the kernel ended a process for want of memory while this one ran, and this one by SIGKILL
    qint64 tookBytes = 0;   // it was ended because it had taken so much
    qint64 limitBytes = 0;  // of so much that it was allowed
    Sentence detail;        // NotStarted: why
    bool noProcess = false;  // NotStarted: the system could make none, whatever the program
    QByteArray lastOutput;   // the end of its standard error
};

/// `role` starts a sentence: "The worker on local-2". Codes: child.not-started, child.failed, child.ended,
/// child.crashed, child.killed, child.out-of-memory.
Error describeEnd(const Sentence &role, const ChildEnd &end);

/// Bytes of memory that a process has for itself, in memory or swapped out; 0 where there is none, or it is not known.
qint64 ownMemory(qint64 pid);

/// Processes that the kernel has ended for want of memory since boot, here or in this process's cgroup; -1 if unknown.
qint64 outOfMemoryKills();

}  // namespace hearth
