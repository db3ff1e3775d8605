#include "core/history/run_history.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "core/base/background_task.h"
#include "core/base/post_to.h"
#include "core/history/run_index.h"

namespace hearth {
namespace {

// While much is read the list fills before the eyes, and costs little.
constexpr qint64 listMilliseconds = 300;
// The file may be found broken again, by a disk that fails.
constexpr int mostRestarts = 2;

}  // namespace

/// Lives in the thread of the index; `history` outlives it and is only posted to.
class HistoryWorker : public QObject {
  public:
    HistoryWorker(RunHistory *history, QString path)
        : m_history(history), m_path(std::move(path)), m_cancelled(history->m_cancelled) {}

    void update(const QStringList &folders) {
        m_folders = folders;
        m_restarts = 0;
        if (std::exchange(m_updating, true))
            m_again = true;
        else
            begin();
    }

    void details(const QStringList &ids, int question) {
        if (question != *m_history->m_question || !ensureOpen())
            return;
        std::vector<RunDetails> found;
        for (const QString &id : ids) {
            auto one = m_index.details(id);
            if (!one) {
                // A run that is gone by now is missed in the list as well.
                if (one.error().code != QLatin1String("history.unknown"))
                    tellFailure(one.error());
                continue;
            }
            found.push_back(*std::move(one));
        }
        post([found = std::move(found), question](RunHistory *history) {
            if (question == *history->m_question)
                Q_EMIT history->detailsFound(found);
        });
    }

    void changeLabels(const QStringList &runFolders, const LabelChange &change) {
        for (const QString &folder : runFolders) {
            if (const auto changed = change.applyTo(folder); !changed)
                post([error = changed.error()](RunHistory *history) { Q_EMIT history->failed(error); });
        }
        if (m_open)
            tellList();
    }

    void deleteRuns(const QStringList &runFolders) {
        std::vector<DeletedRun> deleted;
        std::vector<Error> errors;
        for (const QString &folder : runFolders) {
            // It was asked for twice.
            if (!QFileInfo(folder).isDir())
                continue;
            const auto run = deleteRun(folder);
            if (!run) {
                errors.push_back(run.error());
                continue;
            }
            deleted.push_back(*run);
            if (const auto forgotten = m_open ? m_index.forgetRun(folder) : Result<void>(); !forgotten)
                tellFailure(forgotten.error());
        }
        if (m_open)
            tellList();
        tellDeleted(deleted, errors);
    }

    void restoreRuns(const std::vector<DeletedRun> &runs, const QStringList &folders) {
        std::vector<DeletedRun> left;
        std::vector<Error> errors;
        for (const DeletedRun &run : runs) {
            const auto restored = restoreRun(run);
            if (restored)
                continue;
            errors.push_back(restored.error());
            if (QFileInfo(run.place).isDir())
                left.push_back(run);
        }
        tellDeleted(left, errors);
        update(folders);
    }

    /// Runs that are deleted from now on are not among them.
    void removeDeleted(const QString &runsFolder) {
        const QStringList places = deletedBeside(runsFolder);
        if (places.isEmpty())
            return;
        m_removal = std::make_unique<BackgroundTask>();
        m_removal->start<std::monostate>(
            this,
            [places, cancelled = m_cancelled]() -> Result<std::monostate> {
                return removeForGood(places, *cancelled).map([] { return std::monostate(); });
            },
            [](std::monostate) {},
            [this](const Error &error) { post([error](RunHistory *history) { Q_EMIT history->noticed(error); }); },
            QThread::LowPriority);
    }

