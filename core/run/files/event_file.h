// Reading the events of runs from their folders: tails, summaries, and the last word for a run whose coordinator died.
#pragma once

#include <QByteArrayList>
#include <QFile>
#include <QJsonObject>
#include <QStringList>
#include <atomic>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/run/files/run_info.h"

namespace hearth {

/// Follows one events.jsonl from any seq while it grows. One line is one event and the n-th line has seq n, so a start
/// is found by halving a long file and counting the rest. Only whole lines are given out; half a line is read again
/// once the file has changed, since closeRun() may replace it. Single thread.
class EventReader {
  public:
    /// The file need not exist yet.
    EventReader(const QString &path, quint64 fromSeq);
    /// What is new, at most about `maximumBytes` at a time; empty at the end.
    QByteArrayList next(qint64 maximumBytes);
    /// How much of the file was given out, from 0 to 1.
    double part() const;

  private:
    struct Line {
        qint64 start;
        quint64 seq;
    };
    bool open();
    void goNear(quint64 seq);
    std::optional<Line> lineBehind(qint64 offset);

    QString m_path;
    QFile m_file;
    quint64 m_skip;                                   // lines to pass over
    qint64 m_next = 0;                                // where the first line begins that was not complete yet
    std::optional<std::pair<qint64, qint64>> m_read;  // size and time of change of a file that was read to its end
};

/// A run's id names its folder; anything else never gets near a path.
bool isRunId(const QString &id);
/// Local time to the second, and a few random letters: sorts by age.
QString newRunId();

/// Where the events of a run are.
QString eventsPath(const QString &runFolder);
/// Whether a line tells an event of this kind, without parsing it: coordinators write compact JSON.
bool isEventKind(const QByteArray &line, const char *kind);
/// What the job of a run calls its data, one or several. Read loosely: a later version may have written it.
QStringList dataOfJob(const QJsonObject &job);
/// Takes one line into the summary.
void applyEvent(RunInfo &info, const QByteArray &line);
/// Reads the summary of one run folder from the ends of its file; nullopt where there is no run. `state` is as the file
/// says, `lastSeq` as its last whole line does. Where a run has no evaluation, say, all of the file is read: not for a
/// thread with an event loop. Looks at `cancelled` between two lines, and ends with what it has.
std::optional<RunInfo> readRun(const QString &folder, const std::atomic<bool> *cancelled = nullptr);
/// The seq of the last whole line; 0 where there is none. Reads no more than the end of the file.
quint64 lastSeqOf(const QString &folder);
/// The ids of all runs under `runs/`, newest first.
QStringList listRuns(const QString &runsFolder);

/// For a run whose coordinator is gone without a final state: cuts off a half-written line and appends an "error" event
/// (if there is one to tell) and the state, with the next seq. Does nothing where a final state is there already: it is
/// among the last lines, and no others are read.
Result<void> closeRun(const QString &folder, const std::optional<Error> &error, const QString &state);

}  // namespace hearth
