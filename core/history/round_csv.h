// The rounds of runs as a table.
#pragma once

#include "core/history/csv_file.h"
#include "core/history/round_writer.h"

namespace hearth {

class RoundCsv final : public RoundLines {
  public:
    /// Writes the header.
    explicit RoundCsv(QIODevice &file);

    void begin(const RunRecord &record) override { m_run = record.summary.id.toUtf8(); }

  protected:
    bool write(const RoundLine &line) override;

  private:
    CsvFile m_csv;
    QByteArray m_run;
};

}  // namespace hearth
