#include "core/history/round_csv.h"

#include <limits>

namespace hearth {

RoundCsv::RoundCsv(QIODevice &file) : m_csv(file) {
    m_csv.write({"run", "round", "term", "time (s)", "loss (mean per sample)", "round time (s)",
                 "predicted round time (s)", "speed (samples/s)", "accuracy (0 to 1)",
                 "evaluation loss (mean per sample)"});
}

void RoundCsv::expect(const event::Evaluation &evaluation, double t) {
    m_evaluated.push_back({evaluation, t});
}

void RoundCsv::begin(const QString &run) {
    m_run = run.toUtf8();
}

bool RoundCsv::writeEvaluationsBefore(qint64 round) {
    for (; m_next < m_evaluated.size() && m_evaluated[m_next].evaluation.round < round; ++m_next) {
        const auto &[evaluation, t] = m_evaluated[m_next];
        if (!m_csv.write({m_run,
                          QByteArray::number(evaluation.round),
                          {},
                          CsvFile::number(t),
                          {},
                          {},
                          {},
                          {},
                          CsvFile::number(evaluation.accuracy),
                          CsvFile::number(evaluation.loss)}))
            return false;
    }
    return true;
}

bool RoundCsv::add(const RoundRow &row) {
    if (!writeEvaluationsBefore(row.round))
        return false;
    QByteArray accuracy, loss;
    if (m_next < m_evaluated.size() && m_evaluated[m_next].evaluation.round == row.round) {
        accuracy = CsvFile::number(m_evaluated[m_next].evaluation.accuracy);
        loss = CsvFile::number(m_evaluated[m_next].evaluation.loss);
        ++m_next;
    }
    return m_csv.write({m_run, QByteArray::number(row.round), QByteArray::number(row.term), CsvFile::number(row.t),
                        CsvFile::number(row.loss), CsvFile::number(row.roundS), CsvFile::number(row.predictedRoundS),
                        CsvFile::number(row.samplesPerS), accuracy, loss});
}

bool RoundCsv::end() {
    const bool written = writeEvaluationsBefore(std::numeric_limits<qint64>::max());
    m_evaluated.clear();
    m_next = 0;
    return written;
}

}  // namespace hearth
