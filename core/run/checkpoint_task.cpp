#include "core/run/checkpoint_task.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace hearth {
namespace {

/// Rests after each piece for a few times as long as it took, while nobody waits for the end.
BetweenPieces resting(const std::shared_ptr<const std::atomic<bool>> &hurry) {
    using Clock = std::chrono::steady_clock;
    static constexpr int restFactor = 4;
    static constexpr std::chrono::milliseconds longestRest{100};
    return [hurry, last = Clock::now()]() mutable {
        if (!*hurry)
            std::this_thread::sleep_for(std::min<Clock::duration>(restFactor * (Clock::now() - last), longestRest));
        last = Clock::now();
    };
}

}  // namespace

void CheckpointTask::write(const CheckpointStore &store, quint64 version, qint64 round, const LayerStates &states,
                           Manner manner) {
    m_task.start<CheckpointManifest>(
        this,
        [store, version, round, states, between = manner == Manner::AtOnce ? BetweenPieces() : resting(m_hurry)] {
            return store.write(version, round, states, between);
        },
        [this](const CheckpointManifest &manifest) { Q_EMIT written(manifest); },
        [this](const Error &error) { Q_EMIT failed(error); });
}

void CheckpointTask::readNewest(const CheckpointStore &store) {
    m_task.start<CheckpointSearch>(
        this, [store]() -> Result<CheckpointSearch> { return store.readNewest(); },
        [this](const CheckpointSearch &search) { Q_EMIT searched(search); }, [](const Error &) {});
}

}  // namespace hearth
