#include "core/plan/edit/balance.h"

#include <cmath>
#include <numeric>

#include "core/base/at.h"

namespace hearth {
LayerWeights::LayerWeights(const CostModel &model, int samples) {
    const int devices = model.deviceCount(), layers = model.layerCount();
    m_before.assign(at(layers) + 1, 0);
    for (int device = 0; device < devices; ++device) {
        const CostModel::Prefix sums = model.prefix(device, samples);
        for (int l = 1; l <= layers; ++l)
            m_before[at(l)] += (sums.forward[l] + sums.backward[l]) / devices;
    }
    for (int device = 0; device < devices; ++device) {
        const LayerSeconds whole = model.stageSeconds(device, 0, layers, samples);
        const double seconds = whole.forward + whole.backward;
        m_speed.push_back(seconds > 0 ? std::max(m_before.back(), 1e-12) / seconds : 1);
    }
}

double LayerWeights::speed(const std::vector<int> &devices) const {
    return std::accumulate(devices.begin(), devices.end(), 0.0,
                           [this](double sum, int device) { return sum + speed(device); });
}

std::vector<int> LayerWeights::cuts(int firstLayer, int lastLayer, const std::vector<double> &speeds) const {
    const int stages = static_cast<int>(speeds.size());
    const double all = std::accumulate(speeds.begin(), speeds.end(), 0.0);
    std::vector<int> result{firstLayer};
    double before = 0;
    for (int k = 1; k < stages; ++k) {
        before += speeds[at(k - 1)];
        const double wanted = m_before[at(firstLayer)] + weight(firstLayer, lastLayer) * before / all;
        int best = result.back() + 1;
        const int latest = lastLayer - (stages - k);
        for (int l = best + 1; l <= latest; ++l) {
            if (std::abs(m_before[at(l)] - wanted) < std::abs(m_before[at(best)] - wanted))
                best = l;
        }
        result.push_back(best);
    }
    result.push_back(lastLayer);
    return result;
}

}  // namespace hearth
