#include "ui/run/plan_change.h"

#include <algorithm>

namespace hearth {

namespace {

QStringList ownersOf(const Plan &plan, int layer) {
    QStringList owners;
    for (const PlanStage *stage : plan.allStages()) {
        if (layer < stage->firstLayer || layer >= stage->lastLayer)
            continue;
        for (const Share &share : stage->shares)
            owners << share.device;
    }
    return owners;
}

}  // namespace

QStringList newOwners(const Plan &before, const Plan &after, const QString &device) {
    QStringList fresh, all;
    const auto add = [](QStringList &to, const QString &owner) {
        if (!to.contains(owner))
            to << owner;
    };
    for (int layer = 0; layer < before.layerCount; ++layer) {
        const QStringList old = ownersOf(before, layer);
        if (!old.contains(device))
            continue;
        for (const QString &owner : ownersOf(after, layer)) {
            if (owner == device)
                continue;
            add(all, owner);
            if (!old.contains(owner))
                add(fresh, owner);
        }
    }
    return fresh.isEmpty() ? all : fresh;
}

}  // namespace hearth
