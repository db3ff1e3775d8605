// The checkpoints of a run: one reading or writing after the other, beside everything else.
#pragma once

#include <QObject>
#include <functional>

#include "core/run/checkpoint_task.h"
#include "core/run/operation.h"
#include "core/run/run_log.h"

namespace hearth {

/// Knows the newest version that the disk gives back. Whoever waits for the folder is called once it is free, and what
/// is written meanwhile is hurried. Failures cost a warning: training does not depend on the disk. The coordinator's
/// thread; `log` outlives it.
class CheckpointFolder : public QObject {
    Q_OBJECT
  public:
    using Then = std::function<void()>;
    using Found = std::function<void(const LayerStates &)>;

    CheckpointFolder(CheckpointStore store, RunLog &log, QObject *parent = nullptr);

    /// 0: the initial weights.
    quint64 version() const { return m_version; }
    /// Takes the newest folder's word for it, without reading.
    void lookUp();
    /// What is written from now on was computed under `term`. Checkpoints of a course that was given up by `origins`
    /// are no longer of the run, also one that is being written.
    void setCourse(quint32 term, const TermOrigins &origins);
    bool isWriting() const { return m_writing != nullptr; }
    /// `then` follows, also after a failure; without it, rounds come first.
    void write(quint64 version, const LayerStates &states, const Then &then = {});
    /// The newest whole one, of version(), or none of version 0. What is being read already serves whoever asks last.
    void read(const Found &found);
    /// Nobody waits any more; what is under way comes to its end.
    void forgetWaiting();
    void stop();

  Q_SIGNALS:
    /// A whole checkpoint is on the disk.
    void written();

  private:
    void whenFree(Then then);
    void callNext();

    CheckpointStore m_store;
    RunLog &m_log;
    quint64 m_version = 0;
    Operation<CheckpointTask> m_writing, m_reading;
    Then m_next;
    Found m_found;
};

}  // namespace hearth
