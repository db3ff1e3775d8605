#include "core/run/learned_packing.h"

#include <algorithm>
#include <numeric>

#include "core/base/at.h"
#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

struct PackedSum {
    double encoded = 0, packed = 0;
    double part() const { return std::clamp(packed / encoded, ProfileLimits::leastPacked, 1.0); }
};

void learnPart(PackedParts &parts, CutWay way, double part) {
    switch (way) {
        case CutWay::Forward:
            parts.forward = part;
            break;
        case CutWay::Backward:
            parts.backward = part;
            parts.active = std::min(parts.active, part);  // leaving values out leaves no more
            break;
        case CutWay::Active:
            parts.active = part;
            parts.backward = std::max(parts.backward, part);
            break;
    }
}

}  // namespace

void LearnedPacking::planned(const Plan &plan) {
    m_layers.clear();
    m_newest.clear();
    for (std::size_t s = 0; s + 1 < plan.stages.size(); ++s)
        m_layers.push_back(plan.stages[s].lastLayer - 1);
}

bool LearnedPacking::take(const std::vector<CutPacking> &round) {
    std::map<Way, PackedSum> sums;
    for (const CutPacking &own : round) {
        if (own.cut < 0 || at(own.cut) >= m_layers.size() || own.encoded <= 0)
            continue;
        PackedSum &sum = sums[{m_layers[at(own.cut)], own.codec->number, own.way}];
        sum.encoded += static_cast<double>(own.encoded);
        sum.packed += static_cast<double>(own.packed);
    }
    bool isNews = false;
    for (const auto &[way, sum] : sums) {
        std::deque<double> &newest = m_newest[way];
        newest.push_back(sum.part());
        if (newest.size() > looked)
            newest.pop_front();
        const auto [least, most] = std::ranges::minmax(newest);
        if (newest.size() < looked || most > near * least)
            continue;
        const double mean = std::accumulate(newest.begin(), newest.end(), 0.0) / static_cast<double>(looked);
        const auto known = m_parts.find(way);
        if (known != m_parts.end() && std::max(mean, known->second) <= near * std::min(mean, known->second))
            continue;
        m_parts[way] = mean;
        isNews = true;
    }
    return isNews;
}

PlanningProblem LearnedPacking::corrected(PlanningProblem measured) const {
    for (const auto &[way, part] : m_parts) {
        const auto [layer, codec, direction] = way;
        if (at(layer) >= measured.layers.size())
            continue;
        const QString name = QString::fromLatin1(codecByNumber(codec)->name);
        learnPart(measured.layers[at(layer)].packed[name], direction, part);
    }
    return measured;
}

}  // namespace hearth
