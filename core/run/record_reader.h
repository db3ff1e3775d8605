// A run as it was written down: the events of a file, for a window that only looks.
#pragma once

#include <QObject>
#include <QThread>
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

    /// `path`: the folder of a run, or its events.jsonl. `opened` follows, then `event` for each, then `ended`; or
    /// `failed`, after `opened` followed by `ended` (what stands before the damage was told). Once.
    void open(const QString &path);

  Q_SIGNALS:
    void opened(const QString &run);
    void event(const hearth::RunEvent &event);
    void ended(const QString &run);
    /// "record.missing", "record.not-a-run", "record.damaged".
    void failed(const hearth::Error &reason);

  private:
    class Worker;
    struct Portion;
    void take(const Portion &portion);

    QThread m_thread;
    Worker *m_worker = nullptr;
    QString m_run;
};

}  // namespace hearth
