#include "core/run/drift_patience.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace hearth {
namespace {

/// Who computes what; how much is in flight may differ.
bool sameParts(const Plan &a, const Plan &b) {
    return a.microBatch == b.microBatch && std::equal(a.stages.begin(), a.stages.end(), b.stages.begin(),
                                                      b.stages.end(), [](const PlanStage &one, const PlanStage &other) {
                                                          return one.firstLayer == other.firstLayer &&
                                                                 one.lastLayer == other.lastLayer &&
                                                                 one.shares == other.shares;
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
    if (!m_judging || m_rounds.size() < looked || m_sum < lookedSeconds)
        return;
    m_judging = false;
    const double gain = m_before > 0 ? 1 - mean() / m_before : 0;
    if (gain >= m_promised / 2) {
        m_wait = shortestWait;
        return;
    }
    m_wait = std::min(2 * m_wait, longestWait);
    m_broken.push_back(m_promise);
    if (m_broken.size() > remembered)
        m_broken.pop_front();
}

void DriftPatience::planChanged() {
    m_judging = false;
    m_rounds.clear();
    m_sum = 0;
    m_warmingUp = true;
}

void DriftPatience::switched(double now, double promisedGain, const Plan &to, const CapacityFactors &speeds) {
    // Where a device has just become slower, most rounds of that time are from before.
    const auto newest = std::min(m_rounds.size(), newestLooked);
    const double lately = std::accumulate(m_rounds.end() - static_cast<std::ptrdiff_t>(newest), m_rounds.end(), 0.0);
    m_before = newest == 0 ? 0 : std::max(mean(), lately / static_cast<double>(newest));
    m_rounds.clear();
    m_sum = 0;
    m_promised = promisedGain;
    m_switchedAt = now;
    m_judging = m_warmingUp = true;
    m_promise = {to, speeds, now};
}

bool DriftPatience::disappointed(double now, const Plan &plan, const CapacityFactors &speeds) const {
    return std::any_of(m_broken.begin(), m_broken.end(), [&](const Promise &broken) {
        if (now - broken.at >= forgives || !sameParts(broken.plan, plan))
            return false;
        const QStringList devices = speeds.keys();
        return std::all_of(devices.begin(), devices.end(), [&](const QString &device) {
            const double then = broken.speeds.value(device, 1), here = speeds.value(device);
            return here <= sameSpeed * then && then <= sameSpeed * here;
        });
    });
}

}  // namespace hearth
