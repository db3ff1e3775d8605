// What a worker has on its compute thread, and the way there and back. Internal to core/train.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "core/train/compute_thread.h"
#include "core/train/frozen_store.h"
#include "core/train/mailbox.h"
#include "core/train/thread_choice.h"
#include "core/train/worker_stages.h"
#include "core/train/worker_states.h"

namespace hearth {

/// Lives on the compute thread.
struct WorkerCompute {
    explicit WorkerCompute(int mostThreads) : threads(mostThreads) {}
    std::unique_ptr<WorkerStages> stages;  // null without layers
    std::unique_ptr<WorkerStates> states;
    std::unique_ptr<FrozenStore> frozen;
    ThreadChoice threads;
    std::function<void(quint32, const std::vector<NamedTensor> &)> gradientObserver;
    quint64 serial = 0;  // of the deployment
    bool weightsReported = false;
    std::atomic<bool> inRound{false};  // any thread, as ...
    std::atomic<quint64> steps{0};     // ... this: what the stages have done so far, passes for the most part
};

/// The error of a call that no coordinator of this version makes.
Error badRequest(const Sentence &cause);

}  // namespace hearth
