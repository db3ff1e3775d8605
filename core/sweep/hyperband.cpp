#include "core/sweep/hyperband.h"

namespace hearth {

std::vector<SweepBracket> hyperbandBrackets(qint64 evaluations) {
    std::vector<qint64> powers{1};
    while (powers.back() <= evaluations / sweepReduction)
        powers.push_back(powers.back() * sweepReduction);
    std::vector<SweepBracket> brackets;
    for (std::size_t rungs = powers.size(); rungs > 0; --rungs) {
        // Short brackets have more that go to the end, so that all cost about the same.
        const auto finalists = static_cast<qint64>(powers.size() / rungs);
        SweepBracket bracket;
        for (std::size_t left = rungs; left-- > 0;)
            bracket.push_back({finalists * powers[left], evaluations / powers[left]});
        brackets.push_back(bracket);
    }
    return brackets;
}

qint64 hyperbandTrials(qint64 evaluations) {
    qint64 trials = 0;
    for (const SweepBracket &bracket : hyperbandBrackets(evaluations))
        trials += bracket.front().trials;
    return trials;
}

}  // namespace hearth
