// What every device did in every round of runs, as a table for other programs.
#pragma once

#include <QHash>
#include <functional>
#include <optional>

#include "core/history/csv_file.h"
#include "core/history/event_slice.h"
#include "core/history/round_chunks.h"
#include "core/run/run_event.h"

namespace hearth {

/// One line per device and round that counts. The index does not keep these figures: they are read from the events
/// again. Single thread.
class DeviceCsv {
  public:
    using Cancelled = std::function<bool()>;

    /// Writes the header. `cancelled` is asked often.
    DeviceCsv(QIODevice &file, Cancelled cancelled);

    /// The next run; `names` of its devices by id.
    void begin(const QString &run, const QString &events, const QHash<QString, QString> &names);
    /// Rounds ascend; one that the events do not tell any more gets no lines. False where the file takes no more, or
    /// after it was cancelled.
    bool add(const RoundRow &row);
    /// Whether lines are missing, for the events could not be read.
    bool isUnreadable() const { return m_slice.unreadable; }

  private:
    const event::Round *find(quint64 seq);
    bool readOn();

    CsvFile m_csv;
    Cancelled m_cancelled;
    QByteArray m_run;
    QHash<QString, QString> m_names;
    QString m_path;
    EventSlice m_slice;
    qsizetype m_next = 0;             // of its lines
    std::optional<RunEvent> m_event;  // the round that was read last
};

}  // namespace hearth
