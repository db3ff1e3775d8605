// Checkpoints written and read beside everything else: hundreds of megabytes must stop no event loop.
#pragma once

#include <QObject>

#include "core/base/background_task.h"
#include "core/run/checkpoint_store.h"

namespace hearth {

/// One writing or reading in a thread of its own; one use. Lives in the caller's thread, where its signals come. Ends
/// what it began when destroyed, in a hurry, which blocks until then: half a checkpoint is never of use.
class CheckpointTask : public QObject {
    Q_OBJECT
  public:
    explicit CheckpointTask(QObject *parent = nullptr) : QObject(parent) {}
    ~CheckpointTask() override { hurry(); }

    /// How the processor is shared with rounds, which take it in small portions on a small device.
    enum class Manner { AtOnce, BesideRounds };
    /// CheckpointStore::write(); ends in written() or failed().
    void write(const CheckpointStore &store, quint64 version, qint64 round, const LayerStates &states, Manner manner);
    /// CheckpointStore::readNewest(); ends in searched().
    void readNewest(const CheckpointStore &store);
    /// Somebody waits for the end: rounds come second from now on.
    void hurry() { m_hurry->store(true); }
    bool isRunning() const { return m_task.isRunning(); }

  Q_SIGNALS:
    void written(const hearth::CheckpointManifest &manifest);
    void failed(const hearth::Error &error);
    void searched(const hearth::CheckpointSearch &search);

  private:
    std::shared_ptr<std::atomic<bool>> m_hurry = std::make_shared<std::atomic<bool>>(false);
    BackgroundTask m_task;
};

}  // namespace hearth
