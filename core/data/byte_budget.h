// Internal to core/data: so much memory for what many threads do at once, and no more.
#pragma once

#include <QtGlobal>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace hearth {

/// Any thread. A thread that holds some of it and takes more may wait for itself.
class ByteBudget {
  public:
    using Lease = std::shared_ptr<const void>;

    explicit ByteBudget(qint64 bytes) : m_all(bytes), m_free(bytes) {}
    /// Waits until so much is free; what is more than all waits for all of it. It is free again when the lease ends.
    /// This outlives it.
    Lease take(qint64 bytes);
    /// At this moment.
    qint64 free();

  private:
    const qint64 m_all;
    std::mutex m_mutex;
    std::condition_variable m_freed;
    qint64 m_free;
};

}  // namespace hearth
