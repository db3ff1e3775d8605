// Every plan of a small problem, judged one by one: what the exact planner is checked against.
#pragma once

#include "tests/core/plan/plain_judge.h"

namespace hearth::test {

struct ExhaustiveBest {
    double seconds = std::numeric_limits<double>::infinity();
    int microBatch = 0;
    std::vector<PlainStage> stages;
    quint64 plans = 0;  // simulated
};

/// All cuts × all ordered assignments of disjoint groups (any device may rest) × all micro-batch sizes. Shares are the
/// optimum of Eq. 8 under the memory (see bestShares), K = 2(P-p)-1 capped by M. For at most about 9 layers, 5 devices
/// and batches of 16; with `mayRecompute` (any subset of the stages) much less.
ExhaustiveBest exhaustiveBest(const PlainJudge &judge, bool mayRecompute = false);

/// The stage with the shares that minimise max forward + max backward; every member takes at least what its layers
/// need. Ties: the smallest largest share, then more for earlier devices by id. False when the memory leaves no way.
bool bestShares(const PlainJudge &judge, int microBatch, PlainStage &stage);

}  // namespace hearth::test
