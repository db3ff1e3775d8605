#include "core/run/drift_patience.h"

#include <algorithm>
#include <utility>

#include "core/base/median.h"
#include "core/run/replan_choice.h"

namespace hearth {
namespace {

/// Who computes what; schedule, codecs, and what is in flight or computed again, may differ.
bool sameParts(const Plan &a, const Plan &b) {
    return a.microBatch == b.microBatch && std::equal(a.stages.begin(), a.stages.end(), b.stages.begin(),
                                                      b.stages.end(), [](const PlanStage &one, const PlanStage &other) {
                                                          return one.firstLayer == other.firstLayer &&
                                                                 one.lastLayer == other.lastLayer &&
                                                                 one.shares == other.shares;
                                                      });
}

/// A device that nothing was known of was as fast as its profile says.
bool sameSpeeds(const CapacityFactors &then, const CapacityFactors &now) {
    constexpr double same = 1.25;
    return std::all_of(now.keyBegin(), now.keyEnd(), [&](const QString &device) {
        const double before = then.value(device, 1), after = now.value(device);
        return after <= same * before && before <= same * after;
    });
}

}  // namespace

void DriftPatience::roundTook(double seconds) {
    // The first one after a change fills the pipeline anew.
    if (std::exchange(m_warmingUp, false))
        return;
    m_rounds.push_back(seconds);
    m_sum += seconds;
    while (m_rounds.size() > looked && m_sum - m_rounds.front() >= lookedSeconds) {
        m_sum -= m_rounds.front();
        m_rounds.pop_front();
    }
    if (!m_judging || !hasLooked())
        return;
    m_judging = false;
    const double since = typical(m_rounds.size());
    const double gain = m_before > 0 ? 1 - since / m_before : 0;
    if (gain >= m_promised / 2) {
        m_wait = shortestWait;
        return;
    }
    m_wait = std::min(2 * m_wait, longestWait);
    if (gain < -ReplanRule().leastGain)
        m_regret = Regret{m_promise.from, m_before, since};
    m_broken.push_back(m_promise);
    if (m_broken.size() > remembered)
        m_broken.pop_front();
}

std::optional<DriftPatience::Regret> DriftPatience::takeRegret(const CapacityFactors &speeds) {
    auto regret = std::exchange(m_regret, std::nullopt);
    return regret && sameSpeeds(m_promise.speeds, speeds) ? regret : std::nullopt;
}

double DriftPatience::typical(std::size_t newest) const {
    const auto count = static_cast<std::ptrdiff_t>(std::min(newest, m_rounds.size()));
    return count == 0 ? 0 : medianOf(std::vector<double>(m_rounds.end() - count, m_rounds.end()));
}

void DriftPatience::planChanged() {
    m_judging = false;
    m_regret.reset();
    m_rounds.clear();
    m_sum = 0;
    m_warmingUp = true;
}

void DriftPatience::switched(double now, double promisedGain, const Plan &from, const Plan &to,
                             const CapacityFactors &speeds, Verdict verdict) {
    // Where a device has just become slower, most rounds of that time are from before.
    m_before = std::max(typical(m_rounds.size()), typical(newestLooked));
    const bool isJudged = verdict == Verdict::Due && hasLooked();
    planChanged();
    m_judging = isJudged;
    m_promised = promisedGain;
    m_switchedAt = now;
    m_promise = {from, to, speeds, now};
}

bool DriftPatience::disappointed(double now, const Plan &plan, const CapacityFactors &speeds) const {
    return std::any_of(m_broken.begin(), m_broken.end(), [&](const Promise &broken) {
        return now - broken.at < forgives && sameParts(broken.plan, plan) && sameSpeeds(broken.speeds, speeds);
    });
}

}  // namespace hearth
