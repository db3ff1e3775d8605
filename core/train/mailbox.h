// How other threads run something in this object's thread, in order.
#pragma once

#include <QObject>
#include <QSocketNotifier>
#include <deque>
#include <functional>
#include <mutex>

namespace hearth {

/// One wake-up serves everything that was posted since the thread last looked. Tasks are destroyed where they ran;
/// those that are left when the mailbox ends never run. Made in the thread that is to run them.
class Mailbox {
  public:
    Mailbox();
    ~Mailbox();
    Mailbox(const Mailbox &) = delete;
    Mailbox &operator=(const Mailbox &) = delete;

    /// Any thread, as long as the mailbox lives.
    void post(std::function<void()> task);

  private:
    void drain();

    // An event descriptor rather than posted events: no allocation per wake-up, and ThreadSanitizer sees the order.
    int m_descriptor;
    QSocketNotifier m_notifier;
    std::mutex m_mutex;
    std::deque<std::function<void()>> m_tasks;
};

}  // namespace hearth
