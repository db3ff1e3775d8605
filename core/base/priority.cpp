#include "core/base/priority.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <QDir>
#include <QFile>

namespace hearth {
namespace {

// ioprio_set(2): glibc declares neither the call nor its values.
constexpr int ioOfProcess = 1, ioClassIdle = 3, ioClassShift = 13;

}  // namespace

void lowerThreadPriority(int nice) {
    // On Linux this is the thread's own value, whatever POSIX says.
    ::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), nice);
}

std::vector<int> threadsOfProcess() {
    std::vector<int> threads;
    const QDir tasks(QStringLiteral("/proc/self/task"));
    for (const QString &thread : tasks.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
        threads.push_back(thread.toInt());
    return threads;
}

void lowerPriority(const std::vector<int> &threads, int nice) {
    for (const int thread : threads) {
        ::setpriority(PRIO_PROCESS, static_cast<id_t>(thread), nice);
        ::syscall(SYS_ioprio_set, ioOfProcess, thread, ioClassIdle << ioClassShift);
    }
    // Where the kernel groups sessions, nice values count inside of one only. See sched(7).
    QFile group(QStringLiteral("/proc/self/autogroup"));
    if (::getsid(0) == ::getpid() && group.open(QIODevice::WriteOnly))
        group.write(QByteArray::number(nice));
}

}  // namespace hearth
