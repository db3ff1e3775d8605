#include "core/train/buffer_pool.h"

#include <algorithm>

namespace hearth {

std::shared_ptr<Buffer> BufferPool::take(qsizetype bytes) {
    std::shared_ptr<Buffer> memory;
    {
        const std::lock_guard lock(m_mutex);
        const auto idle = std::ranges::find_if(m_idle, [bytes](const auto &buffer) { return buffer->size() == bytes; });
        if (idle != m_idle.end()) {
            memory = std::move(*idle);
            m_idle.erase(idle);
            m_idleBytes -= bytes;
        }
    }
    if (!memory)
        memory = Buffer::allocate(bytes);
    Buffer *raw = memory.get();
    return {raw, [pool = weak_from_this(), memory = std::move(memory)](Buffer *) mutable {
                if (const auto alive = pool.lock())
                    alive->giveBack(std::move(memory));
            }};
}

void BufferPool::giveBack(std::shared_ptr<Buffer> buffer) {
    const std::lock_guard lock(m_mutex);
    m_idleBytes += buffer->size();
    m_idle.push_back(std::move(buffer));
    trim();
}

void BufferPool::trim() {
    while (m_idleBytes > m_capacity) {
        m_idleBytes -= m_idle.front()->size();
        m_idle.pop_front();
    }
}

void BufferPool::setCapacity(qint64 bytes) {
    const std::lock_guard lock(m_mutex);
    m_capacity = bytes;
    m_idle.clear();
    m_idleBytes = 0;
}

qint64 BufferPool::idleBytes() const {
    const std::lock_guard lock(m_mutex);
    return m_idleBytes;
}

}  // namespace hearth
