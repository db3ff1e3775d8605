#include "core/train/compute_thread.h"

#include "core/train/threads.h"

namespace hearth {

ComputeThread::ComputeThread(int threads) : m_thread([this, threads] { run(threads); }) {}

ComputeThread::~ComputeThread() {
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_wake.notify_one();
    m_thread.join();
}

void ComputeThread::post(std::function<void()> task) {
    {
        const std::lock_guard lock(m_mutex);
        m_tasks.push_back(std::move(task));
    }
    m_wake.notify_one();
}

void ComputeThread::run(int threads) {
    prepareComputeThread(threads);
    std::deque<std::function<void()>> tasks;
    bool worked = true;
    for (;;) {
        {
            std::unique_lock lock(m_mutex);
            if (!worked)
                m_wake.wait(lock, [this] { return m_stop || !m_tasks.empty(); });
            if (m_stop && m_tasks.empty())
                break;
            tasks.swap(m_tasks);
        }
        for (auto &task : tasks) {
            task();
            task = nullptr;  // frees what it held here, on this thread
        }
        tasks.clear();
        worked = m_work && m_work();
    }
    m_work = nullptr;
}

}  // namespace hearth
