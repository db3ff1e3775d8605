#include "core/history/round_csv.h"

#include <QIODevice>
#include <QLocale>
#include <cmath>
#include <limits>

namespace hearth {
namespace {

QByteArray number(double value) {
    return std::isfinite(value) ? QByteArray::number(value, 'g', QLocale::FloatingPointShortest) : QByteArray();
}

QByteArray quoted(QByteArray field) {
    if (!field.contains(',') && !field.contains('"') && !field.contains('\n') && !field.contains('\r'))
        return field;
    return '"' + field.replace('"', "\"\"") + '"';
}

}  // namespace

RoundCsv::RoundCsv(QIODevice &file) : m_file(file) {
    write({"run", "round", "term", "time (s)", "loss (mean per sample)", "round time (s)", "predicted round time (s)",
           "speed (samples/s)", "accuracy (0 to 1)", "evaluation loss (mean per sample)"});
}

bool RoundCsv::write(const QByteArrayList &fields) {
    QByteArray line;
    for (const QByteArray &field : fields)
        line += quoted(field) + ',';
    line.chop(1);
    line += "\r\n";
    return m_file.write(line) == line.size();
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
        if (!write({m_run,
                    QByteArray::number(evaluation.round),
                    {},
                    number(t),
                    {},
                    {},
                    {},
                    {},
                    number(evaluation.accuracy),
                    number(evaluation.loss)}))
            return false;
    }
    return true;
}

bool RoundCsv::add(const RoundRow &row) {
    if (!writeEvaluationsBefore(row.round))
        return false;
    QByteArray accuracy, loss;
    if (m_next < m_evaluated.size() && m_evaluated[m_next].evaluation.round == row.round) {
        accuracy = number(m_evaluated[m_next].evaluation.accuracy);
        loss = number(m_evaluated[m_next].evaluation.loss);
        ++m_next;
    }
    return write({m_run, QByteArray::number(row.round), QByteArray::number(row.term), number(row.t), number(row.loss),
                  number(row.roundS), number(row.predictedRoundS), number(row.samplesPerS), accuracy, loss});
}

bool RoundCsv::end() {
    const bool written = writeEvaluationsBefore(std::numeric_limits<qint64>::max());
    m_evaluated.clear();
    m_next = 0;
    return written;
}

}  // namespace hearth
