#include "core/run/files/spent_checkpoints.h"

#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QStringList>
#include <utility>

#include "core/run/files/event_file.h"
#include "core/run/files/run_folder.h"

namespace hearth {
namespace {

/// The list of runs looks at the size of one again when its events are newer.
void touchEvents(const QString &folder) {
    QFile events(eventsPath(folder));
    if (events.open(QIODevice::ReadWrite | QIODevice::ExistingOnly))
        events.setFileTime(QDateTime::currentDateTime(), QFileDevice::FileModificationTime);
}

}  // namespace

bool removeFiles(const QString &folder, const std::atomic<bool> &cancelled) {
    QStringList files;
    QDirIterator all(folder, QDir::Files | QDir::Hidden | QDir::System, QDirIterator::Subdirectories);
    while (all.hasNext())
        files << all.next();
    files.sort();  // version by version
    for (const QString &file : std::as_const(files)) {
        if (cancelled)
            return false;
        QFile::remove(file);
    }
    return QDir(folder).removeRecursively();
}

void SpentCheckpoints::remove(const QString &folder, const RunInfo &run) {
    const QFileInfo checkpoints(checkpointsPath(folder));
    if (isDone(run) && savedWeights(folder, RunWeights::Last) && checkpoints.isDir() && !checkpoints.isSymLink())
        removeFolder(checkpoints.filePath(), [folder] { touchEvents(folder); });
}

Result<void> SpentCheckpoints::drop(const QString &folder) {
    const QFileInfo checkpoints(checkpointsPath(folder));
    if (!checkpoints.isDir() || checkpoints.isSymLink())
        return {};
    if (const auto weights = savedWeights(folder, RunWeights::Last); !weights)
        return tl::unexpected(weights.error());
    if (!QDir().rename(checkpoints.filePath(), spentCheckpointsPath(folder))) {
        return fail(QStringLiteral("file.not-removed"),
                    sentence("The checkpoints in %1 could not be removed.").arg(folder), {},
                    sentence("Check who owns the folder."));
    }
    removeRest(folder);
    return {};
}

void SpentCheckpoints::removeRest(const QString &folder) {
    const QFileInfo spent(spentCheckpointsPath(folder));
    if (spent.isDir() && !spent.isSymLink())
        removeFolder(spent.filePath(), [folder] { touchEvents(folder); });
}

void SpentCheckpoints::removeFolder(const QString &folder, std::function<void()> removed) {
    m_removals.push_back({folder, std::move(removed)});
    if (m_removals.size() == 1)
        removeNext();
}

void SpentCheckpoints::removeNext() {
    m_removing = std::make_unique<BackgroundTask>();
    m_removing->start<bool>(
        &m_context,
        [folder = m_removals.front().folder, cancelled = m_removing->cancelled()]() -> Result<bool> {
            return removeFiles(folder, *cancelled);
        },
        [this](const bool &) {
            const std::function<void()> removed = std::move(m_removals.front().removed);
            m_removals.pop_front();
            if (!m_removals.empty())
                removeNext();
            removed();
        },
        [](const Error &) {});
}

}  // namespace hearth
