#include "core/run/aside.h"

namespace hearth {

Aside::~Aside() {
    m_cancelled->store(true);
    if (m_thread)
        m_thread->wait();
}

void Aside::run(QObject *context, std::function<void()> work, std::function<void()> then) {
    Q_ASSERT(!m_thread);
    m_thread.reset(QThread::create(std::move(work)));
    QObject::connect(m_thread.get(), &QThread::finished, context, [this, then = std::move(then)] {
        m_over = true;
        then();
    });
    m_thread->start();
}

}  // namespace hearth
