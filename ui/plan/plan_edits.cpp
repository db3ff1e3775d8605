#include "ui/plan/plan_edits.h"

#include <algorithm>

namespace hearth {

std::optional<int> stageIn(const Plan &plan, const QString &device) {
    for (std::size_t stage = 0; stage < plan.stages.size(); ++stage) {
        const auto &shares = plan.stages[stage].shares;
        if (std::ranges::find(shares, device, &Share::device) != shares.end())
            return static_cast<int>(stage);
    }
    return std::nullopt;
}

int samplesIn(const Plan &plan, const QString &device) {
    const std::optional<int> stage = stageIn(plan, device);
    if (!stage)
        return 0;
    return std::ranges::find(plan.stages[static_cast<std::size_t>(*stage)].shares, device, &Share::device)->samples;
}

Result<Edited> setSamples(const PlanEditor &editor, const Plan &plan, const QString &device, int samples) {
    const int stage = stageIn(plan, device).value_or(-1);
    std::vector<Share> shares;
    if (stage >= 0)
        shares = plan.stages[static_cast<std::size_t>(stage)].shares;
    const auto own = std::ranges::find(shares, device, &Share::device);
    int difference = own == shares.end() ? 0 : samples - own->samples;
    const auto mayChange = [&](const Share &share) {
        return share.device != device && !editor.locks().shares.contains(share.device);
    };
    while (difference != 0) {
        Share *other = nullptr;
        for (Share &share : shares) {
            if (!mayChange(share) || (difference > 0 && share.samples == 0))
                continue;
            const bool better =
                other == nullptr || (difference > 0 ? share.samples > other->samples : share.samples < other->samples);
            other = better ? &share : other;
        }
        if (other == nullptr)
            break;  // the editor says what is wrong with the sum
        const int step = difference > 0 ? 1 : -1;
        other->samples -= step;
        difference -= step;
    }
    if (own != shares.end())
        own->samples = samples;
    return editor.setShares(plan, stage, shares);
}

}  // namespace hearth
