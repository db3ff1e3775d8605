#include "core/data/byte_budget.h"

#include <algorithm>

namespace hearth {

ByteBudget::Lease ByteBudget::take(qint64 bytes) {
    const qint64 share = std::clamp<qint64>(bytes, 0, m_all);
    std::unique_lock lock(m_mutex);
    m_freed.wait(lock, [&] { return m_free >= share; });
    m_free -= share;
    return Lease(nullptr, [this, share](const void *) {
        {
            const std::lock_guard guard(m_mutex);
            m_free += share;
        }
        m_freed.notify_all();
    });
}

qint64 ByteBudget::free() {
    const std::lock_guard lock(m_mutex);
    return m_free;
}

}  // namespace hearth
