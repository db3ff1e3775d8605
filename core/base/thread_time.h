// Processor time, for what must not depend on what else a machine does.
#pragma once

#include <chrono>
#include <ctime>

namespace hearth {

/// What this thread has taken of a processor.
inline std::chrono::nanoseconds threadTime() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace hearth
