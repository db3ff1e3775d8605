#include "core/run/best_evaluation.h"

#include <cmath>

namespace hearth {

void BestEvaluation::take(const event::Evaluation &evaluation) {
    std::erase_if(m_since, [&](qint64 round) { return round >= evaluation.round; });
    if (isBetter(evaluation)) {
        m_scores = Scores{evaluation.round, evaluation.loss, evaluation.accuracy};
        m_since.clear();
        return;
    }
    // What a person asks for in between does not use up any patience, nor what is repeated of before the best.
    const bool counts =
        m_job.evaluatesAfter(evaluation.round, m_total) && (!m_scores || evaluation.round > m_scores->round);
    if (counts && !endRound() && m_job.patience > 0)
        m_since.push_back(evaluation.round);
}

bool BestEvaluation::isBetter(const event::Evaluation &evaluation) const {
    // A training that has diverged answers something, too, and may be right by chance.
    if (!std::isfinite(evaluation.loss))
        return false;
    if (m_job.bestBy == BestBy::Loss)
        return !m_scores || evaluation.loss < m_scores->loss;
    return std::isfinite(evaluation.accuracy) && (!m_scores || evaluation.accuracy > m_scores->accuracy);
}

std::optional<qint64> BestEvaluation::endRound() const {
    const bool isUsedUp = m_job.patience > 0 && static_cast<qint64>(m_since.size()) >= m_job.patience;
    return isUsedUp ? std::optional(m_since.back()) : std::nullopt;
}

Sentence BestEvaluation::why() const {
    const bool byLoss = m_job.bestBy == BestBy::Loss;
    if (m_job.patience == 1) {
        return byLoss ? sentence("The loss did not fall in the last evaluation.")
                      : sentence("The accuracy did not rise in the last evaluation.");
    }
    return (byLoss ? sentence("The loss has not fallen for %1 evaluations.")
                   : sentence("The accuracy has not risen for %1 evaluations."))
        .arg(m_job.patience);
}

}  // namespace hearth
