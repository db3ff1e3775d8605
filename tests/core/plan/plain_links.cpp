#include "tests/core/plan/plain_links.h"

#include <algorithm>

#include "core/base/at.h"

namespace hearth::test {

int placeOf(const PlanningProblem &problem, const QString &id) {
    for (std::size_t d = 0; d < problem.devices.size(); ++d) {
        if (problem.devices[d].id == id)
            return static_cast<int>(d);
    }
    return -1;
}

PlainLinks::PlainLinks(const PlanningProblem &problem) {
    const std::size_t count = problem.devices.size();
    const LinkProfile &links = problem.links;
    const double usual = links.fallback ? links.fallback->bytesPerSecond : 0;
    rate.assign(count, std::vector<double>(count, usual));
    latency.assign(count, std::vector<double>(count, links.fallback ? links.fallback->latencySeconds : 0));
    for (const auto &pair : links.pairs) {
        const std::size_t from = at(placeOf(problem, pair.from)), to = at(placeOf(problem, pair.to));
        rate[from][to] = pair.bytesPerSecond;
        if (pair.latencySeconds)
            latency[from][to] = *pair.latencySeconds;
    }
    for (const auto &each : links.media)
        airRate.push_back(each.bytesPerSecond);
    half.assign(count, links.fallback && links.fallback->duplex == Duplex::Half);
    ownCard.assign(count, false);
    for (const auto &pair : links.pairs) {
        for (const QString &id : {pair.from, pair.to})
            ownCard[at(placeOf(problem, id))] = true;
    }
    medium.assign(count, -1);
    up.assign(count, 0);
    down.assign(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < count; ++j) {
            up[i] = i == j ? up[i] : std::max(up[i], rate[i][j]);
            down[i] = i == j ? down[i] : std::max(down[i], rate[j][i]);
        }
    }
    for (const auto &nic : links.nics) {
        const std::size_t d = at(placeOf(problem, nic.id));
        if (nic.upBytesPerSecond || nic.downBytesPerSecond)
            ownCard[d] = true;
        up[d] = nic.upBytesPerSecond.value_or(up[d]);
        down[d] = nic.downBytesPerSecond.value_or(down[d]);
        if (nic.duplex)
            half[d] = *nic.duplex == Duplex::Half;
        for (std::size_t m = 0; m < links.media.size(); ++m) {
            if (links.media[m].id == nic.medium) {
                medium[d] = static_cast<int>(m);
                half[d] = true;
            }
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < count; ++j) {
            rate[i][j] = std::min({rate[i][j], up[i], down[j]});
            for (const std::size_t d : {i, j}) {
                if (medium[d] >= 0)
                    rate[i][j] = std::min(rate[i][j], airRate[at(medium[d])]);
            }
        }
    }
}

}  // namespace hearth::test
