#include "core/plan/search/work_bound.h"

#include "core/base/at.h"
#include "core/plan/seconds.h"

namespace hearth {
namespace {

/// Times of layers are differences of rounded sums.
constexpr double lessRounding = 1 - 1e-9;
/// Every number of samples is looked at up to there, then one in fifty.
constexpr int looked = 128;

}  // namespace

WorkBound::WorkBound(const CostModel &model, int microBatch) : m_microBatch(microBatch) {
    const int layers = model.layerCount();
    for (int d = 0; d < model.deviceCount(); ++d) {
        auto &rows = m_work.emplace_back(at(layers), Seconds{never, never, never});
        for (int samples = 1, next = 1; samples <= microBatch; samples = next) {
            // Up to there times are at least those at `samples`: they never fall.
            next = samples < looked ? samples + 1 : samples + samples / 50;
            const int most = std::min(next - 1, microBatch);
            const CostModel::Prefix sums = model.prefix(d, samples);
            for (int l = 0; l < layers; ++l) {
                const double forward = sums.forward[l + 1] - sums.forward[l];
                const double once = forward + sums.backward[l + 1] - sums.backward[l];
                rows[at(l)].once = std::min(rows[at(l)].once, std::max(0.0, once * lessRounding / most));
                rows[at(l)].forward = std::min(rows[at(l)].forward, std::max(0.0, forward * lessRounding / most));
                const double path = once - (sums.weights[l + 1] - sums.weights[l]);
                rows[at(l)].path = std::min(rows[at(l)].path, std::max(0.0, path * lessRounding / most));
            }
        }
        double sum = 0;
        for (const Seconds &each : rows)
            sum += each.once;
        m_speed.push_back(1 / std::max(sum, 1e-300));
        for (Seconds &each : rows) {
            each.once *= m_speed.back();
            each.forward *= m_speed.back();
            each.path *= m_speed.back();
        }
    }
}

std::vector<WorkBound::Seconds> WorkBound::before(const std::vector<int> &cuts, const std::vector<int> &devices) const {
    std::vector<Seconds> result(cuts.size(), Seconds{never, never, never});
    result[0] = {};
    if (devices.empty())
        return result;
    double speed = 0;
    for (const int d : devices)
        speed += m_speed[at(d)];
    Seconds sum;
    for (std::size_t part = 1; part < cuts.size(); ++part) {
        for (int l = cuts[part - 1]; l < cuts[part]; ++l) {
            Seconds least{never, never, never};
            for (const int d : devices) {
                least.once = std::min(least.once, m_work[at(d)][at(l)].once);
                least.forward = std::min(least.forward, m_work[at(d)][at(l)].forward);
                least.path = std::min(least.path, m_work[at(d)][at(l)].path);
            }
            sum.once += least.once;
            sum.forward += least.forward;
            sum.path += least.path;
        }
        result[part] = {m_microBatch * sum.once / speed, m_microBatch * sum.forward / speed,
                        m_microBatch * sum.path / speed};
    }
    return result;
}

double WorkBound::leastRoundSeconds(const CostModel &model) const {
    const int microBatches = model.problem().batch / m_microBatch;
    return microBatches * before({0, model.layerCount()}, model.devicesById()).back().once;
}

double leastRoundSeconds(const CostModel &model, int microBatch) {
    return WorkBound(model, microBatch).leastRoundSeconds(model);
}

}  // namespace hearth
