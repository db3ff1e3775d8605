// Hyperband's table: how many trials begin, and how many of them are worth more training.
#pragma once

#include <QtGlobal>
#include <vector>

namespace hearth {

/// One of so many trials goes on; the paper's default.
constexpr qint64 sweepReduction = 3;

/// So many trials are trained until each was evaluated so often.
struct SweepRung {
    qint64 trials = 0, evaluations = 0;
    bool operator==(const SweepRung &) const = default;
};

/// What begins together, rung after rung: the best third of each goes on to the next one.
using SweepBracket = std::vector<SweepRung>;

/// The brackets for runs that are evaluated so often (at least once) when they go to their end, the one with the most
/// trials first: Li et al., Hyperband, JMLR 18 (185), 2018, algorithm 1 with the numbers of trials of its table 1,
/// which are such that each third is whole. Any thread.
std::vector<SweepBracket> hyperbandBrackets(qint64 evaluations);

/// Of all brackets.
qint64 hyperbandTrials(qint64 evaluations);

}  // namespace hearth
