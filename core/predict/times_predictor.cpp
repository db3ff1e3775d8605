#include "core/predict/times_predictor.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/base/median.h"
#include "core/model/alike_layers.h"
#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

/// Below what a clock tells of a pass.
constexpr double leastSeconds = 1e-7;
/// Of what the features do not explain, so much is the layer's at every number of samples.
constexpr double ofLayer = 0.6;

double logRatio(double seconds, double reference) {
    return std::log(std::max(seconds, leastSeconds) / std::max(reference, leastSeconds));
}

std::vector<std::size_t> firstAlike(const Model &model) {
    std::vector<std::size_t> alike(model.layers.size());
    for (std::size_t l = 0; l < alike.size(); ++l) {
        std::size_t first = 0;
        while (first < l && (alike[first] != first || !areAlike(model.layers[first], model.layers[l])))
            ++first;
        alike[l] = first;
    }
    return alike;
}

LayerSeconds madeUp(const LayerWork &work, int samples) {
    const double forward = work.seconds(samples);
    return {forward, 2 * forward, 0};
}

/// By layer and batch size.
std::vector<std::vector<LayerSeconds>> referenceTimes(const std::vector<LayerWork> &work, const std::vector<int> &batch,
                                                      const std::optional<TimeTable> &table) {
    std::optional<MeasuredCosts> costs;
    if (table)
        costs.emplace(std::vector{*table});
    std::vector<std::vector<LayerSeconds>> times(work.size());
    for (std::size_t l = 0; l < work.size(); ++l) {
        for (const int samples : batch)
            times[l].push_back(costs ? costs->seconds(0, static_cast<int>(l), samples) : madeUp(work[l], samples));
    }
    return times;
}

}  // namespace

TimesPredictor::TimesPredictor(const Model &model, DType dtype, std::vector<int> batch,
                               const std::optional<TimeTable> &reference, const RatioBeliefs &beliefs)
    : m_batch(std::move(batch)),
      m_alike(firstAlike(model)),
      m_forward{beliefs.forward, &ObservedUnit::forward},
      m_backward{beliefs.backward, &ObservedUnit::backward} {
    const std::vector<LayerWork> work = layerWork(model, dtype);
    m_reference = referenceTimes(work, m_batch, reference);
    for (const LayerWork &each : work) {
        auto &row = m_features.emplace_back();
        for (const int samples : m_batch)
            row.push_back(each.features(samples));
    }
}

std::vector<TimedUnit> TimesPredictor::probes(int count) const {
    WeightBelief forward = m_forward.belief.weights(), backward = m_backward.belief.weights();
    struct Candidate {
        TimedUnit unit;
        double seconds = 0, weight = 0;
    };
    std::vector<Candidate> candidates;
    double whole = 0;
    for (std::size_t l = 0; l < m_features.size(); ++l) {
        for (std::size_t b = 0; b < m_batch.size(); ++b) {
            const LayerSeconds &seconds = m_reference[l][b];
            whole += seconds.forward + seconds.backward;
            if (m_alike[l] != l)
                continue;
            const bool isKnown = std::any_of(m_measured.begin(), m_measured.end(), [&](const Measured &each) {
                return each.unit.batch == b && m_alike[each.unit.layer] == l;
            });
            if (!isKnown)
                candidates.push_back({{l, b}, seconds.forward + seconds.backward, 0});
        }
    }
    for (Candidate &each : candidates)
        each.weight = std::sqrt(each.seconds);
    // What one probe leaves less uncertain, over all units: those that are like it, and its layer's at other sizes.
    const auto worth = [&](const Candidate &probe, const WeightBelief &weights, double noise) {
        const Features gain = product(weights.covariance, featuresOf(probe.unit));
        const double own = product(featuresOf(probe.unit), gain) + noise;
        double sum = 0;
        for (const Candidate &each : candidates) {
            const double common =
                product(featuresOf(each.unit), gain) + (each.unit.layer == probe.unit.layer ? ofLayer * noise : 0);
            sum += each.weight * common * common / own;
        }
        return sum;
    };
    std::vector<TimedUnit> chosen;
    double longest = mostOfWhole * whole / std::max(count, 1);
    while (static_cast<int>(chosen.size()) < count && !candidates.empty()) {
        double most = -1;
        std::size_t best = 0;
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            if (candidates[i].seconds > longest)
                continue;
            const double value = worth(candidates[i], forward, m_forward.belief.noise) +
                                 worth(candidates[i], backward, m_backward.belief.noise);
            if (value > most) {
                most = value;
                best = i;
            }
        }
        if (most < 0) {
            longest = longest > 0 ? 1.25 * longest : whole;
            continue;
        }
        const TimedUnit unit = candidates[best].unit;
        chosen.push_back(unit);
        forward.look(featuresOf(unit), m_forward.belief.noise);
        backward.look(featuresOf(unit), m_backward.belief.noise);
        candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(best));
    }
    return chosen;
}

void TimesPredictor::measured(const TimedUnit &unit, double forward, double backward) {
    if (!(forward > 0 && forward <= ProfileLimits::seconds && backward > 0 && backward <= ProfileLimits::seconds))
        return;
    const LayerSeconds &reference = referenceOf(unit);
    m_measured.push_back(
        {unit,
         forward,
         backward,
         {featuresOf(unit), logRatio(forward, reference.forward), logRatio(backward, reference.backward)}});
    const ObservedUnit &observed = m_measured.back().observed;
    for (Direction *direction : {&m_forward, &m_backward}) {
        const double value = observed.*(direction->value);
        const auto before = direction->belief.weights().at(observed.features);
        const double variance = before.variance + direction->belief.noise;
        m_evidence -= (std::log(2 * std::numbers::pi * variance) + std::pow(value - before.mean, 2) / variance) / 2;
        direction->belief.observe(observed.features, value);
        std::vector<double> values;
        for (const Measured &each : m_measured)
            values.push_back(each.observed.*(direction->value));
        direction->median = medianOf(std::move(values));
    }
}

