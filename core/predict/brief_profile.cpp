#include "core/predict/brief_profile.h"

#include <algorithm>
#include <utility>

namespace hearth {

BriefProfile::BriefProfile(const Model &model, DType dtype, const std::vector<int> &batch,
                           const std::vector<PredictionBase> &bases)
    : m_batch(batch) {
    for (const PredictionBase &base : bases)
        m_predictors.emplace_back(model, dtype, batch, base.times, base.beliefs);
    const TimeTable expected = best().predict();
    m_samples = m_batch.front();
    for (std::size_t b = 1; b < m_batch.size(); ++b) {
        const bool isShort = m_batch[b] <= mostSamples(m_batch.back()) && expected.seconds(b) <= secondsOfPass;
        if (m_batch[b] <= fewSamples || isShort)
            m_samples = m_batch[b];
    }
}

double BriefProfile::wholeSeconds(const TimeTable &times) const {
    double passes = 0;
    for (std::size_t b = 0; b < m_batch.size(); ++b)
        passes += times.seconds(b);
    return passesOfWhole * passes;
}

bool BriefProfile::isPromising() const {
    BriefProfile then = *this;
    const TimeTable expected = best().predict();
    if (wholeSeconds(expected) < leastWhole)
        return false;
    const auto column = [&](int samples) {
        return static_cast<std::size_t>(std::lower_bound(m_batch.begin(), m_batch.end(), samples) - m_batch.begin());
    };
    const auto expect = [&](int layer, int samples) {
        const auto l = static_cast<std::size_t>(layer);
        then.take({layer, samples, expected.forward[l][column(samples)], expected.backward[l][column(samples)], 0});
    };
    for (std::size_t l = 0; m_pass.layers.empty() && l < expected.forward.size(); ++l)
        expect(static_cast<int>(l), samples());
    for (const UnitSeconds &unit : then.probes())
        expect(unit.layer, unit.samples);
    return then.isGoodEnough();
}

bool BriefProfile::takePass(const ModelProfile &pass) {
    const std::size_t layers = m_predictors.front().layerCount();
    if (pass.times.batch != std::vector{samples()} || pass.layers.size() != layers ||
        !pass.times.validate(static_cast<qsizetype>(layers), {}, {}) || !pass.times.isComplete())
        return false;
    m_pass = pass;
    for (std::size_t l = 0; l < layers; ++l) {
        take({static_cast<int>(l), samples(), pass.times.forward[l].front(), pass.times.backward[l].front(), 0});
    }
    return true;
}

std::vector<UnitSeconds> BriefProfile::probes() const {
    std::vector<UnitSeconds> units;
    for (const TimedUnit &unit : best().probes(probeCount))
        units.push_back({static_cast<int>(unit.layer), m_batch[unit.batch], 0, 0, 0});
    return units;
}

void BriefProfile::takeUnits(const std::vector<UnitSeconds> &units) {
    for (const UnitSeconds &unit : units)
        take(unit);
}

void BriefProfile::take(const UnitSeconds &unit) {
    const auto size = std::lower_bound(m_batch.begin(), m_batch.end(), unit.samples);
    if (size == m_batch.end() || *size != unit.samples)
        return;
    for (TimesPredictor &predictor : m_predictors)
        predictor.measured({static_cast<std::size_t>(unit.layer), static_cast<std::size_t>(size - m_batch.begin())},
                           unit.forward, unit.backward);
}

const TimesPredictor &BriefProfile::best() const {
    return *std::max_element(
        m_predictors.begin(), m_predictors.end(),
        [](const TimesPredictor &a, const TimesPredictor &b) { return a.evidence() < b.evidence(); });
}

ModelProfile BriefProfile::profile() const {
    ModelProfile profile = m_pass;
    profile.times = best().predict();
    if (m_pass.times.weights.empty())
        return profile;
    // Which part of a backward pass waits is much the same at every number of samples.
    for (std::size_t l = 0; l < m_pass.layers.size(); ++l) {
        const double backward = m_pass.times.backward[l].front();
        const double part = backward > 0 ? m_pass.times.weights[l].front() / backward : 0;
        std::vector<double> &row = profile.times.weights.emplace_back(profile.times.backward[l]);
        for (double &seconds : row)
            seconds *= std::min(part, 1.0);
    }
    return profile;
}

}  // namespace hearth
