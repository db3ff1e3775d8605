// All runs, kept up to date beside the event loop.
#pragma once

#include <QObject>
#include <QStringList>
#include <QThread>
#include <atomic>
#include <memory>
#include <vector>

#include "core/base/error.h"
#include "core/history/deleted_runs.h"
#include "core/history/run_summary.h"

namespace hearth {

class HistoryWorker;

/// Lives in the caller's thread and never makes it wait: the index is read and written by a thread of its own. The
/// newest question wins; an answer to an older one does not come any more. Destroying it ends the work, which is near.
class RunHistory : public QObject {
    Q_OBJECT
  public:
    /// `indexPath` may be made; empty: an index in memory. Nothing is opened before the first question.
    explicit RunHistory(const QString &indexPath, QObject *parent = nullptr);
    ~RunHistory() override;

    /// Folders of runs (".../runs"); those that do not exist yet are empty.
    void setFolders(const QStringList &folders) { m_folders = folders; }
    /// Reads what is new in the folders; `runsChanged` follows, several times where there is much to read.
    void refresh();
    /// Newest first, as far as they are known.
    const std::vector<RunSummary> &runs() const { return m_runs; }
    /// The known run of this id, or nullptr; valid until the next `runsChanged`.
    const RunSummary *find(const QString &id) const;
    /// Whether the list was read once.
    bool isKnown() const { return m_known; }

    /// What people write on runs, by their folders; `runsChanged` follows, and `failed` for those that could not be
    /// changed.
    void changeLabels(const QStringList &runFolders, const LabelChange &change);
    /// Moves runs, by their folders, to where `restoreRuns` finds them; nobody may work on them. They leave the list,
    /// `deletedChanged` follows, and `failed` for each that stays.
    void deleteRuns(const QStringList &runFolders);
    /// Those that were deleted here, until they are restored or kept deleted.
    const std::vector<DeletedRun> &deletedRuns() const { return m_deleted; }
    /// Moves them back. `deletedChanged` follows twice: at once, and when they are where they were; `failed` for each
    /// that is not.
    void restoreRuns();
    void keepDeleted();
    /// Removes for good what was deleted beside `runsFolder` before this call, however long that takes; `noticed`
    /// follows where something is in the way.
    void removeDeleted(const QString &runsFolder);
    /// `detailsFound` follows with those that there are, in the order of `ids`, or `failed`.
    void findDetails(const QStringList &ids);
    /// The rounds of these runs into a file; `exported` follows, or `failed`. One at a time.
    void exportRuns(RunExport form, const QStringList &ids, const QString &path);
    bool isExporting() const { return m_exporting; }
    void cancelExport() { *m_cancelExport = true; }

  Q_SIGNALS:
    void runsChanged();
    void deletedChanged();
    /// Bytes of events; both are 0 when nothing is left to be read.
    void progressed(qint64 done, qint64 all);
    void detailsFound(const std::vector<hearth::RunDetails> &runs);
    /// How much of the export is written, from 0 to 1.
    void exportProgressed(double part);
    void exported(const QString &path);
    void exportEnded();
    /// A person should know, and can go on: the index was built anew, or works from memory, or a deleted run still
    /// takes its room.
    void noticed(const hearth::Error &notice);
    void failed(const hearth::Error &error);

  private:
    friend class HistoryWorker;
    void ensureStarted();

    QString m_indexPath;
    QStringList m_folders;
    QThread m_thread;
    HistoryWorker *m_worker = nullptr;  // lives in m_thread
    std::shared_ptr<std::atomic<bool>> m_cancelled = std::make_shared<std::atomic<bool>>(false);
    std::shared_ptr<std::atomic<bool>> m_cancelExport = std::make_shared<std::atomic<bool>>(false);
    std::shared_ptr<std::atomic<int>> m_question = std::make_shared<std::atomic<int>>(0);  // the newest
    std::vector<RunSummary> m_runs;
    std::vector<DeletedRun> m_deleted;
    bool m_known = false;
    bool m_exporting = false;
};

}  // namespace hearth
