#include "core/history/round_csv.h"

namespace hearth {

RoundCsv::RoundCsv(QIODevice &file) : m_csv(file) {
    m_csv.write({"run", "round", "term", "time (s)", "loss (mean per sample)", "round time (s)",
                 "predicted round time (s)", "speed (samples/s)", "accuracy (0 to 1)",
                 "evaluation loss (mean per sample)"});
}

bool RoundCsv::write(const RoundLine &line) {
    QByteArrayList fields{m_run, QByteArray::number(line.round)};
    if (const RoundRow *row = line.row) {
        fields << QByteArray::number(row->term) << CsvFile::number(line.t) << CsvFile::number(row->loss)
               << CsvFile::number(row->roundS) << CsvFile::number(row->predictedRoundS)
               << CsvFile::number(row->samplesPerS);
    } else {
        fields << QByteArray() << CsvFile::number(line.t) << QByteArrayList(4);
    }
    if (line.evaluation != nullptr)
        fields << CsvFile::number(line.evaluation->accuracy) << CsvFile::number(line.evaluation->loss);
    else
        fields << QByteArrayList(2);
    return m_csv.write(fields);
}

}  // namespace hearth
