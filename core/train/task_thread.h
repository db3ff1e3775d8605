// A thread that runs what it is given, one after the other.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <limits>
#include <mutex>
#include <thread>

namespace hearth {

/// What tasks wrote may be read once isIdle() or after finish(). All members belong to one other thread.
class TaskThread {
  public:
    static constexpr std::size_t noLimit = std::numeric_limits<std::size_t>::max();
    /// post() waits while `mostWaiting` tasks do.
    explicit TaskThread(std::size_t mostWaiting = noLimit);
    /// Tasks that have not begun never run.
    ~TaskThread();
    TaskThread(const TaskThread &) = delete;
    TaskThread &operator=(const TaskThread &) = delete;

    /// It throws nothing.
    void post(std::function<void()> task);
    bool isIdle() const;
    /// Waits until isIdle().
    void finish();

  private:
    void run();

    const std::size_t m_mostWaiting;
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<std::function<void()>> m_tasks;
    bool m_isRunning = false;  // one of them
    bool m_stop = false;
    std::thread m_thread;  // last: it uses the others
};

}  // namespace hearth
