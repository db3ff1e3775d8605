#include "core/data/thread_team.h"

namespace hearth {

ThreadTeam::ThreadTeam(int size) {
    for (int i = 1; i < size; ++i)
        m_others.emplace_back([this] { serve(); });
}

ThreadTeam::~ThreadTeam() {
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_begun.notify_all();
    for (std::thread &other : m_others)
        other.join();
}

void ThreadTeam::runInAll(const std::function<void()> &work) {
    {
        const std::lock_guard lock(m_mutex);
        m_work = &work;
        m_active = m_others.size();
        ++m_turn;
    }
    m_begun.notify_all();
    work();
    std::unique_lock lock(m_mutex);
    m_done.wait(lock, [this] { return m_active == 0; });
}

void ThreadTeam::serve() {
    quint64 served = 0;
    for (;;) {
        std::unique_lock lock(m_mutex);
        m_begun.wait(lock, [&] { return m_stop || m_turn != served; });
        if (m_stop)
            return;
        served = m_turn;
        const auto *work = m_work;
        lock.unlock();
        (*work)();
        lock.lock();
        if (--m_active == 0)
            m_done.notify_one();
    }
}

}  // namespace hearth
