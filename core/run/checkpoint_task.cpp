#include "core/run/checkpoint_task.h"

namespace hearth {

CheckpointTask::~CheckpointTask() {
    if (m_thread)
        m_thread->wait();
}

void CheckpointTask::start(const std::function<void()> &work, const std::function<void()> &tell) {
    Q_ASSERT(!m_thread);
    m_thread.reset(QThread::create(work));
    connect(m_thread.get(), &QThread::finished, this, [this, tell] {
        m_over = true;
        tell();
    });
    m_thread->start();
}

void CheckpointTask::write(const CheckpointStore &store, quint64 version, qint64 round, const LayerStates &states) {
    const auto result = std::make_shared<std::optional<Result<CheckpointManifest>>>();
    const auto held = std::make_shared<LayerStates>(states);
    start(
        [store, version, round, held, result] {
            *result = store.write(version, round, *held);
            held->clear();  // the thread outlives its work
        },
        [this, result] {
            if (**result)
                Q_EMIT written(***result);
            else
                Q_EMIT failed((*result)->error());
        });
}

void CheckpointTask::readNewest(const CheckpointStore &store) {
    const auto result = std::make_shared<CheckpointSearch>();
    start([store, result] { *result = store.readNewest(); }, [this, result] { Q_EMIT searched(*result); });
}

}  // namespace hearth
