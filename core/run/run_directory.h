// The folder of one run: job, model, plans, events, weights.
#pragma once

#include <QJsonDocument>
#include <QJsonObject>
#include <QString>
#include <functional>
#include <memory>
#include <utility>

#include "core/base/error.h"
#include "core/run/disk_reserve.h"
#include "core/run/files/run_folder.h"
#include "core/run/run_event.h"

namespace hearth {

/// runs/<id>/ with job.json, model.json, plan-<term>.json, events.jsonl, weights.safetensors and best.safetensors. The
/// one writer of events.jsonl; lives in the coordinator's thread. An event is on its way to the disk (write(2)
/// returned) before append() returns, so whoever publishes it afterwards never shows what a crash could take back. It
/// holds some space of the disk: where another program has filled it, events and small files still find room, and
/// rounds go on.
class RunDirectory {
  public:
    using Clock = std::function<double()>;  // seconds of the run

    /// Makes the folder (or takes an empty one) and an events.jsonl that did not exist before. A clock of one's own is
    /// for tests; the default starts now.
    static Result<std::unique_ptr<RunDirectory>> create(const QString &path, Clock clock = {});
    /// Opens an existing run to append to it: a last line that was cut short is cut off, `seq` and `t` go on.
    static Result<std::unique_ptr<RunDirectory>> resume(const QString &path);
    ~RunDirectory();
    RunDirectory(const RunDirectory &) = delete;
    RunDirectory &operator=(const RunDirectory &) = delete;

    const QString &path() const { return m_path; }
    QString file(const QString &name) const;
    QString weightsFile() const { return weightsPath(m_path, RunWeights::Last); }
    QString bestWeightsFile() const { return weightsPath(m_path, RunWeights::Best); }
    quint64 lastSeq() const { return m_seq; }
    double seconds() const { return m_clock(); }

    /// Writes one line and returns its seq. A plan (a new term), a checkpoint and a final state are synced to the disk
    /// before it returns. When the disk is full and the space held for that is used up, too, the line is taken back as
    /// a whole, nothing was appended, and the error says so; a later append tries anew with the same seq.
    Result<quint64> append(const RunEventBody &body);
    Result<void> sync();
    /// Atomic; "job.json", "model.json", "plan-1.json".
    Result<void> saveJson(const QString &name, const QJsonObject &object,
                          QJsonDocument::JsonFormat form = QJsonDocument::Indented);
    /// Once after the disk was found full: the space held for that is in use. It is taken again when there is some.
    bool takeDiskFull() { return std::exchange(m_diskFull, false); }
    /// It was found full, and there is still no space to hold again: what can wait is not written.
    bool isShortOfSpace() { return m_hasMadeRoom && !m_reserve.takeAgain(); }

  private:
    RunDirectory(QString path, int fd, Clock clock);
    bool makeRoom();

    QString m_path;
    int m_fd;
    Clock m_clock;
    quint64 m_seq = 0;
    qint64 m_size = 0;  // bytes of whole lines
    double m_lastT = 0;
    DiskReserve m_reserve;
    bool m_diskFull = false;     // not told yet
    bool m_hasMadeRoom = false;  // at least once
};

}  // namespace hearth
