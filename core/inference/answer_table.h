// Answers for spreadsheets.
#pragma once

#include <QSaveFile>
#include <memory>

#include "core/history/csv_file.h"
#include "core/inference/run_inference.h"

namespace hearth {

/// A CSV file (CsvFile): a row for each sample with its name, its fields where it has some, the answer, and why a
/// sample has none. A choice (AskedRun::isChoice()) has how certain it is; of others each output has a column of its
/// own. It is there as a whole when finish() succeeded, or not at all. Errors: "predict.not-written". One thread.
class AnswerTable {
  public:
    AnswerTable(const AskedRun &run, const QString &path);
    Result<void> begin(const QStringList &columns);
    Result<void> add(const Answer &answer);
    Result<void> finish();

  private:
    Result<void> written(bool good) const;
    QByteArrayList answerColumns() const;
    QByteArrayList fieldsOf(const Answer &answer) const;

    const AskedRun m_run;
    QSaveFile m_file;
    CsvFile m_table;
    qsizetype m_fields = 0;
};

/// How many samples of known label a network answers as that says; of quantities how far it is off. Plain value.
struct Score {
    qint64 judged = 0, right = 0;
    double off = 0;  // the sum of all differences, in the unit of the data

    /// A sample without a label counts for nothing, nor does one whose label the network never learnt.
    void add(const AskedRun &run, const Answer &answer);
};

}  // namespace hearth