    /// In a thread and with a connection of its own, so that who asks for details meanwhile does not wait; an index in
    /// memory has only this one.
    void exportRuns(RunExport form, const QStringList &ids, const QString &path,
                    const std::shared_ptr<std::atomic<bool>> &cancelExport) {
        if (!ensureOpen()) {
            tellExport(tl::unexpected(Error()), path);
            return;
        }
        const auto cancelled = [cancelExport, all = m_cancelled] { return *cancelExport || *all; };
        const auto progress = [this](double part) {
            post([part](RunHistory *history) { Q_EMIT history->exportProgressed(part); });
        };
        if (m_index.isInMemory()) {
            tellExport(m_index.exportRuns(form, ids, path, cancelled, progress), path);
            return;
        }
        const auto write = [form, ids, path, cancelled, progress, file = m_path,
                            folders = m_folders]() -> Result<QString> {
            RunIndex index;
            if (auto opened = index.open(file); !opened)
                return tl::unexpected(opened.error());
            index.setFolders(folders);
            return index.exportRuns(form, ids, path, cancelled, progress).map([&] { return path; });
        };
        m_export = std::make_unique<BackgroundTask>();
        m_export->start<QString>(
            this, write, [this](const QString &where) { tellExport({}, where); },
            [this, path](const Error &error) { tellExport(tl::unexpected(error), path); }, QThread::LowPriority);
    }

  private:
    template <class Work>
    void post(Work work) {
        postTo(m_history, [history = m_history, work = std::move(work)] { work(history); });
    }

    /// Errors come last: whoever leaves a run that is gone closes those that are shown.
    void tellDeleted(const std::vector<DeletedRun> &runs, const std::vector<Error> &errors) {
        post([runs, errors](RunHistory *history) {
            history->m_deleted.insert(history->m_deleted.end(), runs.begin(), runs.end());
            Q_EMIT history->deletedChanged();
            for (const Error &error : errors)
                Q_EMIT history->failed(error);
        });
    }

    void tellExport(const Result<void> &written, const QString &path) {
        post([written, path](RunHistory *history) {
            history->m_exporting = false;
            if (written)
                Q_EMIT history->exported(path);
            else if (!written.error().code.isEmpty() && written.error().code != QLatin1String("history.cancelled"))
                Q_EMIT history->failed(written.error());
            Q_EMIT history->exportEnded();
        });
    }

    bool ensureOpen() {
        if (m_open)
            return true;
        if (auto opened = m_index.open(m_path); !opened) {
            tellFailure(opened.error());
            return false;
        }
        tellNotice();
        m_open = true;
        return true;
    }

    void tellNotice() {
        if (const auto notice = m_index.takeNotice())
            post([notice = *notice](RunHistory *history) { Q_EMIT history->noticed(notice); });
    }

    /// Once: what fails at every look is no news.
    void tellFailure(const Error &error) {
        tellNotice();
        if (m_failure == error)
            return;
        m_failure = error;
        post([error](RunHistory *history) { Q_EMIT history->failed(error); });
    }

    void begin() {
        m_again = false;
        if (!ensureOpen()) {
            m_updating = false;
            return;
        }
        if (const auto begun = m_index.beginUpdate(m_folders); !begun) {
            stopAfter(begun.error());
            return;
        }
        // What was read before is there at once; later the list is on the screen already.
        if (!m_sinceList.isValid())
            tellList();
        step();
    }

    /// One piece, and then whatever else was asked meanwhile.
    void step() {
        if (*m_cancelled)
            return;
        const auto more = m_index.step();
        if (!more) {
            stopAfter(more.error());
            return;
        }
        if (!*more) {
            tellList();
            post([](RunHistory *history) { Q_EMIT history->progressed(0, 0); });
            m_updating = false;
            m_failure.reset();
            if (m_again)
                update(m_folders);
            return;
        }
        if (m_sinceList.elapsed() >= listMilliseconds) {
            tellList();
            post([progress = m_index.progress()](RunHistory *history) {
                Q_EMIT history->progressed(progress.first, progress.second);
            });
        }
        QMetaObject::invokeMethod(
            this, [this] { step(); }, Qt::QueuedConnection);
    }

