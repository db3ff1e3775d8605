// A file in the trace-event format that ui.perfetto.dev and chrome://tracing open.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QJsonObject>
#include <QString>
#include <memory>

#include "core/base/error.h"

namespace hearth {

/// A bar on a track. Tracks are threads (`tid`) of processes (`pid`), as the format has them.
struct TraceEvent {
    int pid = 0;
    int tid = 0;
    QString name;
    QString category;
    qint64 start = 0;  // nanoseconds since the trace began
    qint64 end = 0;    // likewise, at or after the start
    QJsonObject args;
};

/// Writes events one by one as the JSON array of the Trace Event Format: complete events (ph X), instants (i) and names
/// (M), times in microseconds. A file that was cut short by a crash is read as well: the format lets the closing
/// bracket be missing. Bounded: what comes after `mostEvents` bars is refused. One thread.
class TraceFile {
  public:
    static constexpr qint64 mostEvents = 1'000'000;

    /// Truncates what is there. Errors: "trace.unwritable".
    static Result<std::unique_ptr<TraceFile>> create(const QString &path, qint64 limit = mostEvents);
    ~TraceFile();  // closes
    TraceFile(const TraceFile &) = delete;
    TraceFile &operator=(const TraceFile &) = delete;

    /// Names and sorts a process; processes stand in the order of their ranks.
    void nameProcess(int pid, const QString &name, int rank);
    void nameThread(int pid, int tid, const QString &name, int rank);
    /// False, and nothing is written, once the limit is reached.
    bool add(const TraceEvent &event);
    /// A mark across all tracks.
    void mark(const QString &name, qint64 at);

    qint64 room() const { return m_room; }
    /// Hands everything so far to the operating system. Errors: "trace.unwritable", for instance a full disk.
    Result<void> flush();
    /// Ends the array; nothing may be written afterwards.
    Result<void> close();

  private:
    TraceFile(const QString &path, qint64 limit) : m_file(path), m_room(limit) {}
    void write(const QJsonObject &object);
    void describe(const char *what, int pid, int tid, const char *key, const QJsonValue &value);
    Error unwritable() const;

    QFile m_file;
    QByteArray m_buffer;
    qint64 m_room;
    bool m_first = true;
    bool m_closed = false;
};

}  // namespace hearth
