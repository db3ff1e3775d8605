#include "core/plan/play/fair_share.h"

#include <algorithm>

#include "core/base/at.h"

namespace hearth {
namespace {

/// Places that fill at the same level are full together, whatever rounding made of their sums.
constexpr double rounding = 1e-12;

}  // namespace

int FairShare::addPlace() {
    m_places.emplace_back();
    return static_cast<int>(m_places.size()) - 1;
}

int FairShare::addFlow(double mostRate) {
    m_flows.emplace_back().mostRate = mostRate;
    return static_cast<int>(m_flows.size()) - 1;
}

void FairShare::pass(int flow, int place, double bytesPerSecond) {
    Flow &own = m_flows[at(flow)];
    own.uses[at(own.useCount++)] = {place, 1 / bytesPerSecond};
}

/// The rate at which the first place on the way, or the flow's own limit, would stop all flows that still grow.
double FairShare::levelOf(const Flow &flow) const {
    double level = flow.mostRate;
    for (int i = 0; i < flow.useCount; ++i) {
        const Place &place = m_places[at(flow.uses[at(i)].place)];
        level = std::min(level, place.left / place.wanted);
    }
    return level;
}

void FairShare::settle(const Flow &flow, double rate) {
    for (int i = 0; i < flow.useCount; ++i) {
        const Use &use = flow.uses[at(i)];
        Place &place = m_places[at(use.place)];
        place.left = std::max(0.0, place.left - use.part * rate);
        place.wanted = --place.open > 0 ? place.wanted - use.part : 0;
    }
}

void FairShare::share(const std::vector<int> &flows, std::vector<double> *rates) {
    rates->resize(m_flows.size());
    for (Place &place : m_places)
        place = Place{};
    for (const int index : flows) {
        const Flow &flow = m_flows[at(index)];
        for (int i = 0; i < flow.useCount; ++i) {
            Place &place = m_places[at(flow.uses[at(i)].place)];
            place.wanted += flow.uses[at(i)].part;
            ++place.open;
        }
    }
    m_open = flows;
    while (!m_open.empty()) {
        double level = m_flows[at(m_open.front())].mostRate;
        for (const int index : m_open)
            level = std::min(level, levelOf(m_flows[at(index)]));
        // Levels are read before any flow settles: what settles first must not free room for the others.
        const auto full = std::stable_partition(m_open.begin(), m_open.end(), [&](int index) {
            return levelOf(m_flows[at(index)]) > level * (1 + rounding);
        });
        for (auto flow = full; flow != m_open.end(); ++flow) {
            (*rates)[at(*flow)] = level;
            settle(m_flows[at(*flow)], level);
        }
        m_open.erase(full, m_open.end());
    }
}

}  // namespace hearth
