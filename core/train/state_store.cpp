#include "core/train/state_store.h"

#include <algorithm>

namespace hearth {

StateStore::State StateStore::find(int layer, quint64 version) const {
    const auto versions = m_layers.find(layer);
    if (versions == m_layers.end())
        return {};
    const auto state = versions->second.find(version);
    return state == versions->second.end() ? State() : state->second.state;
}

bool StateStore::holdsAll(int firstLayer, int lastLayer, quint64 version) const {
    for (int layer = firstLayer; layer < lastLayer; ++layer) {
        if (!find(layer, version))
            return false;
    }
    return true;
}

void StateStore::commit(quint64 version) {
    m_committed = std::max(m_committed, version);
    // Also of layers that others have now: here is nothing newer of them, ever.
    for (auto &[layer, versions] : m_layers)
        versions.erase(versions.begin(), versions.lower_bound(m_committed));
}

void StateStore::keepNewest(int firstLayer, int lastLayer, int versions, const std::set<quint64> &pinned) {
    for (auto layer = m_layers.lower_bound(firstLayer); layer != m_layers.lower_bound(lastLayer); ++layer) {
        auto &states = layer->second;
        auto excess = static_cast<std::ptrdiff_t>(states.size()) - versions;
        for (auto state = states.begin(); excess > 0; --excess) {
            const bool stays = state->first == m_committed || pinned.contains(state->first);
            state = stays ? std::next(state) : states.erase(state);
        }
    }
}

void StateStore::forgetAfter(quint64 version) {
    m_committed = std::min(m_committed, version);
    for (auto &[layer, versions] : m_layers)
        versions.erase(versions.upper_bound(version), versions.end());
}

void StateStore::forgetBy(const TermOrigins &origins) {
    for (auto &[layer, versions] : m_layers) {
        std::erase_if(versions, [&](const auto &each) {
            const quint64 newest = origins.newestAfter(each.second.term);
            if (each.first <= newest)
                return false;
            m_committed = std::min(m_committed, newest);
            return true;
        });
    }
}

void StateStore::clear() {
    m_layers.clear();
    m_committed = 0;
}

std::vector<HeldState> StateStore::held() const {
    std::map<quint64, std::vector<HeldState>, std::greater<>> ranges;
    for (const auto &[layer, versions] : m_layers) {
        for (const auto &[version, entry] : versions) {
            auto &known = ranges[version];
            if (!known.empty() && known.back().lastLayer == layer)
                known.back().lastLayer = layer + 1;
            else
                known.push_back({version, layer, layer + 1});
        }
    }
    std::vector<HeldState> held;
    for (const auto &[version, known] : ranges)
        held.insert(held.end(), known.begin(), known.end());
    return held;
}

qint64 StateStore::bytes() const {
    qint64 bytes = 0;
    for (const auto &[layer, versions] : m_layers) {
        for (const auto &[version, entry] : versions)
            bytes += entry.state->size();
    }
    return bytes;
}

}  // namespace hearth
