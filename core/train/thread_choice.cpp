#include "core/train/thread_choice.h"

#include <algorithm>
#include <array>

#include "core/base/median.h"

namespace hearth {

void ThreadChoice::restart() {
    m_trials.clear();
    m_best = 0;
    m_rounds = 0;
    use(m_settled);
}

void ThreadChoice::use(int threads) {
    m_now = threads;
    m_warmingUp = true;
    m_recent.clear();
}

void ThreadChoice::took(double seconds) {
    if (m_most == 1)
        return;
    // After a change, too: threads start, and caches are cold.
    if (m_warmingUp) {
        m_warmingUp = false;
        return;
    }
    const bool isTrial = !m_trials.empty();
    m_recent.push_back(seconds);
    if (m_recent.size() < roundsOfTrial && !(isTrial && seconds > hopeless * m_best))
        return;
    const double typical = medianOf(m_recent);
    m_recent.clear();
    if (isTrial)
        judgeTrial(typical);
    else
        judgeSettled(typical);
}

bool ThreadChoice::tryOthers(bool more) {
    m_more = more;
    m_tried = {};
    m_rounds = 0;
    m_trials.clear();
    const int k = m_settled;
    const std::array away =
        more ? std::array{(8 * k + 6) / 7, (4 * k + 2) / 3, 2 * k} : std::array{7 * k / 8, 3 * k / 4, k / 2};
    for (const int threads : away) {
        const int possible = std::clamp(threads, 1, m_most);
        if (possible != k && (m_trials.empty() || m_trials.back() != possible))
            m_trials.push_back(possible);
    }
    if (m_trials.empty())
        return false;
    use(m_trials.front());
    return true;
}

void ThreadChoice::judgeTrial(double seconds) {
    if (seconds < m_tried.seconds)
        m_tried = {m_now, seconds};
    const bool isFarthest = m_tried.threads == m_now;
    m_trials.erase(m_trials.begin());
    if (!m_trials.empty())
        return use(m_trials.front());
    const bool gains = m_tried.seconds < (1 - leastGain) * m_best;
    if (gains) {
        m_settled = m_tried.threads;
        m_best = m_tried.seconds;
        m_pause = roundsUntilMore;
    } else if (m_more) {
        m_pause = std::min(2 * m_pause, mostRoundsUntilMore);
    }
    if (!(gains && isFarthest && tryOthers(m_more)))
        use(m_settled);
}

void ThreadChoice::judgeSettled(double seconds) {
    const bool isNews = m_best == 0 || seconds > surprise * m_best;
    m_best = isNews ? seconds : std::min(m_best, seconds);
    m_rounds += roundsOfTrial;
    if (!isNews && m_rounds < m_pause)
        return;
    if (!(isNews && tryOthers(false)))
        tryOthers(true);
}

}  // namespace hearth
