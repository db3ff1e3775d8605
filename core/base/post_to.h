// Work for the event loop of another thread.
#pragma once

#include <QMetaObject>
#include <QObject>
#include <utility>

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace hearth {

#if defined(__SANITIZE_THREAD__)
/// What Qt orders by locks and counters of its own: the work is made, then runs, then is destroyed by whichever of the
/// two threads lets go of it last. ThreadSanitizer sees nothing of them in a Qt that was built without it, so it is
/// told.
template <class Work>
class PostedWork {
  public:
    explicit PostedWork(Work work) : m_work(std::move(work)) { __tsan_release(this); }
    PostedWork(PostedWork &&other) noexcept : m_work(std::move(other.m_work)) { __tsan_release(this); }
    ~PostedWork() { __tsan_acquire(this); }

    void operator()() {
        __tsan_acquire(this);
        m_work();
        __tsan_release(this);
    }

  private:
    Work m_work;
};
#else
template <class Work>
using PostedWork = Work;
#endif

/// Runs `work` in the thread of `receiver`, in the order of posting, unless `receiver` ends before. Any thread, as long
/// as `receiver` lives. The work may be destroyed in either thread.
template <class Work>
void postTo(QObject *receiver, Work work) {
    QMetaObject::invokeMethod(receiver, PostedWork<Work>(std::move(work)), Qt::QueuedConnection);
}

/// Likewise, and waits until it is done. Any other thread than that of `receiver`, whose event loop must run.
template <class Work>
void runIn(QObject *receiver, Work work) {
    QMetaObject::invokeMethod(receiver, PostedWork<Work>(std::move(work)), Qt::BlockingQueuedConnection);
}

}  // namespace hearth
