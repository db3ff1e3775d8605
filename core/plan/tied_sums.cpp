#include "core/plan/tied_sums.h"

#include "core/plan/steps.h"

namespace hearth {

std::vector<TiedSum> tiedSumsOf(const CostModel &model, const Placement &placement) {
    std::vector<TiedSum> sums;
    for (const TiedTensor &tied : model.memory().tied()) {
        if (!tied.isTrainable)
            continue;
        TiedSum sum;
        sum.bytes = tied.bytes;
        for (std::size_t s = 0; s < placement.stages.size(); ++s) {
            const StagePlacement &stage = placement.stages[s];
            if (tied.countIn(stage.firstLayer, stage.lastLayer) == 0)
                continue;
            sum.stages.push_back(static_cast<int>(s));
            sum.group.insert(sum.group.end(), stage.group.begin(), stage.group.end());
        }
        if (sum.stages.size() < 2)
            continue;
        sum.seconds = model.sumSeconds(sum.bytes, sum.group);
        sums.push_back(std::move(sum));
    }
    return sums;
}

}  // namespace hearth
