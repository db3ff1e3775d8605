#include "core/run/best_weights.h"

#include <QFileInfo>
#include <algorithm>

#include "core/model/safetensors.h"

namespace hearth {
namespace {

const QString roundKey = QStringLiteral("round"), lossKey = QStringLiteral("loss"),
              accuracyKey = QStringLiteral("accuracy");

/// With as many digits as it takes to read the same number back.
QString exact(double value) {
    return QString::number(value, 'g', 17);
}

std::optional<BestEvaluation::Scores> scoresIn(const QString &file) {
    const auto metadata = readSafetensorsMetadata(file).value_or(std::map<QString, QString>());
    const auto text = [&](const QString &key) {
        const auto found = metadata.find(key);
        return found == metadata.end() ? QString() : found->second;
    };
    bool hasRound = false, hasLoss = false;
    const BestEvaluation::Scores scores{text(roundKey).toLongLong(&hasRound), text(lossKey).toDouble(&hasLoss),
                                        text(accuracyKey).toDouble()};
    return hasRound && hasLoss ? std::optional(scores) : std::nullopt;
}

}  // namespace

BestWeights::BestWeights(const RunContext &run, const Evaluator &evaluator)
    : m_run(run), m_evaluator(evaluator), m_kept(scoresIn(run.directory.bestWeightsFile())) {}

bool BestWeights::tellKept(const std::optional<BestEvaluation::Scores> &told) {
    if (!m_kept || (told && m_kept->isSame(*told)))
        return true;
    return m_run.log.record(event::Best{m_kept->round, m_kept->loss, m_kept->accuracy,
                                        QFileInfo(m_run.directory.bestWeightsFile()).size()});
}

bool BestWeights::isAtHand(qint64 done) const {
    const auto &best = m_evaluator.best().scores();
    return m_run.request.job.keepBest && !m_run.request.makesNoRound() && best && best->round == done &&
           done > m_givenUp && !(m_kept && m_kept->isSame(*best));
}

bool BestWeights::isDue(qint64 done) const {
    return isAtHand(done) && (m_run.log.seconds() - m_ended) * m_run.deadlines.bestPart >= m_seconds;
}

qint64 BestWeights::roundsUntilNext(qint64 done) const {
    const auto &best = m_evaluator.best().scores();
    return best && best->round > done && isAtHand(best->round) ? best->round : m_run.total;
}

void BestWeights::collected(double seconds) {
    m_seconds = seconds;
    m_ended = m_run.log.seconds();
}

void BestWeights::addTo(WeightsOrder *order) {
    if (!isAtHand(order->round))
        return;
    m_before = std::exchange(m_kept, m_evaluator.best().scores());
    order->files << m_run.directory.bestWeightsFile();
    order->metadata[lossKey] = exact(m_kept->loss);
    order->metadata[accuracyKey] = exact(m_kept->accuracy);
}

bool BestWeights::settle(const WeightsOrder &order, WeightsWritten *written) {
    const QString file = m_run.directory.bestWeightsFile();
    if (!order.files.contains(file))
        return true;
    const auto failed = std::ranges::find(written->failures, file, &WeightsWritten::Failure::file);
    if (failed == written->failures.end()) {
        m_hasWarned = false;
        return tellKept({});
    }
    const Error error = failed->error;
    written->failures.erase(failed);
    m_kept = m_before;
    giveUp(order.round);
    return std::exchange(m_hasWarned, true) ||
           m_run.log.warn(error, sentence("The run goes on. The best weights that were kept before stay as they are."));
}

}  // namespace hearth
