// Summaries of runs that do not change any more.
#pragma once

#include <QPointer>
#include <QStringList>
#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "core/base/background_task.h"
#include "core/run/files/run_info.h"

namespace hearth {

/// Read once each, beside the event loop: to read a gigabyte of events backwards takes seconds, and an agent that is
/// silent for so long is lost to the others. One thread.
class PastRuns {
  public:
    /// Runs in another thread; nothing where the folder holds no run.
    using Read = std::function<std::optional<RunInfo>(const QString &folder, const std::atomic<bool> &cancelled)>;
    static std::optional<RunInfo> readFolder(const QString &folder, const std::atomic<bool> &cancelled);

    explicit PastRuns(QString runsFolder, Read read = readFolder);

    /// Null where it is not known.
    const RunInfo *find(const QString &id) const;
    void put(const RunInfo &info) { m_known[info.id] = info; }
    void forget(const QString &id) { m_known.erase(id); }
    /// Calls `done` when those of these that hold a run are known: at once where they are, else later, and not after
    /// this or `context` has gone.
    void know(const QStringList &ids, QObject *context, std::function<void()> done);

  private:
    using Found = std::map<QString, RunInfo>;
    struct Question {
        QStringList ids;
        QPointer<QObject> context;
        std::function<void()> done;
    };
    QStringList unknown(const QStringList &ids) const;
    void readNext();
    void take(const Found &found);

    QString m_folder;
    Read m_read;
    Found m_known;
    std::deque<Question> m_questions;  // the first one is being read
    QObject m_context;
    std::unique_ptr<BackgroundTask> m_reading;
};

}  // namespace hearth
