// Edits of layers and devices.
#include "core/plan/edit/edit.h"

#include "core/base/at.h"
#include "core/plan/edit/edit_change.h"
#include "core/plan/words.h"

namespace hearth {
namespace {

using Shares = PlanChange::Shares;

std::vector<int> devicesOf(const Group &group) {
    std::vector<int> devices;
    for (const MemberShare &member : group)
        devices.push_back(member.device);
    return devices;
}

tl::unexpected<Error> noLayers(int stage, const Sentence &cause, const Sentence &advice) {
    return fail(QStringLiteral("edit.no-layers"), sentence("Stage %1 would have no layers.").arg(stage), cause, advice);
}

/// Gives the new stage layers of the neighbors that it has, by speed.
Result<void> spreadLayers(PlanChange &change, int place) {
    const int first = std::max(0, place - 1);
    const int last = std::min(static_cast<int>(change.stages.size()), place + 2);
    const int firstLayer = change.stages[at(first == place ? place + 1 : first)].placement.firstLayer;
    const int lastLayer = change.stages[at(last - 1 == place ? place - 1 : last - 1)].placement.lastLayer;
    if (lastLayer - firstLayer < last - first)
        return noLayers(
            place + 1,
            sentence("Its neighbors hold %1 {1|layer|layers} in all and need one each.").arg(lastLayer - firstLayer),
            sentence("Choose another place."));
    const LayerWeights weights(change.model(), change.microBatch);
    std::vector<double> speeds;
    for (int s = first; s < last; ++s)
        speeds.push_back(weights.speed(devicesOf(change.stages[at(s)].placement.group)));
    const std::vector<int> cuts = weights.cuts(firstLayer, lastLayer, speeds);
    for (int s = first; s < last; ++s) {
        PlanChange::Stage &stage = change.stages[at(s)];
        stage.placement.firstLayer = cuts[at(s - first)];
        stage.placement.lastLayer = cuts[at(s - first + 1)];
        stage.shares = Shares::Share;
    }
    return {};
}

/// Error: there is no such stage, or none behind it.
Result<PlanChange> changeOfNeighbors(const CostModel &model, const Plan &plan, const PlanLocks &locks, int stage) {
    auto change = PlanChange::of(model, plan, locks);
    for (const int s : {stage, stage + 1}) {
        if (auto ok = change ? change->checkStage(s) : Result<void>{}; !ok)
            return tl::unexpected(ok.error());
    }
    return change;
}

}  // namespace

Result<Edited> PlanEditor::moveBorder(const Plan &plan, int stage, int layer) const {
    auto change = changeOfNeighbors(m_model, plan, m_locks, stage);
    if (!change)
        return tl::unexpected(change.error());
    PlanChange::Stage &left = change->stages[at(stage)], &right = change->stages[at(stage + 1)];
    if (layer <= left.placement.firstLayer) {
        return noLayers(stage + 1,
                        sentence("It begins at %1.").arg(layerText(m_model.problem(), left.placement.firstLayer)),
                        sentence("Merge it with stage %1 to give all of them away.").arg(stage + 2));
    }
    if (layer >= right.placement.lastLayer) {
        return noLayers(stage + 2,
                        sentence("It ends with %1.").arg(layerText(m_model.problem(), right.placement.lastLayer - 1)),
                        sentence("Merge it with stage %1 to give all of them away.").arg(stage + 1));
    }
    if (layer != left.placement.lastLayer) {
        left.placement.lastLayer = right.placement.firstLayer = layer;
        left.shares = right.shares = Shares::Share;
    }
    return change->finish();
}

Result<Edited> PlanEditor::moveDevice(const Plan &plan, const QString &device, std::optional<int> toStage) const {
    auto change = PlanChange::of(m_model, plan, m_locks);
    if (!change)
        return tl::unexpected(change.error());
    const auto index = change->device(device);
    if (!index)
        return tl::unexpected(index.error());
    if (toStage) {
        if (auto ok = change->checkStage(*toStage); !ok)
            return tl::unexpected(ok.error());
    }
    if (change->stageOf(*index) != toStage.value_or(-1)) {
        if (auto ok = change->takeOut(*index); !ok)
            return tl::unexpected(ok.error());
        if (toStage)
            change->putIn(*index, *toStage);
    }
    return change->finish();
}

Result<Edited> PlanEditor::insertStage(const Plan &plan, const QString &device, int place) const {
    auto change = PlanChange::of(m_model, plan, m_locks);
    if (!change)
        return tl::unexpected(change.error());
    const auto index = change->device(device);
    if (!index)
        return tl::unexpected(index.error());
    if (place < 0 || place > change->stageCount())
        return fail(QStringLiteral("edit.stage"), sentence("There is no place %1 for a stage.").arg(place + 1),
                    sentence("The plan has %1 {1|stage|stages}.").arg(change->stageCount()),
                    sentence("Choose a place between two of them, or at an end."));
    if (auto ok = change->takeOut(*index); !ok)
        return tl::unexpected(ok.error());
    PlanChange::Stage fresh;
    fresh.placement.group.push_back({*index, 0});
    change->stages.insert(change->stages.begin() + place, fresh);
    if (auto ok = spreadLayers(*change, place); !ok)
        return tl::unexpected(ok.error());
    return change->finish();
}

Result<Edited> PlanEditor::mergeStages(const Plan &plan, int stage) const {
    auto change = changeOfNeighbors(m_model, plan, m_locks, stage);
    if (!change)
        return tl::unexpected(change.error());
    PlanChange::Stage merged = change->stages[at(stage)];
    const StagePlacement &behind = change->stages[at(stage + 1)].placement;
    merged.placement.lastLayer = behind.lastLayer;
    merged.placement.group.insert(merged.placement.group.end(), behind.group.begin(), behind.group.end());
    merged.placement.recompute = merged.placement.recompute || behind.recompute;
    merged.placement.codec = behind.codec;
    merged.shares = Shares::Share;
    change->stages[at(stage)] = merged;
    change->stages.erase(change->stages.begin() + stage + 1);
    return change->finish();
}

}  // namespace hearth
