// How long the steps of a run may take.
#pragma once

#include <chrono>

#include "core/home/worker_start.h"

namespace hearth {

/// How long each step may take; on expiry the run fails and says which device did not answer.
struct RunDeadlines {
    std::chrono::milliseconds workerStart = WorkerStart::ofRun;
    std::chrono::milliseconds connect{10'000};        // TCP and TLS over a busy Wi-Fi
    std::chrono::milliseconds hello{10'000};          // the first call answers from an idle loop
    std::chrono::milliseconds profileQuiet{120'000};  // between two progress notes: one layer at the largest batch
    std::chrono::milliseconds linkProbe{60'000};      // a connection, and a burst as long as a worker waits
    std::chrono::milliseconds deploy{120'000};        // without a byte of weights: build and initialise layers
    std::chrono::milliseconds redeploy{30'000};       // the same where training waits and states are there already
    std::chrono::milliseconds halt{30'000};           // the operation under way on the slowest device
    std::chrono::milliseconds fabric{60'000};         // one sum over a trusted fabric, waits included
    std::chrono::milliseconds roundQuiet{300'000};    // no report, no step and no byte of a transfer of any device
    std::chrono::milliseconds weights{300'000};       // without a byte of a stage's weights
    std::chrono::milliseconds slowRound{5'000};       // a round that is shorter is not worth a warning
    std::chrono::milliseconds exitReason{150};        // a closed channel waits for whoever knows why
    std::chrono::milliseconds diskSpace{2'000};       // between two attempts to save the weights on a full disk
    std::chrono::milliseconds returns{2'000};         // between two attempts to get a lost device back, at first
    double bestPart = 0.1;  // of the time since the last best weights: what collecting the next ones may take
};

}  // namespace hearth
