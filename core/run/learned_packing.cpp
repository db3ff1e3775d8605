#include "core/run/learned_packing.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/at.h"
#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

struct PackedSum {
    double encoded = 0, packed = 0;
    double part() const { return std::clamp(packed / encoded, ProfileLimits::leastPacked, 1.0); }
};

bool areNear(double one, double other) {
    const auto [least, most] = std::minmax({one, other});
    return most <= LearnedPacking::near * least || most - least < LearnedPacking::leastNews;
}

double meanOf(const std::deque<double> &values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double partOf(const PackedParts &parts, CutWay way) {
    return way == CutWay::Forward ? parts.forward : way == CutWay::Backward ? parts.backward : parts.active;
}

QString codecName(quint8 codec) {
    return QString::fromLatin1(codecByNumber(codec)->name);
}

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
        if (newest.size() < looked || !areNear(least, most))
            continue;
        const double mean = meanOf(newest);
        const auto known = m_parts.find(way);
        if (known != m_parts.end() && areNear(mean, known->second))
            continue;
        m_parts[way] = mean;
        isNews = true;
    }
    return isNews;
}

PlanningProblem LearnedPacking::corrected(PlanningProblem problem) const {
    if (m_parts.empty())
        return problem;
    const std::vector<LayerFacts> measured = problem.layers;
    const auto hasLayer = [&measured](int layer) { return at(layer) < measured.size(); };
    const auto measuredPart = [&measured](int layer, quint8 codec, CutWay way) {
        return partOf(measured[at(layer)].packed.value(codecName(codec)), way);
    };
    std::map<std::pair<quint8, CutWay>, std::deque<double>> ratios;  // learned by measured
    for (const auto &[way, part] : m_parts) {
        const auto [layer, codec, direction] = way;
        if (hasLayer(layer))
            ratios[{codec, direction}].push_back(part / measuredPart(layer, codec, direction));
    }
    // Data pack better or worse than the noise that all cuts were measured on. Were only those cuts corrected that the
    // run has had, plans with other cuts would seem slower or faster than the plan in force for that reason alone.
    for (const auto &[kind, ofCuts] : ratios) {
        const auto [codec, direction] = kind;
        const double ratio = meanOf(ofCuts);
        for (int layer = 0; hasLayer(layer); ++layer) {
            if (m_parts.contains({layer, codec, direction}))
                continue;
            const double part = ratio * measuredPart(layer, codec, direction);
            learnPart(problem.layers[at(layer)].packed[codecName(codec)], direction,
                      std::clamp(part, ProfileLimits::leastPacked, 1.0));
        }
    }
    for (const auto &[way, part] : m_parts) {
        const auto [layer, codec, direction] = way;
        if (hasLayer(layer))
            learnPart(problem.layers[at(layer)].packed[codecName(codec)], direction, part);
    }
    return problem;
}

}  // namespace hearth
