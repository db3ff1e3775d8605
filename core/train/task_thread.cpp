#include "core/train/task_thread.h"

namespace hearth {

TaskThread::TaskThread(std::size_t mostWaiting) : m_mostWaiting(mostWaiting), m_thread([this] { run(); }) {}

TaskThread::~TaskThread() {
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

void TaskThread::post(std::function<void()> task) {
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_tasks.size() < m_mostWaiting; });
        m_tasks.push_back(std::move(task));
    }
    m_changed.notify_all();
}

bool TaskThread::isIdle() const {
    const std::lock_guard lock(m_mutex);
    return m_tasks.empty() && !m_isRunning;
}

void TaskThread::finish() {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_tasks.empty() && !m_isRunning; });
}

void TaskThread::run() {
    for (std::function<void()> task;;) {
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, [this] { return m_stop || !m_tasks.empty(); });
            if (m_stop)
                return;
            task = std::move(m_tasks.front());
            m_tasks.pop_front();
            m_isRunning = true;
        }
        m_changed.notify_all();
        task();
        task = nullptr;  // frees what it held before anybody is told
        {
            const std::lock_guard lock(m_mutex);
            m_isRunning = false;
        }
        m_changed.notify_all();
    }
}

}  // namespace hearth
