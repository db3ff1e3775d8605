#include "core/plan/search/cut_points.h"

#include <numeric>

namespace hearth {

std::vector<int> cutPoints(const CostModel &model, int parts) {
    const int layers = model.layerCount();
    std::vector<int> cuts;
    if (parts >= layers) {
        cuts.resize(static_cast<std::size_t>(layers) + 1);
        std::iota(cuts.begin(), cuts.end(), 0);
        return cuts;
    }
    std::vector<double> done(static_cast<std::size_t>(layers) + 1, 0);  // mean work of the layers before
    const int samples = std::max(1, model.problem().batch / 8);
    for (int d = 0; d < model.deviceCount(); ++d) {
        const LayerSeconds whole = model.stageSeconds(d, 0, layers, samples);
        const double all = std::max(whole.forward + whole.backward, 1e-300);
        for (int l = 1; l <= layers; ++l) {
            const LayerSeconds own = model.stageSeconds(d, 0, l, samples);
            done[static_cast<std::size_t>(l)] += (own.forward + own.backward) / all;
        }
    }
    const auto bytes = [&](int layer) { return model.leastSent(model.traffic(layer).forward); };
    cuts.push_back(0);
    for (int part = 1; part < parts; ++part) {
        const auto layerAt = [&](double share) {
            return static_cast<int>(std::lower_bound(done.begin(), done.end(), share * done.back()) - done.begin());
        };
        const int from = std::max(cuts.back() + 1, layerAt((part - 0.5) / parts));
        const int to = std::min(layers - 1, std::max(from, layerAt((part + 0.5) / parts) - 1));
        if (from > to)
            continue;
        int best = std::clamp(layerAt(1.0 * part / parts), from, to);
        for (int layer = from; layer <= to; ++layer) {
            if (bytes(layer) < bytes(best))
                best = layer;
        }
        cuts.push_back(best);
    }
    cuts.push_back(layers);
    return cuts;
}

}  // namespace hearth
