#include "core/history/deleted_runs.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <cerrno>
#include <cstdio>

#include "core/base/files.h"
#include "core/base/sentence.h"
#include "core/base/system_reason.h"
#include "core/run/files/run_folder.h"

namespace hearth {
namespace {

/// Beside the folder of all runs, so that a run gets there without being copied.
QString deletedRunsFolder(const QString &runsFolder) {
    return QFileInfo(QDir(runsFolder).absolutePath()).absolutePath() + QStringLiteral("/deleted-runs");
}

/// The same run may have been deleted before, and have come back from somewhere else.
QString freePlace(const QString &folder, const QString &id) {
    const QString first = folder + QLatin1Char('/') + id;
    QString place = first;
    for (int number = 2; QFileInfo::exists(place); ++number)
        place = QStringLiteral("%1-%2").arg(first).arg(number);
    return place;
}

/// 0, or the number of the error.
int moveFolder(const QString &from, const QString &to) {
    return ::rename(QFile::encodeName(from).constData(), QFile::encodeName(to).constData()) == 0 ? 0 : errno;
}

}  // namespace

Result<DeletedRun> deleteRun(const QString &folder) {
    const QFileInfo info(folder);
    const auto notDeleted = [&info](const Sentence &cause) {
        return fail(QStringLiteral("run.not-deleted"),
                    sentence("The run %1 could not be deleted.").arg(info.fileName()), cause,
                    sentence("It is as it was. Check that its folder %1, and what that lies in, may be written.")
                        .arg(info.filePath()));
    };
    const QString deleted = deletedRunsFolder(info.absolutePath());
    if (auto made = makePrivateFolder(deleted); !made)
        return notDeleted(Sentence::joined({made.error().what, made.error().cause}));
    const DeletedRun run{info.fileName(), info.absoluteFilePath(), freePlace(deleted, info.fileName()),
                         bytesOfRun(folder)};
    if (const int code = moveFolder(run.folder, run.place); code != 0)
        return notDeleted(systemReason(code));
    return run;
}

Result<void> restoreRun(const DeletedRun &run) {
    const auto notRestored = [&run](const Sentence &cause, const Sentence &advice) {
        return fail(QStringLiteral("run.not-restored"), sentence("The run %1 could not be brought back.").arg(run.id),
                    cause, advice);
    };
    if (!QFileInfo::exists(run.place))
        return notRestored(sentence("It was removed for good meanwhile."), {});
    if (const int code = moveFolder(run.place, run.folder); code != 0) {
        return notRestored(systemReason(code),
                           sentence("Until Hearth is started again it lies in %1; move it to %2 yourself.")
                               .arg(run.place, run.folder));
    }
    return {};
}

QStringList deletedBeside(const QString &runsFolder) {
    const QDir deleted(deletedRunsFolder(runsFolder));
    QStringList places;
    for (const QString &name :
         deleted.entryList(QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot | QDir::NoSymLinks, QDir::Name))
        places << deleted.filePath(name);
    return places;
}

Result<void> removeForGood(const QStringList &places, const std::atomic<bool> &cancelled) {
    Result<void> outcome;
    for (const QString &place : places) {
        if (cancelled)
            break;
        if (!QDir(place).removeRecursively() && outcome) {
            outcome = fail(QStringLiteral("run.not-removed"),
                           sentence("A deleted run in %1 could not be removed from the disk.").arg(place), {},
                           sentence("Check who owns what is in it, or remove it yourself."));
        }
    }
    return outcome;
}

}  // namespace hearth
