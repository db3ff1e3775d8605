// Internal to core/data: threads that do one thing together, again and again.
#pragma once

#include <QtGlobal>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace hearth {

/// `size` threads, the caller's among them: a team of one has no other. One caller at a time.
class ThreadTeam {
  public:
    explicit ThreadTeam(int size);
    ~ThreadTeam();
    ThreadTeam(const ThreadTeam &) = delete;
    ThreadTeam &operator=(const ThreadTeam &) = delete;

    /// Calls `work` once in each thread; returns when all have.
    void runInAll(const std::function<void()> &work);

  private:
    void serve();

    std::mutex m_mutex;
    std::condition_variable m_begun, m_done;
    const std::function<void()> *m_work = nullptr;
    quint64 m_turn = 0;        // counts calls
    std::size_t m_active = 0;  // others that have not returned from this one
    bool m_stop = false;
    std::vector<std::thread> m_others;
};

}  // namespace hearth