TimesPredictor::Line TimesPredictor::lineOf(const Direction &direction) const {
    return {direction, direction.belief.weights(), noiseAround(direction.belief, observed(), direction.value)};
}

/// The line, and what the layer was seen to leave of it at other numbers of samples.
WeightBelief::Estimate TimesPredictor::estimate(const Line &line, const TimedUnit &unit) const {
    const auto &[direction, weights, noise] = line;
    WeightBelief::Estimate result = weights.at(featuresOf(unit));
    double residuals = 0, seen = 0;
    for (const Measured &each : m_measured) {
        if (m_alike[each.unit.layer] != m_alike[unit.layer])
            continue;
        residuals += each.observed.*(direction.value) - weights.at(each.observed.features).mean;
        ++seen;
    }
    const double known = ofLayer / (1 - ofLayer + seen * ofLayer);
    result.mean += known * residuals;
    result.variance += noise * (1 - ofLayer * known * seen);
    const double most = std::log(m_measured.empty() ? mostFactor : mostFactorOfMeasured);
    result.mean = std::clamp(result.mean, direction.median - most, direction.median + most);
    return result;
}

TimeTable TimesPredictor::predict() const {
    const Line forward = lineOf(m_forward), backward = lineOf(m_backward);
    TimeTable result;
    result.batch = m_batch;
    for (std::size_t l = 0; l < m_features.size(); ++l) {
        std::vector<double> there, back, error;
        for (std::size_t b = 0; b < m_batch.size(); ++b) {
            const TimedUnit unit{l, b};
            const auto same = std::find_if(m_measured.rbegin(), m_measured.rend(), [&](const Measured &each) {
                return each.unit.batch == b && m_alike[each.unit.layer] == m_alike[l];
            });
            if (same != m_measured.rend()) {
                there.push_back(same->forward);
                back.push_back(same->backward);
                error.push_back(0);
                continue;
            }
            const auto f = estimate(forward, unit), g = estimate(backward, unit);
            const auto seconds = [](double reference, const WeightBelief::Estimate &ratio) {
                return std::min(std::max(reference, leastSeconds) * std::exp(ratio.mean), ProfileLimits::seconds);
            };
            there.push_back(seconds(referenceOf(unit).forward, f));
            back.push_back(seconds(referenceOf(unit).backward, g));
            const double off = (there.back() * std::sqrt(f.variance) + back.back() * std::sqrt(g.variance)) /
                               (there.back() + back.back());
            error.push_back(std::min<double>(off, ProfileLimits::relativeError));
        }
        result.forward.push_back(std::move(there));
        result.backward.push_back(std::move(back));
        result.error.push_back(std::move(error));
    }
    return result;
}

std::vector<ObservedUnit> TimesPredictor::observed() const {
    std::vector<ObservedUnit> units;
    for (const Measured &each : m_measured)
        units.push_back(each.observed);
    return units;
}

TimeTable middleOf(const std::vector<TimeTable> &predictions) {
    TimeTable middle = predictions.front();
    const auto fill = [&](std::vector<std::vector<double>> TimeTable::*rows) {
        for (std::size_t l = 0; l < (middle.*rows).size(); ++l) {
            for (std::size_t b = 0; b < middle.batch.size(); ++b) {
                std::vector<double> values;
                values.reserve(predictions.size());
                for (const TimeTable &each : predictions)
                    values.push_back((each.*rows)[l][b]);
                (middle.*rows)[l][b] = std::sqrt(lowerMedianOf(values) * medianOf(values));
            }
        }
    };
    fill(&TimeTable::forward);
    fill(&TimeTable::backward);
    fill(&TimeTable::error);
    return middle;
}

std::vector<ObservedUnit> compare(const Model &model, DType dtype, const TimeTable &device,
                                  const std::optional<TimeTable> &against) {
    const std::vector<LayerWork> work = layerWork(model, dtype);
    if (device.forward.size() != work.size() || (against && against->forward.size() != work.size()))
        return {};
    const std::vector<std::size_t> alike = firstAlike(model);
    std::vector<ObservedUnit> units;
    for (std::size_t b = 0; b < device.batch.size(); ++b) {
        const int samples = device.batch[b];
        std::size_t there = 0;
        if (against) {
            const auto found = std::find(against->batch.begin(), against->batch.end(), samples);
            if (found == against->batch.end())
                continue;
            there = static_cast<std::size_t>(found - against->batch.begin());
        }
        for (std::size_t l = 0; l < work.size(); ++l) {
            const bool isKnown =
                device.isMeasured(l) && (!device.isPredicted() || device.error[l][b] == 0) &&
                (!against || (against->isMeasured(l) && (!against->isPredicted() || against->error[l][there] == 0)));
            if (alike[l] != l || !isKnown)
                continue;
            const LayerSeconds other = against
                                           ? LayerSeconds{against->forward[l][there], against->backward[l][there], 0}
                                           : madeUp(work[l], samples);
            units.push_back({work[l].features(samples), logRatio(device.forward[l][b], other.forward),
                             logRatio(device.backward[l][b], other.backward)});
        }
    }
    return units;
}

}  // namespace hearth
