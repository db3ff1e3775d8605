#include "core/predict/knowledge.h"

#include <algorithm>
#include <cmath>

namespace hearth {
namespace {

/// Standard deviations where no pair is known: two devices differ by a factor of e, kinds by less, the rest bends it.
/// The made-up device is a worse reference.
WeightBelief broad(bool againstDevice) {
    WeightBelief weights;
    for (std::size_t i = 0; i < featureCount; ++i) {
        const bool isShare = i >= 1 && i <= workKinds, isBent = i > workKinds;
        const double deviation = isShare ? 0.5 : isBent ? 0.15 : 1.0;
        weights.covariance[i][i] = std::pow(againstDevice ? deviation : 2 * deviation, 2);
    }
    return weights;
}

constexpr double usualNoise = 0.03;  // 17 %: a measurement that is repeated differs by 10
/// So many pairs weigh as much as broad().
constexpr double broadPairs = 2;

/// Empirical Bayes: one step of expectation-maximisation for mean and covariance over pairs.
RatioBelief pooled(const std::vector<const RatioBelief *> &known, bool againstDevice) {
    WeightBelief prior = broad(againstDevice);
    if (known.empty())
        return RatioBelief::from(prior, againstDevice ? usualNoise : 4 * usualNoise);
    const double all = static_cast<double>(known.size()) + broadPairs;
    std::vector<WeightBelief> weights;
    double noise = broadPairs * (againstDevice ? usualNoise : 4 * usualNoise);
    for (const RatioBelief *belief : known) {
        weights.push_back(belief->weights());
        noise += belief->noise;
        for (std::size_t i = 0; i < featureCount && !againstDevice; ++i)
            prior.mean[i] += weights.back().mean[i] / all;
    }
    for (Features &row : prior.covariance) {
        for (double &value : row)
            value *= broadPairs / all;
    }
    for (const WeightBelief &each : weights) {
        Features difference{};
        for (std::size_t i = 0; i < featureCount; ++i) {
            difference[i] = each.mean[i] - prior.mean[i];
            for (std::size_t j = 0; j < featureCount; ++j)
                prior.covariance[i][j] += each.covariance[i][j] / all;
        }
        addOuter(prior.covariance, difference, 1 / all);
    }
    return RatioBelief::from(prior, noise / all);
}

void learnDirection(RatioBelief &belief, const RatioBelief &prior, const std::vector<ObservedUnit> &units,
                    double ObservedUnit::*value) {
    belief.forget(prior, Knowledge::kept);
    for (const ObservedUnit &unit : units)
        belief.observe(unit.features, unit.*value);
    belief.noise = noiseAround(belief, units, value);
}

}  // namespace

double noiseAround(const RatioBelief &belief, const std::vector<ObservedUnit> &units, double ObservedUnit::*value) {
    constexpr double before = 20;  // units
    const WeightBelief weights = belief.weights();
    double sum = before * belief.noise, count = before;
    for (const ObservedUnit &unit : units) {
        const double residual = unit.*value - weights.at(unit.features).mean;
        if (!std::isfinite(residual))
            continue;
        sum += std::min(residual * residual, RatioBelief::mostNoise);
        ++count;
    }
    return std::clamp(sum / count, RatioBelief::leastNoise, RatioBelief::mostNoise);
}

void Knowledge::learn(const QString &device, const QString &against, const std::vector<ObservedUnit> &units) {
    if (units.empty() || device == against)
        return;
    const auto known = std::find_if(m_pairs.begin(), m_pairs.end(), [&](const Pair &pair) {
        return (pair.device == device && pair.against == against) || (pair.device == against && pair.against == device);
    });
    RatioBeliefs beliefs = about(device, against);
    const RatioBeliefs before = prior(!against.isEmpty());
    learnDirection(beliefs.forward, before.forward, units, &ObservedUnit::forward);
    learnDirection(beliefs.backward, before.backward, units, &ObservedUnit::backward);
    if (known != m_pairs.end())
        m_pairs.erase(known);
    else if (m_pairs.size() >= mostPairs)
        m_pairs.erase(m_pairs.begin());
    m_pairs.push_back({device, against, beliefs});
}

RatioBeliefs Knowledge::about(const QString &device, const QString &against) const {
    for (const Pair &pair : m_pairs) {
        if (pair.device == device && pair.against == against)
            return pair.beliefs;
        if (pair.device == against && pair.against == device)
            return {pair.beliefs.forward.reversed(), pair.beliefs.backward.reversed()};
    }
    return prior(!against.isEmpty());
}

RatioBeliefs Knowledge::prior(bool againstDevice) const {
    std::vector<const RatioBelief *> forward, backward;
    for (const Pair &pair : m_pairs) {
        if (pair.against.isEmpty() == againstDevice)
            continue;
        forward.push_back(&pair.beliefs.forward);
        backward.push_back(&pair.beliefs.backward);
    }
    return {pooled(forward, againstDevice), pooled(backward, againstDevice)};
}

}  // namespace hearth
