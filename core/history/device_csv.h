// What every device did in every round of runs, as a table.
#pragma once

#include <QHash>
#include <optional>

#include "core/history/csv_file.h"
#include "core/history/event_slice.h"
#include "core/history/round_writer.h"

namespace hearth {

/// One line per device and round that counts. The index does not keep these figures: they are read from the events
/// again. A round that the events do not tell any more gets no lines.
class DeviceCsv final : public RoundWriter {
  public:
    /// Writes the header.
    DeviceCsv(QIODevice &file, Cancelled cancelled);

    void begin(const RunRecord &record) override;
    bool add(const RoundRow &row) override;
    bool isUnreadable() const override { return m_slice.unreadable; }

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
