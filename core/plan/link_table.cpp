#include "core/plan/link_table.h"

#include <QHash>
#include <algorithm>

namespace hearth {

LinkTable::LinkTable(const PlanningProblem &problem) {
    const LinkProfile &links = problem.links;
    const std::size_t count = problem.devices.size();
    const LinkProfile::Link fallback = links.fallback.value_or(LinkProfile::Link{});
    m_rate.assign(count * count, fallback.bytesPerSecond);
    m_latency.assign(count * count, fallback.latencySeconds);
    m_half.assign(count * count, 0);
    m_up.assign(count, 0);
    m_down.assign(count, 0);
    m_medium.assign(count, -1);
    m_ownCard.assign(count, 0);
    m_uniform = links.fallback && links.nics.empty() && links.media.empty() && links.pairs.empty();

    QHash<QString, int> places;
    for (std::size_t i = 0; i < count; ++i)
        places.insert(problem.devices[i].id, static_cast<int>(i));
    for (const LinkProfile::Pair &pair : links.pairs) {
        const std::size_t at = index(places.value(pair.from), places.value(pair.to));
        m_rate[at] = pair.bytesPerSecond;
        m_latency[at] = pair.latencySeconds.value_or(fallback.latencySeconds);
        m_ownCard[at / count] = m_ownCard[at % count] = 1;
    }
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < count; ++j) {
            if (i == j)
                continue;
            m_up[i] = std::max(m_up[i], m_rate[i * count + j]);
            m_down[i] = std::max(m_down[i], m_rate[j * count + i]);
        }
    }
    QHash<QString, int> media;
    for (const LinkProfile::Medium &medium : links.media) {
        media.insert(medium.id, static_cast<int>(m_mediumRate.size()));
        m_mediumRate.push_back(medium.bytesPerSecond);
    }
    std::vector<char> half(count, fallback.duplex == Duplex::Half ? 1 : 0);
    for (const LinkProfile::Nic &nic : links.nics) {
        const auto at = static_cast<std::size_t>(places.value(nic.id));
        if (nic.upBytesPerSecond || nic.downBytesPerSecond)
            m_ownCard[at] = 1;
        m_up[at] = nic.upBytesPerSecond.value_or(m_up[at]);
        m_down[at] = nic.downBytesPerSecond.value_or(m_down[at]);
        if (nic.duplex)
            half[at] = *nic.duplex == Duplex::Half ? 1 : 0;
        if (!nic.medium.isEmpty()) {
            m_medium[at] = media.value(nic.medium);
            half[at] = 1;  // air carries one transfer at a time
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < count; ++j) {
            double &rate = m_rate[i * count + j];
            rate = std::min({rate, m_up[i], m_down[j]});
            for (const int medium : {m_medium[i], m_medium[j]}) {
                if (medium >= 0)
                    rate = std::min(rate, m_mediumRate[static_cast<std::size_t>(medium)]);
            }
            m_half[i * count + j] = half[i] != 0 || half[j] != 0 ? 1 : 0;
        }
    }
    m_slowestFrom.assign(count, 0);
    m_slowestTo.assign(count, 0);
    for (std::size_t at = 0; at < count * count; ++at) {
        const double rate = m_rate[at];
        if (at / count == at % count || rate <= 0)
            continue;
        m_fastest = std::max(m_fastest, rate);
        for (double *slowest : {&m_slowest, &m_slowestFrom[at / count], &m_slowestTo[at % count]})
            *slowest = *slowest > 0 ? std::min(*slowest, rate) : rate;
    }
}

}  // namespace hearth
