// Checkpoints that nothing goes on from any more.
#pragma once

#include <QObject>
#include <QStringList>
#include <memory>

#include "core/base/background_task.h"
#include "core/run/files/run_info.h"

namespace hearth {

/// Removes those of one run after the other, beside the event loop: files of gigabytes take a disk a while. When
/// this is destroyed it stops after the file under way; what is left goes another time. One thread.
class SpentCheckpoints {
  public:
    /// Of a run that has done all its rounds, where its last weights are in its folder; those of any other run stay.
    void remove(const QString &folder, const RunInfo &run);

  private:
    void removeNext();

    QStringList m_folders;  // of runs; the first one's are being removed
    QObject m_context;
    std::unique_ptr<BackgroundTask> m_removing;
};

}  // namespace hearth
