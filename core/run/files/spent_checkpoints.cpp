#include "core/run/files/spent_checkpoints.h"

#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <atomic>
#include <utility>

#include "core/run/files/event_file.h"
#include "core/run/files/run_folder.h"

namespace hearth {
namespace {

/// One file after the other: each may have gigabytes. False: some are left.
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

/// False: some are left, and the agent tries again when it starts.
bool removeCheckpoints(const QString &folder, const std::atomic<bool> &cancelled) {
    const bool areGone = removeFiles(checkpointsPath(folder), cancelled);
    // The list of runs looks at the size of one again when its events are newer.
    QFile events(eventsPath(folder));
    if (events.open(QIODevice::ReadWrite | QIODevice::ExistingOnly))
        events.setFileTime(QDateTime::currentDateTime(), QFileDevice::FileModificationTime);
    return areGone;
}

}  // namespace

void SpentCheckpoints::remove(const QString &folder, const RunInfo &run) {
    const QFileInfo checkpoints(checkpointsPath(folder));
    if (!isDone(run) || !savedWeights(folder, RunWeights::Last) || !checkpoints.isDir() || checkpoints.isSymLink())
        return;
    m_folders << folder;
    if (m_folders.size() == 1)
        removeNext();
}

void SpentCheckpoints::removeNext() {
    const QString folder = m_folders.constFirst();
    m_removing = std::make_unique<BackgroundTask>();
    m_removing->start<bool>(
        &m_context,
        [folder, cancelled = m_removing->cancelled()]() -> Result<bool> {
            return removeCheckpoints(folder, *cancelled);
        },
        [this](const bool &) {
            m_folders.removeFirst();
            if (!m_folders.isEmpty())
                removeNext();
        },
        [](const Error &) {});
}

}  // namespace hearth
