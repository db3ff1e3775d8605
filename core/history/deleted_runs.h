// Runs that a person deleted: moved aside, which is done at once and can be undone, and removed for good later.
#pragma once

#include <QStringList>
#include <atomic>

#include "core/base/error.h"

namespace hearth {

/// Plain value.
struct DeletedRun {
    QString id;
    QString folder;    // where it was, absolute
    QString place;     // where it lies: in "deleted-runs", beside "runs"
    qint64 bytes = 0;  // of all its files
};

/// Moves a run's folder by renaming it. The caller knows that nobody works on the run. Error "run.not-deleted": it is
/// where it was. Any thread; looks at all files of the run.
Result<DeletedRun> deleteRun(const QString &folder);
/// Moves it back. Error "run.not-restored": it lies where it lay, if it is there still. Any thread.
Result<void> restoreRun(const DeletedRun &run);
/// The folders of all that were deleted beside this folder of runs (".../runs"), absolute. Any thread.
QStringList deletedBeside(const QString &runsFolder);
/// Removes such folders with all that is in them, and ends between two of them once `cancelled`. Error
/// "run.not-removed": the first that was in the way; the others are gone. Any thread; blocks.
Result<void> removeForGood(const QStringList &places, const std::atomic<bool> &cancelled);

}  // namespace hearth
