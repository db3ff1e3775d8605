// Files of runs that nobody needs any more.
#pragma once

#include <QObject>
#include <QString>
#include <atomic>
#include <deque>
#include <functional>
#include <memory>

#include "core/base/background_task.h"
#include "core/base/error.h"
#include "core/run/files/run_info.h"

namespace hearth {

/// Removes one folder after the other, beside the event loop: files of gigabytes take a disk a while. When this is
/// destroyed it stops after the file under way; what is left of checkpoints goes another time. One thread.
class SpentCheckpoints {
  public:
    /// Those of a run that has done all its rounds, where its last weights are in its folder; those of any other run
    /// stay.
    void remove(const QString &folder, const RunInfo &run);
    /// Those of any run that has ended: from here on it cannot go on. Errors: that of savedWeights() where its last
    /// weights are not in its folder; "file.not-removed". Nothing where it has no checkpoints.
    Result<void> drop(const QString &folder);
    /// What an earlier drop() has left.
    void removeRest(const QString &folder);
    /// All that is in it; `removed` is called afterwards, and not when this was destroyed before.
    void removeFolder(const QString &folder, std::function<void()> removed);

  private:
    struct Removal {
        QString folder;
        std::function<void()> removed;
    };
    void removeNext();

    std::deque<Removal> m_removals;  // the first one is under way
    QObject m_context;
    std::unique_ptr<BackgroundTask> m_removing;
};

/// One file after the other. False: some are left, as it was cancelled or they cannot be removed. Any thread.
bool removeFiles(const QString &folder, const std::atomic<bool> &cancelled);

}  // namespace hearth
