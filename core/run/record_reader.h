// A run as it was written down: the events of a file, for a window that only looks.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QThread>
#include <chrono>
#include <memory>
#include <vector>

#include "core/run/run_event.h"

namespace hearth {

/// Reads and parses in a thread of its own and hands the events over in portions, each asked for when the last one has
/// been taken, so that neither a long run nor a slow listener fills memory or holds up the caller's event loop. Lives
/// in a thread with an event loop; its signals come there.
class RecordReader : public QObject {
    Q_OBJECT
  public:
    explicit RecordReader(QObject *parent = nullptr);
    ~RecordReader() override;

    /// `path`: the folder of a run, or its events.jsonl. What is written into it from now on is left out. `opened`
    /// follows, then `event` for each, then `ended`; or `failed`, after `opened` followed by `ended` (what stands
    /// before the damage was told). Once.
    void open(const QString &path);
    /// How often `progressed` tells, and after how long first; before `open`.
    void setProgressInterval(std::chrono::milliseconds interval) { m_progressInterval = interval; }

  Q_SIGNALS:
    void opened(const QString &run);
    void event(const hearth::RunEvent &event);
    /// So much of the file was told, from 0 to 1: now and then while that takes long, and 1 after it did.
    void progressed(double part);
    void ended(const QString &run);
    /// Nothing more comes, whatever came before.
    void finished();
    /// "record.missing", "record.not-a-run", "record.damaged".
    void failed(const hearth::Error &reason);

  private:
    class Worker;
    struct Portion;
    void take(const Portion &portion);

    QThread m_thread;
    Worker *m_worker = nullptr;
    QString m_run;
    std::chrono::milliseconds m_progressInterval{300};  // what takes longer is a wait
    QElapsedTimer m_sinceProgress;
    bool m_progressed = false;
};

}  // namespace hearth
