// How many micro-batches a stage may have under way: the rules by which planners, searches and edits choose K_p.
#pragma once

#include <algorithm>

namespace hearth {

/// From the number of stages to the end of the pipeline, the stage itself included.
enum class InFlightRule {
    StagesToEnd,  // P - p: the least that keeps all stages busy
    Early,        // 2(P - p) - 1 (Asteroid, DAPPLE): transfers hide behind computing
    Deep,         // 2(P - p) + 1
    All           // M
};

/// At most the number of micro-batches.
constexpr int inFlightLimit(InFlightRule rule, int stagesToEnd, int microBatches) {
    switch (rule) {
        case InFlightRule::StagesToEnd:
            return std::min(stagesToEnd, microBatches);
        case InFlightRule::Early:
            return std::min(2 * stagesToEnd - 1, microBatches);
        case InFlightRule::Deep:
            return std::min(2 * stagesToEnd + 1, microBatches);
        case InFlightRule::All:
            break;
    }
    return microBatches;
}

}  // namespace hearth
