// Large buffers that are used again, so that what a worker keeps of every few rounds costs no new memory.
#pragma once

#include <deque>
#include <memory>
#include <mutex>

#include "core/base/buffer.h"

namespace hearth {

/// What take() gives comes back by itself when the last holder lets go, in whichever thread. Any thread.
class BufferPool : public std::enable_shared_from_this<BufferPool> {
  public:
    static std::shared_ptr<BufferPool> make() { return std::shared_ptr<BufferPool>(new BufferPool); }

    /// Uninitialised. Throws std::bad_alloc.
    std::shared_ptr<Buffer> take(qsizetype bytes);
    /// Bytes that may lie here unused; beyond them, what has lain longest is freed. What lies here now is freed at
    /// once: another capacity comes with other sizes.
    void setCapacity(qint64 bytes);
    /// Lying here unused.
    qint64 idleBytes() const;

  private:
    BufferPool() = default;
    void giveBack(std::shared_ptr<Buffer> buffer);
    void trim();

    mutable std::mutex m_mutex;
    std::deque<std::shared_ptr<Buffer>> m_idle;  // the oldest first
    qint64 m_idleBytes = 0;
    qint64 m_capacity = 0;
};

}  // namespace hearth
