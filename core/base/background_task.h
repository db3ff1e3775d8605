// Work beside an event loop: in a thread of its own, on copies.
#pragma once

#include <QObject>
#include <QThread>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>

#include "core/base/error.h"

namespace hearth {

/// One use. Lives in the caller's thread; when it is destroyed the work is told to give up, and waited for, and nothing
/// is called any more. `done` and `failed` may destroy it, and are called also when somebody gave up before.
class BackgroundTask {
  public:
    BackgroundTask() = default;
    BackgroundTask(const BackgroundTask &) = delete;
    BackgroundTask &operator=(const BackgroundTask &) = delete;
    ~BackgroundTask();

    /// `work` runs in the thread and is destroyed there with all that it holds; then `done` or `failed` is called in
    /// this one, not after `context` died.
    template <class T>
    void start(QObject *context, std::function<Result<T>()> work, std::function<void(const T &)> done,
               std::function<void(const Error &)> failed, QThread::Priority priority = QThread::InheritPriority) {
        const auto result = std::make_shared<std::optional<Result<T>>>();
        run(
            context, [work = std::move(work), result] { *result = work(); },
            [result, done = std::move(done), failed = std::move(failed)] {
                if (**result)
                    done(***result);
                else
                    failed((*result)->error());
            },
            priority);
    }
    bool isRunning() const { return m_thread && !m_over; }
    /// Tells the work to end soon, and does not wait.
    void giveUp() { m_cancelled->store(true); }
    /// For the work to look at now and then.
    std::shared_ptr<const std::atomic<bool>> cancelled() const { return m_cancelled; }

  private:
    void run(QObject *context, std::function<void()> work, std::function<void()> then, QThread::Priority priority);

    std::unique_ptr<QThread> m_thread;
    std::shared_ptr<std::atomic<bool>> m_cancelled = std::make_shared<std::atomic<bool>>(false);
    std::shared_ptr<bool> m_gone = std::make_shared<bool>(false);  // whether this is
    bool m_over = false;
};

}  // namespace hearth
