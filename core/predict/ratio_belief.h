// Bayesian linear regression of log(seconds on a device / seconds on a reference). Source: Bishop, Pattern Recognition
// and Machine Learning, 3.3; AccEPT-style.
#pragma once

#include <optional>

#include "core/predict/layer_work.h"

namespace hearth {

using FeatureMatrix = std::array<Features, featureCount>;

/// The inverse of a symmetric positive definite matrix; nothing where it is none. Any thread.
std::optional<FeatureMatrix> inverseOf(const FeatureMatrix &matrix);
double product(const Features &a, const Features &b);
Features product(const FeatureMatrix &matrix, const Features &vector);
void addOuter(FeatureMatrix &matrix, const Features &vector, double factor);

/// Weights of the features: normally distributed.
struct WeightBelief {
    Features mean{};
    FeatureMatrix covariance{};

    struct Estimate {
        double mean = 0;
        double variance = 0;  // of the line, without what scatters around it
    };
    Estimate at(const Features &features) const;
    /// The covariance as if that had been observed, whatever comes out.
    void look(const Features &features, double noise);
};

/// What is believed of one direction (forward or backward) of a pair, kept as precision and precision times mean, to
/// which observations add up. Plain value, any thread.
struct RatioBelief {
    FeatureMatrix precision{};
    Features information{};
    double noise = 0;  // variance of what the features do not explain

    /// Observed at most within e^±mostLog: a slip of a clock is no knowledge.
    static constexpr double mostLog = 7;
    static constexpr double leastNoise = 1e-3, mostNoise = 1;
    static constexpr double mostPrecision = 1e9, mostVariance = 1e4;  // of a weight

    static RatioBelief from(const WeightBelief &weights, double noise);
    /// Positive definite, finite and within the limits above.
    bool isValid() const;
    WeightBelief weights() const;
    /// Values that are not finite do not count.
    void observe(const Features &features, double logRatio);
    /// Goes back towards `prior`: keeps `part` of what was observed.
    void forget(const RatioBelief &prior, double part);
    /// What the reference takes, relative to the device.
    RatioBelief reversed() const;
};

struct RatioBeliefs {
    RatioBelief forward, backward;
};

}  // namespace hearth
