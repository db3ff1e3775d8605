// Which samples of a micro-batch go where when one group hands over to another.
#pragma once

#include <algorithm>
#include <vector>

namespace hearth {

/// Samples [first, first + count) of a micro-batch.
struct Interval {
    int first = 0;
    int count = 0;
    int end() const { return first + count; }
    bool operator==(const Interval &) const = default;
};

inline Interval overlap(Interval a, Interval b) {
    const int first = std::max(a.first, b.first);
    return {first, std::max(0, std::min(a.end(), b.end()) - first)};
}

/// The part of `interval` that exists when the micro-batch has only `samples` samples (the last one of a test set).
inline Interval clipped(Interval interval, int samples) {
    return overlap(interval, {0, samples});
}

/// What one member of a neighbouring group exchanges with us: exactly the overlap of the two intervals.
struct Portion {
    int member = 0;  // index in the other group
    Interval samples;
};

/// The non-empty overlaps of `mine` with the members' intervals, in order of members (which ascend by sample).
inline std::vector<Portion> portions(Interval mine, const std::vector<Interval> &others) {
    std::vector<Portion> result;
    for (int i = 0; i < static_cast<int>(others.size()); ++i) {
        const Interval common = overlap(mine, others[static_cast<std::size_t>(i)]);
        if (common.count > 0)
            result.push_back({i, common});
    }
    return result;
}

}  // namespace hearth
