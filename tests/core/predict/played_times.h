// Layer times of made-up devices, for tests.
#pragma once

#include <cmath>
#include <random>
#include <utility>

#include "core/base/median.h"
#include "core/model/catalogue.h"
#include "core/predict/times_predictor.h"

namespace hearth::test {

inline const std::vector<int> batches{1, 4, 8, 64};

inline Model network(const char *name = "mobilenetv2-cifar") {
    return loadModel(QLatin1String(name)).value();
}

/// A device that is `factor` times as slow as the made-up one, by kinds as `kinds` says, and scatters.
inline TimeTable played(const Model &model, double factor, const std::array<double, workKinds> &kinds,
                        double scatter = 0.05, unsigned seed = 1, const std::vector<int> &sizes = batches) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(0, scatter);
    TimeTable table{sizes, {}, {}};
    for (const LayerWork &work : layerWork(model, DType::Float32)) {
        std::vector<double> forward, backward;
        for (const int samples : sizes) {
            const Features features = work.features(samples);
            double log = std::log(factor);
            for (std::size_t k = 0; k < workKinds; ++k)
                log += kinds[k] * features[1 + k];
            forward.push_back(work.seconds(samples) * std::exp(log + normal(random)));
            backward.push_back(2 * work.seconds(samples) * std::exp(log + normal(random)));
        }
        table.forward.push_back(forward);
        table.backward.push_back(backward);
    }
    return table;
}

/// The median of |predicted / true - 1| over all units.
inline double unitError(const TimeTable &predicted, const TimeTable &real) {
    std::vector<double> errors;
    for (std::size_t l = 0; l < real.forward.size(); ++l) {
        for (std::size_t b = 0; b < real.batch.size(); ++b) {
            errors.push_back(std::abs(
                (predicted.forward[l][b] + predicted.backward[l][b]) / (real.forward[l][b] + real.backward[l][b]) - 1));
        }
    }
    return medianOf(std::move(errors));
}

inline void measure(TimesPredictor &predictor, const TimeTable &real, int count) {
    for (const TimedUnit &unit : predictor.probes(count))
        predictor.measured(unit, real.forward[unit.layer][unit.batch], real.backward[unit.layer][unit.batch]);
}

/// Three devices that differ in convolutions and otherwise by a factor alone.
inline Knowledge threeDevices() {
    const Model model = network("fashion-cnn");
    const TimeTable a = played(model, 1, {}, 0.05, 1), b = played(model, 2, {0.7}, 0.05, 2),
                    c = played(model, 0.6, {-0.5}, 0.05, 3);
    Knowledge knowledge;
    knowledge.learn(QStringLiteral("b"), QStringLiteral("a"), compare(model, DType::Float32, b, a));
    knowledge.learn(QStringLiteral("c"), QStringLiteral("a"), compare(model, DType::Float32, c, a));
    knowledge.learn(QStringLiteral("c"), QStringLiteral("b"), compare(model, DType::Float32, c, b));
    knowledge.learn(QStringLiteral("a"), {}, compare(model, DType::Float32, a, {}));
    return knowledge;
}

}  // namespace hearth::test
