// What networks know of positions without training, for those that compute with it and those that write it down.
#pragma once

#include <QtGlobal>
#include <vector>

namespace hearth {

/// {tokens, features}, row by row: sine and cosine of position / 10000^(2i / features), side by side (Vaswani et al.
/// 2017).
std::vector<double> sinusoids(qint64 tokens, qint64 features);

/// {tokens, head / 2} each: of (offset + position) · base^(-2i / head) (Su et al. 2021).
struct Rotations {
    std::vector<double> cosines, sines;
};
Rotations rotations(qint64 tokens, qint64 head, double base, qint64 offset);

/// T5's buckets of key position - query position (Raffel et al. 2020), row by row: exact ones for small distances, then
/// logarithmically wider ones up to `maxDistance`. Both ways, half of them are for keys behind the query.
std::vector<qint64> relativeBuckets(qint64 queries, qint64 keys, qint64 buckets, qint64 maxDistance,
                                    bool bidirectional);

}  // namespace hearth
