// History's index over run directories.
#pragma once

#include <QSet>
#include <QStringList>
#include <algorithm>
#include <functional>

#include "core/history/index_database.h"
#include "core/history/run_record.h"

namespace hearth {

class RoundWriter;

/// Follows events.jsonl of every run below some folders, each from the byte reached last time. The events are the
/// truth: whatever the index does not know, or knows of a file that is another one by now, is read again. Single
/// thread; any number of programs on the same file.
class RunIndex {
  public:
    using Cancelled = std::function<bool()>;
    /// How much of it is done, from 0 to 1.
    using Progress = std::function<void(double)>;

    /// See IndexDatabase.
    void setBusyTimeout(std::chrono::milliseconds timeout) { m_database.setBusyTimeout(timeout); }
    Result<void> open(const QString &path) { return m_database.open(path); }
    std::optional<Error> takeNotice() { return m_database.takeNotice(); }
    bool isInMemory() const { return m_database.isInMemory(); }
    /// Answers for the runs of `folders` as they were read last, without an update.
    void setFolders(const QStringList &folders);

    /// Begins to look at all runs of `folders` (".../runs"); runs that are gone are forgotten.
    Result<void> beginUpdate(const QStringList &folders);
    /// What is known of the run in this folder, which is gone, goes at once; an update finds one that comes back.
    Result<void> forgetRun(const QString &folder);
    /// One bounded piece of the work, some ten milliseconds. False when all is read.
    Result<bool> step();
    /// Bytes read and to be read of the update under way.
    std::pair<qint64, qint64> progress() const { return {std::min(m_doneBytes, m_allBytes), m_allBytes}; }
    /// All of an update; false when it was cancelled.
    Result<bool> update(const QStringList &folders, const Cancelled &cancelled = {});

    /// The runs of the folders of the last update, newest first.
    Result<std::vector<RunSummary>> list();
    /// "history.unknown" where there is no such run.
    Result<RunDetails> details(const QString &id);
    /// The same of several; what was not read yet is read first.
    Result<std::vector<RunDetails>> read(const QStringList &ids);
    /// All rounds (see round_writer.h) in a file, or in a folder for TensorBoard, where each run gets one: what was not
    /// read yet is read first. Cancelled: "history.cancelled".
    Result<void> exportRuns(RunExport form, const QStringList &ids, const QString &path,
                            const Cancelled &cancelled = {}, const Progress &progress = {});

  private:
    /// Of a run's events, behind those that were read.
    enum class Left { Nothing, Some, Unreadable };

    Result<QSqlQuery> rows(const QString &where, const QVariantList &values);
    Result<RunRecord> recordOf(const QString &id);
    Result<void> forget(qint64 key);
    Result<void> save(RunRecord &record);
    /// The next piece of the events of a run.
    Result<Left> readSlice(const QString &folder);
    /// Called for each round that is written; false to end it.
    using Step = std::function<bool()>;
    /// False where the file takes no more, or `step` ended it.
    Result<bool> writeRounds(RoundWriter &writer, const RunRecord &record, const Step &step);
    /// `run` is known, or lies in one of the folders.
    Result<QString> folderOf(const QString &id);
    Result<void> readAllOf(const QStringList &ids, const Cancelled &cancelled);
    Result<qint64> eventsWithin(qint64 key, const char *order, qint64 most, qint64 bytes);
    Result<void> readEventsOf(RunDetails &details, qint64 key);
    Result<void> readCurvesOf(RunDetails &details, qint64 key);
    /// Runs `work`; where the file turns out broken, the index is built anew and the error told.
    template <class Work>
    auto guarded(const Work &work) -> decltype(work());

    IndexDatabase m_database;
    QStringList m_folders;  // absolute, of the last update
    QStringList m_pending;  // folders of runs that are still to be looked at
    qint64 m_doneBytes = 0, m_allBytes = 0;
};

template <class Work>
auto RunIndex::guarded(const Work &work) -> decltype(work()) {
    auto result = work();
    if (!result && result.error().code == QLatin1String("history.broken")) {
        if (auto opened = m_database.reopen(); !opened)
            return tl::unexpected(opened.error());
    }
    return result;
}

}  // namespace hearth
