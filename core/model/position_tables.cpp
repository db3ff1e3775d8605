#include "core/model/position_tables.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace hearth {

std::vector<double> sinusoids(qint64 tokens, qint64 features) {
    std::vector<double> table;
    table.reserve(static_cast<std::size_t>(tokens * features));
    for (qint64 t = 0; t < tokens; ++t) {
        for (qint64 f = 0; f < features; ++f) {
            const auto even = static_cast<double>(f / 2 * 2);
            const double angle = static_cast<double>(t) * std::pow(10000.0, -even / static_cast<double>(features));
            table.push_back(f % 2 == 0 ? std::sin(angle) : std::cos(angle));
        }
    }
    return table;
}

Rotations rotations(qint64 tokens, qint64 head, double base, qint64 offset) {
    Rotations tables;
    for (qint64 t = 0; t < tokens; ++t) {
        for (qint64 i = 0; i < head / 2; ++i) {
            const double angle = static_cast<double>(offset + t) *
                                 std::pow(base, -2 * static_cast<double>(i) / static_cast<double>(head));
            tables.cosines.push_back(std::cos(angle));
            tables.sines.push_back(std::sin(angle));
        }
    }
    return tables;
}

std::vector<qint64> relativeBuckets(qint64 queries, qint64 keys, qint64 buckets, qint64 maxDistance,
                                    bool bidirectional) {
    const qint64 own = bidirectional ? buckets / 2 : buckets, exact = own / 2;
    // In float32, as all who trained with it did: the buckets' borders are where it rounds to.
    const auto steps = static_cast<float>(own - exact);
    const auto range = static_cast<float>(std::log(static_cast<double>(maxDistance) / static_cast<double>(exact)));
    std::vector<qint64> numbers;
    numbers.reserve(static_cast<std::size_t>(queries * keys));
    for (qint64 i = 0; i < queries; ++i) {
        for (qint64 j = 0; j < keys; ++j) {
            const bool behind = bidirectional && j > i;
            const qint64 distance = bidirectional ? std::abs(j - i) : std::max<qint64>(0, i - j);
            qint64 bucket = distance;
            if (distance >= exact) {
                const float part = std::log(static_cast<float>(distance) / static_cast<float>(exact)) / range * steps;
                bucket = std::min(own - 1, exact + static_cast<qint64>(part));
            }
            numbers.push_back(bucket + (behind ? own : 0));
        }
    }
    return numbers;
}

}  // namespace hearth
