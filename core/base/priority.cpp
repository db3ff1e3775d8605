#include "core/base/priority.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <QDir>
#include <cstdio>

namespace hearth {
namespace {

// ioprio_set(2): glibc declares neither the call nor its values.
constexpr int ioOfProcess = 1, ioClassIdle = 3, ioClassShift = 13;

/// Where the kernel groups sessions, nice values count inside of one only. See sched(7). Takes no memory: after a fork
/// another thread's lock on the heap stays locked.
void weighSession(int nice) {
    const int group = ::open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
    if (group < 0)
        return;
    char digits[16];
    const int length = std::snprintf(digits, sizeof digits, "%d", nice);
    (void)!::write(group, digits, static_cast<std::size_t>(length));
    ::close(group);
}

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
    if (::getsid(0) == ::getpid())
        weighSession(nice);
}

}  // namespace hearth
