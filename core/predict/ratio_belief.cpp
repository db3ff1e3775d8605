#include "core/predict/ratio_belief.h"

#include <algorithm>
#include <cmath>

namespace hearth {
namespace {

/// Cholesky's lower triangle, or nothing.
std::optional<FeatureMatrix> rootOf(const FeatureMatrix &matrix) {
    FeatureMatrix root{};
    for (std::size_t i = 0; i < featureCount; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = matrix[i][j];
            for (std::size_t k = 0; k < j; ++k)
                sum -= root[i][k] * root[j][k];
            if (i != j) {
                root[i][j] = sum / root[j][j];
            } else if (std::isfinite(sum) && sum > 0) {
                root[i][i] = std::sqrt(sum);
            } else {
                return std::nullopt;
            }
        }
    }
    return root;
}

}  // namespace

std::optional<FeatureMatrix> inverseOf(const FeatureMatrix &matrix) {
    const auto root = rootOf(matrix);
    if (!root)
        return std::nullopt;
    FeatureMatrix inverse{};
    for (std::size_t column = 0; column < featureCount; ++column) {
        Features x{};
        for (std::size_t i = column; i < featureCount; ++i) {
            double sum = i == column ? 1 : 0;
            for (std::size_t k = column; k < i; ++k)
                sum -= (*root)[i][k] * x[k];
            x[i] = sum / (*root)[i][i];
        }
        for (std::size_t i = featureCount; i-- > 0;) {
            for (std::size_t k = i + 1; k < featureCount; ++k)
                x[i] -= (*root)[k][i] * x[k];
            x[i] /= (*root)[i][i];
        }
        for (std::size_t i = 0; i < featureCount; ++i)
            inverse[i][column] = x[i];
    }
    for (std::size_t i = 0; i < featureCount; ++i) {
        for (std::size_t j = 0; j < i; ++j)
            inverse[i][j] = inverse[j][i] = (inverse[i][j] + inverse[j][i]) / 2;
    }
    return inverse;
}

double product(const Features &a, const Features &b) {
    double sum = 0;
    for (std::size_t i = 0; i < featureCount; ++i)
        sum += a[i] * b[i];
    return sum;
}

Features product(const FeatureMatrix &matrix, const Features &vector) {
    Features result{};
    for (std::size_t i = 0; i < featureCount; ++i)
        result[i] = product(matrix[i], vector);
    return result;
}

void addOuter(FeatureMatrix &matrix, const Features &vector, double factor) {
    for (std::size_t i = 0; i < featureCount; ++i) {
        for (std::size_t j = 0; j < featureCount; ++j)
            matrix[i][j] += factor * vector[i] * vector[j];
    }
}

WeightBelief::Estimate WeightBelief::at(const Features &features) const {
    return {product(mean, features), std::max(0.0, product(features, product(covariance, features)))};
}

void WeightBelief::look(const Features &features, double noise) {
    const Features gain = product(covariance, features);
    addOuter(covariance, gain, -1 / (product(features, gain) + noise));
}

RatioBelief RatioBelief::from(const WeightBelief &weights, double noise) {
    RatioBelief belief;
    belief.precision = inverseOf(weights.covariance).value();
    belief.information = product(belief.precision, weights.mean);
    belief.noise = noise;
    return belief;
}

bool RatioBelief::isValid() const {
    if (!(noise >= leastNoise && noise <= mostNoise) || !rootOf(precision))
        return false;
    for (std::size_t i = 0; i < featureCount; ++i) {
        if (!(std::abs(information[i]) <= mostPrecision))
            return false;
        for (std::size_t j = 0; j < featureCount; ++j) {
            if (!(std::abs(precision[i][j]) <= mostPrecision) || precision[i][j] != precision[j][i])
                return false;
        }
    }
    const WeightBelief known = weights();
    for (std::size_t i = 0; i < featureCount; ++i) {
        if (!(std::abs(known.mean[i]) <= 10 * mostLog) || !(known.covariance[i][i] <= mostVariance))
            return false;
    }
    return true;
}

WeightBelief RatioBelief::weights() const {
    WeightBelief result;
    if (const auto covariance = inverseOf(precision))
        result.covariance = *covariance;
    result.mean = product(result.covariance, information);
    return result;
}

void RatioBelief::observe(const Features &features, double logRatio) {
    if (!std::isfinite(logRatio))
        return;
    const double value = std::clamp(logRatio, -mostLog, mostLog);
    addOuter(precision, features, 1 / noise);
    for (std::size_t i = 0; i < featureCount; ++i)
        information[i] += features[i] * value / noise;
}

void RatioBelief::forget(const RatioBelief &prior, double part) {
    for (std::size_t i = 0; i < featureCount; ++i) {
        information[i] = part * information[i] + (1 - part) * prior.information[i];
        for (std::size_t j = 0; j < featureCount; ++j)
            precision[i][j] = part * precision[i][j] + (1 - part) * prior.precision[i][j];
    }
}

RatioBelief RatioBelief::reversed() const {
    RatioBelief other = *this;
    for (double &value : other.information)
        value = -value;
    return other;
}

}  // namespace hearth
