// What a run model remembers of a run that may be of any length, and what it takes back.
#include <algorithm>

#include "ui/run/run_model.h"

namespace hearth {

namespace {
// Of rounds that are forgotten the time of every so manieth is kept: how far back a loss of states may reach.
constexpr qint64 timeInterval = 1024;
}  // namespace

/// A repeated one takes the place of an earlier one, which is looked for only where rounds do not ascend.
void RunModel::keep(const EvaluationPoint &point) {
    const bool ascends = m_evaluations.empty() || m_evaluations.back().round < point.round;
    const bool again = !ascends && std::erase_if(m_evaluations, [&](const EvaluationPoint &one) {
                                       return one.round == point.round;
                                   }) > 0;
    m_evaluations.push_back(point);
    if (again)
        m_series.setEvaluations(m_evaluations);
    else
        m_series.addEvaluation(point);
    if (m_best && m_best->round == point.round)
        m_series.setBest(point);
    if (m_evaluations.size() < 2 * keptEvaluations)
        return;
    // Of the older half every second stays.
    const auto older = m_evaluations.begin() + keptEvaluations;
    bool stays = false;
    m_evaluations.erase(
        std::remove_if(m_evaluations.begin(), older, [&stays](const EvaluationPoint &) { return !(stays = !stays); }),
        older);
}

void RunModel::undoFrom(qint64 round) {
    if (m_rounds.empty() || m_rounds.back().round < round)
        return;
    const double before = timeBefore(round);
    while (!m_rounds.empty() && m_rounds.back().round >= round)
        m_rounds.pop_back();
    if (m_rounds.empty())
        m_forgottenTimes.resize(std::min(m_forgottenTimes.size(), static_cast<std::size_t>(round / timeInterval) + 1));
    if (m_firstRound && m_firstRound->round >= round)
        m_firstRound.reset();
    m_series.dropAfter(before);
    if (std::erase_if(m_evaluations, [round](const EvaluationPoint &point) { return point.round >= round; }) > 0)
        m_series.setEvaluations(m_evaluations);
    // Its weights are still kept; their evaluation comes again.
    if (m_best && m_best->round >= round)
        m_series.setBest({});
    Q_EMIT roundsUndone();
}

/// Until when the series hold if this round and all later ones are undone; -1: they hold nothing.
double RunModel::timeBefore(qint64 round) const {
    const auto first =
        std::ranges::lower_bound(m_rounds, round, {}, [](const RoundPoint &point) { return point.round; });
    if (first != m_rounds.begin())
        return std::prev(first)->t;
    if (m_forgottenTimes.empty())
        return -1;
    // Somewhat less than what is undone is better than more than is known.
    const auto index = static_cast<std::size_t>(std::max<qint64>(0, (round - 1) / timeInterval));
    return m_forgottenTimes[std::min(index, m_forgottenTimes.size() - 1)];
}

void RunModel::keep(const RoundPoint &point) {
    if (m_rounds.size() == 2 * keptRounds) {
        const auto end = m_rounds.begin() + keptRounds;
        for (auto old = m_rounds.begin(); old != end; ++old) {
            const auto index = static_cast<std::size_t>(old->round / timeInterval);
            if (index >= m_forgottenTimes.size())
                m_forgottenTimes.resize(index + 1, old->t);
        }
        m_rounds.erase(m_rounds.begin(), end);
    }
    m_rounds.reserve(2 * keptRounds);
    m_rounds.push_back(point);
    if (!m_firstRound)
        m_firstRound = point;
}

}  // namespace hearth
