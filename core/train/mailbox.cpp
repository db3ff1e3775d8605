#include "core/train/mailbox.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

namespace hearth {

Mailbox::Mailbox()
    : m_descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), m_notifier(m_descriptor, QSocketNotifier::Read) {
    if (m_descriptor < 0)
        qFatal("no event descriptor is left");
    QObject::connect(&m_notifier, &QSocketNotifier::activated, &m_notifier, [this] { drain(); });
}

Mailbox::~Mailbox() {
    m_notifier.setEnabled(false);
    ::close(m_descriptor);
}

void Mailbox::post(std::function<void()> task) {
    bool wake = false;
    {
        const std::lock_guard lock(m_mutex);
        wake = m_tasks.empty();
        m_tasks.push_back(std::move(task));
    }
    const std::uint64_t one = 1;
    // Cannot fail: the counter is read before it could overflow.
    if (wake)
        (void)!::write(m_descriptor, &one, sizeof one);
}

void Mailbox::drain() {
    std::uint64_t count = 0;
    (void)!::read(m_descriptor, &count, sizeof count);
    std::deque<std::function<void()>> tasks;
    {
        const std::lock_guard lock(m_mutex);
        tasks.swap(m_tasks);
    }
    for (auto &task : tasks) {
        task();
        task = nullptr;
    }
}

}  // namespace hearth
