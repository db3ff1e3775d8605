// The one thread of a worker that computes, and how others hand it work.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace hearth {

/// Runs posted tasks in order; while there are none, it runs the background work until that has nothing to do. Posting
/// is cheap (one lock, no allocation of tensors) and allowed from any thread.
class ComputeThread {
  public:
    /// `threads` is what LibTorch and the BLAS may use for one operation.
    explicit ComputeThread(int threads);
    /// Tasks already posted still run; background work does not.
    ~ComputeThread();
    ComputeThread(const ComputeThread &) = delete;
    ComputeThread &operator=(const ComputeThread &) = delete;

    void post(std::function<void()> task);
    /// Only from a task. `work` returns whether it did something; after false it is asked again after the next task.
    void setBackgroundWork(std::function<bool()> work) { m_work = std::move(work); }

  private:
    void run(int threads);

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<std::function<void()>> m_tasks;
    bool m_stop = false;
    std::function<bool()> m_work;  // compute thread only
    std::thread m_thread;          // last: starts when everything else exists
};

}  // namespace hearth
