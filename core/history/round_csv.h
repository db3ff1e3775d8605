// The rounds of runs as a table for other programs.
#pragma once

#include <QString>
#include <vector>

#include "core/history/csv_file.h"
#include "core/history/round_chunks.h"
#include "core/run/run_event.h"

namespace hearth {

/// One line per round, and one before the first where the model was evaluated then. Single thread.
class RoundCsv {
  public:
    /// Writes the header.
    explicit RoundCsv(QIODevice &file);

    /// What was measured of the next run after some rounds, ascending; before `begin()`.
    void expect(const event::Evaluation &evaluation, double t);
    void begin(const QString &run);
    /// Rounds ascend. False where the file takes no more.
    bool add(const RoundRow &row);
    /// Ends the run: evaluations of rounds that do not exist get lines of their own.
    bool end();

  private:
    struct Evaluated {
        event::Evaluation evaluation;
        double t;
    };
    bool writeEvaluationsBefore(qint64 round);

    CsvFile m_csv;
    QByteArray m_run;
    std::vector<Evaluated> m_evaluated;
    std::size_t m_next = 0;  // of them
};

}  // namespace hearth
