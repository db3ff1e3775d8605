#include "core/plan/explain/resting.h"

#include <optional>

#include "core/plan/edit/edit.h"

namespace hearth {
namespace {

constexpr qsizetype mostRestingDevices = 16;

bool hasWork(const Plan &plan, const QString &device) {
    for (const PlanStage *stage : plan.allStages()) {
        for (const Share &share : stage->shares) {
            if (share.device == device)
                return true;
        }
    }
    return false;
}

/// By the closed form: it orders plans that differ by one edit.
std::optional<Plan> quickestWith(const PlanEditor &editor, const Plan &plan, const QString &device) {
    std::optional<Edited> best;
    const auto offer = [&](Result<Edited> edited) {
        if (edited && edited->estimate.fits && hasWork(edited->plan, device) &&
            (!best || edited->estimate.roundSeconds < best->estimate.roundSeconds))
            best = *std::move(edited);
    };
    const auto stages = static_cast<int>(plan.stages.size());
    for (int stage = 0; stage < stages; ++stage)
        offer(editor.moveDevice(plan, device, stage));
    for (int place = 0; place <= stages; ++place)
        offer(editor.insertStage(plan, device, place));
    return best ? std::optional(std::move(best->plan)) : std::nullopt;
}

}  // namespace

QMap<QString, double> costOfWork(const CostModel &model, const Plan &plan) {
    QMap<QString, double> costs;
    const auto now = evaluate(model, plan);
    if (!now || now->roundSeconds <= 0)
        return costs;
    const PlanEditor editor(model);
    qsizetype tried = 0;
    for (const PlanningProblem::Device &device : model.problem().devices) {
        if (hasWork(plan, device.id) || ++tried > mostRestingDevices)
            continue;
        const auto other = quickestWith(editor, plan, device.id);
        if (!other)
            continue;
        if (const auto judged = evaluate(model, *other); judged && judged->fits)
            costs.insert(device.id, judged->roundSeconds / now->roundSeconds - 1);
    }
    return costs;
}

}  // namespace hearth
