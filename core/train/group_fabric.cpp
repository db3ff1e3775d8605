#include "core/train/group_fabric.h"

#include <thread>

namespace hearth {
namespace {

using Clock = std::chrono::steady_clock;

/// A backend that is well ends at once; one that hangs must not hold the worker.
constexpr std::chrono::milliseconds farewell{2000};

}  // namespace

/// Shared by the owner and two threads: the runner, which may block inside the backend, and the watch, which answers in
/// its place when it does not come back.
struct GroupFabric::State {
    State(std::unique_ptr<FabricBackend> theBackend, FabricPlace thePlace, std::function<void()> theWake)
        : backend(std::move(theBackend)),
          place(std::move(thePlace)),
          wake(std::move(theWake)),
          rendezvous(std::make_shared<Rendezvous>([this] { tell(); })) {}

    void run();
    void watch();
    void tell();
    Result<void> call(std::chrono::milliseconds limit, const std::function<Result<void>()> &body);
    void dropTask();
    void settle(const Result<void> &result);

    std::unique_ptr<FabricBackend> backend;  // the runner's alone
    const FabricPlace place;
    std::mutex wakeMutex;
    std::function<void()> wake;  // under wakeMutex; empty once the owner is gone
    std::shared_ptr<Rendezvous> rendezvous;

    std::mutex mutex;
    std::condition_variable changed;
    std::function<Result<void>()> task;
    std::shared_ptr<void> owner;             // of what the task touches
    bool awaited = false;                    // the owner waits for an outcome
    std::optional<Result<void>> outcome;     // not taken yet
    std::optional<Error> failed;             // for good
    std::optional<Clock::time_point> until;  // the runner is inside the backend
    bool ending = false;
    bool runnerEnded = false;
};

void GroupFabric::State::tell() {
    const std::lock_guard lock(wakeMutex);
    if (wake)
        wake();
}

/// One that the runner has not begun. Under the mutex, as settle().
void GroupFabric::State::dropTask() {
    task = {};
    owner.reset();
}

void GroupFabric::State::settle(const Result<void> &result) {
    if (!result && !failed)
        failed = result.error();
    if (failed)
        dropTask();
    if (!awaited)
        return;
    awaited = false;
    outcome = failed ? Result<void>(tl::unexpected(*failed)) : result;
}

Result<void> GroupFabric::State::call(std::chrono::milliseconds limit, const std::function<Result<void>()> &body) {
    {
        const std::lock_guard lock(mutex);
        until = Clock::now() + limit;
    }
    changed.notify_all();
    Result<void> result = body();
    {
        const std::lock_guard lock(mutex);
        until.reset();
        if (failed)
            result = tl::unexpected(*failed);  // too late
    }
    changed.notify_all();
    return result;
}

void GroupFabric::State::run() {
    Result<void> result = call(place.connectDeadline, [this] { return backend->connect(place, rendezvous); });
    for (;;) {
        std::function<Result<void>()> next;
        std::shared_ptr<void> held;
        {
            std::unique_lock lock(mutex);
            if (!result)
                settle(result);
            changed.wait(lock, [this] { return ending || failed || task; });
            if (ending || failed)
                break;
            next = std::exchange(task, {});
            held = std::exchange(owner, {});
        }
        result = call(place.sumDeadline, next);
        held.reset();
        {
            const std::lock_guard lock(mutex);
            settle(result);
        }
        tell();
    }
    tell();
    backend.reset();  // closes its sockets: the other members' calls end with it
    {
        const std::lock_guard lock(mutex);
        runnerEnded = true;
    }
    changed.notify_all();
}

void GroupFabric::State::watch() {
    std::unique_lock lock(mutex);
    while (!runnerEnded && !failed) {
        if (!until) {
            changed.wait(lock);
            continue;
        }
        const Clock::time_point limit = *until;
        if (Clock::now() < limit) {
            changed.wait_until(lock, limit);
            continue;
        }
        settle(fail(QStringLiteral("fabric.timeout"), sentence("The trusted fabric did not answer in time."),
                    sentence("A member of the group is frozen, or cannot be reached on the fabric's ports."),
                    fabricAdvice()));
        lock.unlock();
        rendezvous->close();
        tell();
        return;
    }
}

GroupFabric::GroupFabric(std::unique_ptr<FabricBackend> backend, FabricPlace place, std::function<void()> wake)
    : m_state(std::make_shared<State>(std::move(backend), std::move(place), std::move(wake))) {
    // Detached: nobody can end a call into a library that hangs. What they use they share.
    std::thread([state = m_state] { state->run(); }).detach();
    std::thread([state = m_state] { state->watch(); }).detach();
}

GroupFabric::~GroupFabric() {
    {
        const std::lock_guard lock(m_state->wakeMutex);
        m_state->wake = {};
    }
    abandon();
    std::unique_lock lock(m_state->mutex);
    m_state->changed.wait_for(lock, farewell, [this] { return m_state->runnerEnded; });
}

Rendezvous &GroupFabric::rendezvous() {
    return *m_state->rendezvous;
}

void GroupFabric::sum(std::byte *values, qint64 elements, DType dtype, std::shared_ptr<void> owner) {
    {
        const std::lock_guard lock(m_state->mutex);
        m_state->awaited = true;
        if (m_state->failed) {
            m_state->settle(tl::unexpected(*m_state->failed));
            return;
        }
        m_state->owner = std::move(owner);
        m_state->task = [state = m_state.get(), values, elements, dtype] {
            return state->backend->allReduce(values, elements, dtype);
        };
    }
    m_state->changed.notify_all();
}

std::optional<Result<void>> GroupFabric::takeOutcome() {
    const std::lock_guard lock(m_state->mutex);
    return std::exchange(m_state->outcome, {});
}

void GroupFabric::abandon() {
    {
        const std::lock_guard lock(m_state->mutex);
        m_state->ending = true;
        m_state->awaited = false;
        m_state->outcome.reset();
        m_state->dropTask();
    }
    m_state->changed.notify_all();
    m_state->rendezvous->close();
}

}  // namespace hearth
