#include "core/train/fabric_backend.h"

namespace hearth {

void Rendezvous::publish(const Entry &entry) {
    {
        const std::lock_guard lock(m_mutex);
        m_values[entry.key] = entry.value;
        m_published.push_back(entry);
    }
    m_changed.notify_all();
    m_wake();
}

std::vector<Rendezvous::Entry> Rendezvous::takePublished() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_published, {});
}

Result<void> Rendezvous::learn(const Entry &entry) {
    {
        const std::lock_guard lock(m_mutex);
        if (entry.key.isEmpty() || entry.key.size() > keyBytes || entry.value.size() > valueBytes ||
            static_cast<qsizetype>(m_values.size()) >= entries) {
            return fail(QStringLiteral("worker.bad-frame"),
                        sentence("A member's address for the trusted fabric is out of bounds."),
                        sentence("A key of %1 bytes, a value of %2.").arg(entry.key.size()).arg(entry.value.size()));
        }
        m_values[entry.key] = entry.value;
    }
    m_changed.notify_all();
    return {};
}

bool Rendezvous::has(const QByteArray &key) const {
    const std::lock_guard lock(m_mutex);
    return m_values.contains(key);
}

Result<QByteArray> Rendezvous::get(const QByteArray &key, std::chrono::milliseconds deadline) const {
    std::unique_lock lock(m_mutex);
    m_changed.wait_for(lock, deadline, [&] { return m_closed || m_values.contains(key); });
    if (const auto found = m_values.find(key); found != m_values.end())
        return found->second;
    if (m_closed)
        return fail(QStringLiteral("fabric.closed"), sentence("The trusted fabric was given up."), QString());
    return fail(QStringLiteral("fabric.timeout"), sentence("A member of the group did not say where it is."),
                sentence("Nothing came for %1 ms.").arg(deadline.count()), fabricAdvice());
}

qsizetype Rendezvous::size() const {
    const std::lock_guard lock(m_mutex);
    return static_cast<qsizetype>(m_values.size());
}

void Rendezvous::close() {
    {
        const std::lock_guard lock(m_mutex);
        m_closed = true;
    }
    m_changed.notify_all();
}

}  // namespace hearth
