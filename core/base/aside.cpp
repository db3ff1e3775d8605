#include "core/base/aside.h"

namespace hearth {

Aside::~Aside() {
    m_cancelled->store(true);
    if (m_thread)
        m_thread->wait();
}

void Aside::run(QObject *context, std::function<void()> work, std::function<void()> then, QThread::Priority priority) {
    Q_ASSERT(!m_thread);
    m_thread.reset(QThread::create(std::move(work)));
    // The end may still be on its way to `context` when this is gone: only the flag outlives it.
    QObject::connect(m_thread.get(), &QThread::finished, context, [this, then = std::move(then), gone = m_cancelled] {
        if (*gone)
            return;
        m_over = true;
        then();
    });
    m_thread->start(priority);
}

}  // namespace hearth
