#include "core/profile/complete_times.h"

#include "core/profile/cost_source.h"

namespace hearth {
namespace {

std::vector<std::size_t> commonLayers(const TimeTable &a, const TimeTable &b) {
    std::vector<std::size_t> common;
    for (std::size_t l = 0; l < a.forward.size(); ++l) {
        if (a.isMeasured(l) && b.isMeasured(l))
            common.push_back(l);
    }
    return common;
}

/// Who measured the layer and has most layers in common with the device.
std::optional<std::size_t> nearest(const std::vector<TimeTable> &tables, std::size_t device, std::size_t layer) {
    std::optional<std::size_t> best;
    std::size_t most = 0;
    for (std::size_t other = 0; other < tables.size(); ++other) {
        if (!tables[other].isMeasured(layer))
            continue;
        if (const std::size_t common = commonLayers(tables[device], tables[other]).size(); common > most) {
            most = common;
            best = other;
        }
    }
    return best;
}

/// How many times as long the sum takes; as long where the other takes no time at all.
double ratio(double own, double other) {
    return other > 0 ? own / other : 1;
}

}  // namespace

std::optional<UnknownTimes> unknownTimes(const std::vector<TimeTable> &tables) {
    for (std::size_t d = 0; d < tables.size(); ++d) {
        for (std::size_t l = 0; l < tables[d].forward.size(); ++l) {
            if (!tables[d].isMeasured(l) && !nearest(tables, d, l))
                return UnknownTimes{d, l};
        }
    }
    return std::nullopt;
}

std::vector<TimeTable> completeTimes(std::vector<TimeTable> tables) {
    const std::vector<TimeTable> measured = tables;
    for (std::size_t d = 0; d < tables.size(); ++d) {
        for (std::size_t l = 0; l < tables[d].forward.size(); ++l) {
            if (measured[d].isMeasured(l))
                continue;
            const std::size_t other = *nearest(measured, d, l);
            const MeasuredCosts costs({measured[other]});
            const std::vector<std::size_t> common = commonLayers(measured[d], measured[other]);
            for (std::size_t i = 0; i < measured[d].batch.size(); ++i) {
                const int samples = measured[d].batch[i];
                LayerSeconds own, others;
                for (const std::size_t shared : common) {
                    const LayerSeconds there = costs.seconds(0, static_cast<int>(shared), samples);
                    own.forward += measured[d].forward[shared][i];
                    own.backward += measured[d].backward[shared][i];
                    others.forward += there.forward;
                    others.backward += there.backward;
                }
                const LayerSeconds there = costs.seconds(0, static_cast<int>(l), samples);
                tables[d].forward[l].push_back(there.forward * ratio(own.forward, others.forward));
                const double backward = ratio(own.backward, others.backward);
                tables[d].backward[l].push_back(there.backward * backward);
                if (!tables[d].weights.empty())
                    tables[d].weights[l].push_back(there.weights * backward);
            }
        }
    }
    return tables;
}

}  // namespace hearth
