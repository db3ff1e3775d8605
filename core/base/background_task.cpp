#include "core/base/background_task.h"

namespace hearth {

BackgroundTask::~BackgroundTask() {
    giveUp();
    *m_gone = true;
    if (m_thread)
        m_thread->wait();
}

void BackgroundTask::run(QObject *context, std::function<void()> work, std::function<void()> then,
                         QThread::Priority priority) {
    Q_ASSERT(!m_thread);
    const auto worked = std::make_shared<std::atomic<bool>>(false);
    m_thread.reset(QThread::create([work = std::move(work), worked]() mutable {
        work();
        work = nullptr;
        *worked = true;
    }));
    // The end may still be on its way to `context` when this is gone: only the flags outlive it.
    QObject::connect(m_thread.get(), &QThread::finished, context,
                     [this, worked, then = std::move(then), gone = m_gone] {
                         // What the work has written comes before this in an order that ThreadSanitizer knows, too; it
                         // sees nothing of Qt's own.
                         if (*gone || !*worked)
                             return;
                         m_over = true;
                         then();
                     });
    m_thread->start(priority);
}

}  // namespace hearth
