#include "contenders.h"

#include <algorithm>
#include <random>

#include "core/base/median.h"
#include "core/profile/declared_facts.h"

namespace hearth::bench {
namespace {

/// `times` of a device that measured the network, or null: the made-up one.
TimesPredictor predictorOf(const Held &held, const Knowledge &knowledge, const QString &reference,
                           const TimeTable *times) {
    return {held.model, DType::Float32, held.own.first.batch, times ? std::optional(*times) : std::nullopt,
            knowledge.about(held.device, reference)};
}

}  // namespace

TimeTable predictUnseen(const Held &held, const Knowledge &knowledge) {
    const auto by = [&](const QString &reference, const std::optional<TimeTable> &times) {
        return predictUnmeasured(held.model, DType::Float32, held.own.first.batch,
                                 {knowledge, held.device, reference, times});
    };
    std::vector<TimeTable> told{by({}, std::nullopt)};
    for (const auto &[name, times] : held.references)
        told.push_back(by(name, *times));
    return middleOf(told);
}

Choose greedy(int many) {
    return [many](const TimesPredictor &predictor) { return predictor.probes(many); };
}

TimeTable predictByProbes(const Held &held, const Knowledge &knowledge, const Choose &choose) {
    std::vector<TimesPredictor> predictors;
    for (const auto &[name, times] : held.references)
        predictors.push_back(predictorOf(held, knowledge, name, times));
    if (predictors.empty())
        predictors.push_back(predictorOf(held, knowledge, {}, nullptr));
    for (TimesPredictor &predictor : predictors) {
        for (const TimedUnit &unit : choose(predictor))
            predictor.measured(unit, held.own.second.forward[unit.layer][unit.batch],
                               held.own.second.backward[unit.layer][unit.batch]);
    }
    return std::ranges::max_element(predictors, {}, &TimesPredictor::evidence)->predict();
}

TimeTable predictInBrief(const Held &held, const Knowledge &knowledge, const TimeTable &seen) {
    std::vector<PredictionBase> bases{{std::nullopt, knowledge.beforeMeasuring(held.device, {})}};
    for (const auto &[name, times] : held.references)
        bases.push_back({*times, knowledge.beforeMeasuring(held.device, name)});
    BriefProfile brief(held.model, DType::Float32, held.own.first.batch, bases);
    const std::size_t column = columnOf(seen, brief.samples());
    ModelProfile pass;
    pass.layers = declaredFacts(held.model, DType::Float32);
    pass.times.batch = {brief.samples()};
    for (std::size_t l = 0; l < held.model.layers.size(); ++l) {
        pass.times.forward.push_back({seen.forward[l][column]});
        pass.times.backward.push_back({seen.backward[l][column]});
        pass.times.weights.push_back({seen.weights[l][column]});
    }
    if (!brief.takePass(pass))
        qFatal("That was no pass.");
    std::vector<UnitSeconds> probes = brief.probes();
    for (UnitSeconds &unit : probes) {
        unit.forward = seen.forward[static_cast<std::size_t>(unit.layer)][columnOf(seen, unit.samples)];
        unit.backward = seen.backward[static_cast<std::size_t>(unit.layer)][columnOf(seen, unit.samples)];
    }
    brief.takeUnits(probes);
    return brief.profile().times;
}

TimeTable scaled(const TimeTable &reference, const Case &own, const std::vector<TimedUnit> &probes) {
    std::vector<double> factors;
    factors.reserve(probes.size());
    for (const TimedUnit &unit : probes)
        factors.push_back(seconds(own.second, unit.layer, unit.batch) / seconds(reference, unit.layer, unit.batch));
    TimeTable table = reference;
    table.scale(medianOf(std::move(factors)));
    return table;
}

TimeTable roofline(const Model &model, const std::vector<int> &batch) {
    TimeTable table{batch, {}, {}};
    for (const LayerWork &work : layerWork(model, DType::Float32)) {
        auto &row = table.forward.emplace_back();
        for (const int samples : batch)
            row.push_back(work.seconds(samples));
        table.backward.push_back(row);
        for (double &value : table.backward.back())
            value *= 2;
    }
    return table;
}

std::vector<TimedUnit> randomUnits(std::size_t layers, std::size_t batches, std::size_t many, unsigned seed) {
    std::vector<TimedUnit> all;
    for (std::size_t l = 0; l < layers; ++l) {
        for (std::size_t b = 0; b < batches; ++b)
            all.push_back({l, b});
    }
    std::mt19937 random(seed);
    std::shuffle(all.begin(), all.end(), random);
    all.resize(std::min(all.size(), many));
    return all;
}

}  // namespace hearth::bench
