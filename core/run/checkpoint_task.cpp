#include "core/run/checkpoint_task.h"

namespace hearth {

void CheckpointTask::write(const CheckpointStore &store, quint64 version, qint64 round, const LayerStates &states) {
    m_aside.start<CheckpointManifest>(
        this, [store, version, round, states] { return store.write(version, round, states); },
        [this](const CheckpointManifest &manifest) { Q_EMIT written(manifest); },
        [this](const Error &error) { Q_EMIT failed(error); });
}

void CheckpointTask::readNewest(const CheckpointStore &store) {
    m_aside.start<CheckpointSearch>(
        this, [store]() -> Result<CheckpointSearch> { return store.readNewest(); },
        [this](const CheckpointSearch &search) { Q_EMIT searched(search); }, [](const Error &) {});
}

}  // namespace hearth