    void stopAfter(const Error &error) {
        // The index was built anew, and is empty: from the beginning.
        if (error.code == QLatin1String("history.broken") && m_restarts++ < mostRestarts) {
            tellNotice();
            begin();
            return;
        }
        m_updating = false;
        tellFailure(error);
        post([](RunHistory *history) { Q_EMIT history->progressed(0, 0); });
    }

    void tellList() {
        m_sinceList.start();
        auto list = m_index.list();
        if (!list) {
            tellFailure(list.error());
            return;
        }
        post([runs = *std::move(list)](RunHistory *history) {
            history->m_runs = runs;
            history->m_known = true;
            Q_EMIT history->runsChanged();
        });
    }

    RunHistory *m_history;
    QString m_path;
    std::shared_ptr<const std::atomic<bool>> m_cancelled;
    RunIndex m_index;
    QStringList m_folders;
    QElapsedTimer m_sinceList;
    bool m_open = false;
    bool m_updating = false;
    bool m_again = false;
    int m_restarts = 0;
    std::optional<Error> m_failure;            // that was told last
    std::unique_ptr<BackgroundTask> m_export;  // the last one
    std::unique_ptr<BackgroundTask> m_removal;
};

RunHistory::RunHistory(const QString &indexPath, QObject *parent) : QObject(parent), m_indexPath(indexPath) {
    m_thread.setObjectName(QStringLiteral("history"));
}

RunHistory::~RunHistory() {
    *m_cancelled = true;
    m_thread.quit();
    m_thread.wait();
}

void RunHistory::ensureStarted() {
    if (m_worker != nullptr)
        return;
    m_worker = new HistoryWorker(this, m_indexPath);
    m_worker->moveToThread(&m_thread);
    // The connection of the database belongs to that thread, and is closed there.
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.start(QThread::LowPriority);
}

void RunHistory::refresh() {
    ensureStarted();
    postTo(m_worker, [worker = m_worker, folders = m_folders] { worker->update(folders); });
}

const RunSummary *RunHistory::find(const QString &id) const {
    const auto found =
        std::find_if(m_runs.begin(), m_runs.end(), [&id](const RunSummary &run) { return run.id == id; });
    return found == m_runs.end() ? nullptr : &*found;
}

void RunHistory::changeLabels(const QStringList &runFolders, const LabelChange &change) {
    ensureStarted();
    postTo(m_worker, [worker = m_worker, runFolders, change] { worker->changeLabels(runFolders, change); });
}

void RunHistory::deleteRuns(const QStringList &runFolders) {
    ensureStarted();
    postTo(m_worker, [worker = m_worker, runFolders] { worker->deleteRuns(runFolders); });
}

void RunHistory::restoreRuns() {
    ensureStarted();
    postTo(m_worker, [worker = m_worker, runs = std::exchange(m_deleted, {}), folders = m_folders] {
        worker->restoreRuns(runs, folders);
    });
    Q_EMIT deletedChanged();
}

void RunHistory::keepDeleted() {
    m_deleted.clear();
    Q_EMIT deletedChanged();
}

void RunHistory::removeDeleted(const QString &runsFolder) {
    ensureStarted();
    postTo(m_worker, [worker = m_worker, runsFolder] { worker->removeDeleted(runsFolder); });
}

void RunHistory::findDetails(const QStringList &ids) {
    ensureStarted();
    const int question = ++*m_question;
    postTo(m_worker, [worker = m_worker, ids, question] { worker->details(ids, question); });
}

void RunHistory::exportRuns(RunExport form, const QStringList &ids, const QString &path) {
    if (std::exchange(m_exporting, true))
        return;
    ensureStarted();
    m_cancelExport = std::make_shared<std::atomic<bool>>(false);
    postTo(m_worker, [worker = m_worker, form, ids, path, cancelled = m_cancelExport] {
        worker->exportRuns(form, ids, path, cancelled);
    });
}

}  // namespace hearth
