#include "core/run/best_evaluation.h"

#include <cmath>

namespace hearth {

void BestEvaluation::take(const event::Evaluation &evaluation) {
    std::erase_if(m_bests.back().since, [&](qint64 round) { return round >= evaluation.round; });
    if (isBetter(evaluation)) {
        m_bests.push_back({Scores{evaluation.round, evaluation.loss, evaluation.accuracy}, {}});
        return;
    }
    // What a person asks for in between does not use up any patience, nor what is repeated of before the best.
    const bool counts =
        m_job.evaluatesAfter(evaluation.round, m_total) && (!scores() || evaluation.round > scores()->round);
    if (counts && !endRound() && m_job.patience > 0)
        m_bests.back().since.push_back(evaluation.round);
}

void BestEvaluation::beginAnew() {
    for (Best &best : m_bests)
        best.since.clear();
}

void BestEvaluation::goBackTo(qint64 round, const std::optional<Scores> &inFile) {
    std::erase_if(m_bests, [&](const Best &best) {
        return best.scores && best.scores->round > round && !(inFile && inFile->isSame(*best.scores));
    });
    for (Best &best : m_bests)
        std::erase_if(best.since, [&](qint64 evaluated) { return evaluated > round; });
}

bool BestEvaluation::isBetter(const event::Evaluation &evaluation) const {
    // A training that has diverged answers something, too, and may be right by chance.
    if (!std::isfinite(evaluation.loss))
        return false;
    if (m_job.bestBy == BestBy::Loss)
        return !scores() || evaluation.loss < scores()->loss;
    return std::isfinite(evaluation.accuracy) && (!scores() || evaluation.accuracy > scores()->accuracy);
}

std::optional<qint64> BestEvaluation::endRound() const {
    const std::vector<qint64> &since = m_bests.back().since;
    const bool isUsedUp = m_job.patience > 0 && static_cast<qint64>(since.size()) >= m_job.patience;
    return isUsedUp ? std::optional(since.back()) : std::nullopt;
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
