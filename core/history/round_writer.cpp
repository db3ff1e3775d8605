#include "core/history/round_writer.h"

#include <QDateTime>
#include <cmath>
#include <limits>

#include "core/history/device_csv.h"
#include "core/history/round_csv.h"
#include "core/history/round_json.h"
#include "core/history/tensor_board.h"

namespace hearth {

std::unique_ptr<RoundWriter> makeRoundWriter(RunExport form, QIODevice &file, const RoundWriter::Cancelled &cancelled) {
    switch (form) {
        case RunExport::Rounds:
            return std::make_unique<RoundCsv>(file);
        case RunExport::Devices:
            return std::make_unique<DeviceCsv>(file, cancelled);
        case RunExport::JsonLines:
            return std::make_unique<RoundJson>(file);
        case RunExport::TensorBoard:
            return std::make_unique<TensorBoard>(file);
    }
    Q_UNREACHABLE();
}

double startedSeconds(const RunSummary &run) {
    const QDateTime started = QDateTime::fromString(run.started, Qt::ISODateWithMs);
    return started.isValid() ? static_cast<double>(started.toMSecsSinceEpoch()) / 1000 : 0;
}

std::vector<RoundFigure> figuresOf(const RoundLine &line) {
    std::vector<RoundFigure> figures;
    if (const RoundRow *row = line.row) {
        figures = {{"loss", "training/loss", row->loss},
                   {"round_s", "speed/seconds of a round", row->roundS},
                   {"predicted_round_s", nullptr, row->predictedRoundS},
                   {"samples_per_s", "speed/samples per second", row->samplesPerS}};
    }
    if (line.evaluation != nullptr) {
        figures.push_back({"accuracy", "evaluation/accuracy", line.evaluation->accuracy});
        figures.push_back({"evaluation_loss", "evaluation/loss", line.evaluation->loss});
    }
    std::erase_if(figures, [](const RoundFigure &figure) { return !std::isfinite(figure.value); });
    return figures;
}

void RoundLines::expect(const event::Evaluation &evaluation, double t) {
    m_evaluated.push_back({evaluation, t});
}

bool RoundLines::writeEvaluationsBefore(qint64 round) {
    for (; m_next < m_evaluated.size() && m_evaluated[m_next].evaluation.round < round; ++m_next) {
        const auto &[evaluation, t] = m_evaluated[m_next];
        if (!write({evaluation.round, t, nullptr, &evaluation}))
            return false;
    }
    return true;
}

bool RoundLines::add(const RoundRow &row) {
    if (!writeEvaluationsBefore(row.round))
        return false;
    RoundLine line{row.round, row.t, &row, nullptr};
    if (m_next < m_evaluated.size() && m_evaluated[m_next].evaluation.round == row.round)
        line.evaluation = &m_evaluated[m_next++].evaluation;
    return write(line);
}

bool RoundLines::end() {
    const bool written = writeEvaluationsBefore(std::numeric_limits<qint64>::max());
    m_evaluated.clear();
    m_next = 0;
    return written;
}

}  // namespace hearth
