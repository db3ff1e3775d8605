// How long the start of a worker may take, for each of those who wait for it.
#pragma once

#include <chrono>

namespace hearth {

/// Each waits longer than whoever it has asked: an error that says what went wrong comes before silence is one.
struct WorkerStart {
    /// Of the agent whose child it is: it loads LibTorch, from a cold disk on a slow device.
    static constexpr std::chrono::milliseconds onItsDevice{30'000};
    /// Of the run's agent for another device's.
    static constexpr std::chrono::milliseconds onAnother = onItsDevice + std::chrono::seconds(3);
    /// Of the run's coordinator.
    static constexpr std::chrono::milliseconds ofRun = onAnother + std::chrono::seconds(3);
};

}  // namespace hearth
