#include "core/plan/edit/edit_change.h"

#include "core/base/at.h"
#include "core/base/json_reader.h"
#include "core/plan/words.h"

namespace hearth {
namespace {

/// The layer that asks for most samples per device.
int pickiestLayer(const PlanningProblem &problem, int firstLayer, int lastLayer) {
    int found = firstLayer;
    for (int l = firstLayer; l < lastLayer; ++l) {
        if (problem.layers[at(l)].minimumSamples > problem.layers[at(found)].minimumSamples)
            found = l;
    }
    return found;
}

}  // namespace

Result<void> checkEditable(const CostModel &model, const Plan &plan) {
    if (!plan.pipelines.empty())
        return fail(QStringLiteral("edit.pipelines"),
                    sentence("A plan of several pipelines side by side cannot be changed by hand."), {},
                    sentence("Load a plan of stages."));
    if (plan.isInterleaved())
        return fail(QStringLiteral("edit.interleaved"),
                    sentence("A plan in which devices have several stages cannot be changed by hand."), {},
                    sentence("Load a plan that gives each device one stage."));
    return plan.validateFor(model.problem());
}

Result<PlanChange> PlanChange::of(const CostModel &model, const Plan &plan, const PlanLocks &locks) {
    if (auto ok = checkEditable(model, plan); !ok)
        return tl::unexpected(ok.error());
    PlanChange change;
    change.m_model = &model;
    change.m_plan = &plan;
    change.m_locks = &locks;
    change.m_before = placementOf(model.problem(), plan);
    change.microBatch = plan.microBatch;
    for (int s = 0; s < change.stageCount(); ++s)
        change.stages.push_back({change.m_before.stages[at(s)], s});
    return change;
}

const QString &PlanChange::id(int device) const {
    return m_model->problem().devices[at(device)].id;
}

Result<void> PlanChange::checkStage(int stage) const {
    if (stage >= 0 && stage < stageCount())
        return {};
    return fail(QStringLiteral("edit.stage"), sentence("There is no stage %1.").arg(stage + 1),
                sentence("The plan has %1 {1|stage|stages}.").arg(stageCount()), sentence("Choose one of them."));
}

Result<int> PlanChange::device(const QString &id) const {
    const int found = m_model->indexOf(id);
    if (found >= 0)
        return found;
    return fail(QStringLiteral("edit.device"), sentence("There is no device \"%1\".").arg(id.left(80)),
                sentence("The plan's problem does not know it."), didYouMean(id, m_model->problem().deviceIds()));
}

int PlanChange::stageOf(int device) const {
    for (int s = 0; s < stageCount(); ++s) {
        for (const MemberShare &member : m_before.stages[at(s)].group) {
            if (member.device == device)
                return s;
        }
    }
    return -1;
}

Result<void> PlanChange::takeOut(int device) {
    const int from = stageOf(device);
    if (from < 0)
        return {};
    Stage &stage = stages[at(from)];
    if (stage.placement.group.size() == 1)
        return fail(QStringLiteral("edit.no-devices"), sentence("Stage %1 would have no devices.").arg(from + 1),
                    sentence("%1 is the only one there.").arg(id(device)),
                    sentence("Give it another device first, or merge it with its neighbor."));
    std::erase_if(stage.placement.group, [device](const MemberShare &member) { return member.device == device; });
    stage.shares = Shares::Share;
    return {};
}

void PlanChange::putIn(int device, int stage) {
    stages[at(stage)].placement.group.push_back({device, 0});
    stages[at(stage)].shares = Shares::Share;
}

void PlanChange::shareAll() {
    for (Stage &stage : stages)
        stage.shares = Shares::Share;
}

/// A stage that did not fit before, and whose devices all need no more than before.
bool PlanChange::noWorse(const Stage &stage) const {
    if (stage.origin < 0 || microBatch != m_before.microBatch)
        return false;
    const StagePlacement &old = m_before.stages[at(stage.origin)];
    const int microBatches = m_model->problem().batch / microBatch;
    const int held = m_before.schedule.mostInFlight(old.inFlight, microBatches);
    if (stageFits(*m_model, old, held))
        return false;
    const StagePlacement &own = stage.placement;
    if (stage.exactInFlight && own.inFlight > old.inFlight)
        return false;
    int samples = 0;
    for (const MemberShare &member : own.group) {
        const auto same = std::find_if(old.group.begin(), old.group.end(),
                                       [&member](const MemberShare &other) { return other.device == member.device; });
        if (same == old.group.end())
            return false;
        const auto bytes = [&](const StagePlacement &place, int share) {
            return m_model->memory().deviceBytes(member.device,
                                                 {place.firstLayer, place.lastLayer, share, held, place.recompute});
        };
        if (bytes(own, member.samples) > bytes(old, same->samples))
            return false;
        samples += member.samples;
    }
    const int minimum = m_model->memory().minimumSamples(own.firstLayer, own.lastLayer);
    return samples == microBatch && std::all_of(own.group.begin(), own.group.end(),
                                                [minimum](const MemberShare &m) { return m.samples >= minimum; });
}

Result<StagePlacement> PlanChange::settle(int stage, int target, const LockCheck &locks) const {
    const Stage &own = stages[at(stage)];
    const int microBatches = m_model->problem().batch / microBatch;
    StageRequest request{own.placement, {}, microBatch, microBatches, m_before.schedule, true};
    request.stage.inFlight = target;
    for (MemberShare &member : request.stage.group) {
        const bool locked = own.shares == Shares::Share && locks.shareLocked(member.device);
        if (locked)
            member.samples = locks.lockedSamples(member.device);
        request.pinned.push_back(own.shares == Shares::Keep || locked ? 1 : 0);
    }
    auto settled = settleStage(*m_model, request);
    if (settled && own.exactInFlight && settled->inFlight < target) {
        const auto &group = settled->group;
        for (const MemberShare &member : group) {
            const StagePlace place{own.placement.firstLayer, own.placement.lastLayer, member.samples,
                                   std::min(target, microBatches), own.placement.recompute};
            if (!m_model->memory().fits(member.device, place)) {
                return refusal(
                    stage, {StageLack::Kind::Memory, member.device, m_model->memory().deviceBytes(member.device, place),
                            m_model->memory().availableBytes(member.device)});
            }
        }
    }
    if (settled)
        return *settled;
    if (settled.error().kind == StageLack::Kind::Memory && noWorse(own)) {
        StagePlacement kept = own.placement;
        kept.inFlight = std::min(target, m_before.stages[at(own.origin)].inFlight);
        return kept;
    }
    return refusal(stage, settled.error());
}

tl::unexpected<Error> PlanChange::refusal(int stage, const StageLack &lack) const {
    const PlanningProblem &problem = m_model->problem();
    const StagePlacement &own = stages[at(stage)].placement;
    const int members = static_cast<int>(own.group.size());
    const Sentence picky = layerText(problem, pickiestLayer(problem, own.firstLayer, own.lastLayer));
    switch (lack.kind) {
        case StageLack::Kind::PinnedShares:
            return fail(QStringLiteral("edit.locked"),
                        sentence("The locked shares of stage %1 leave too few or too many samples.").arg(stage + 1),
                        sentence("All shares must sum to the %1 {1|sample|samples} of a micro-batch.").arg(microBatch),
                        sentence("Unlock a share first."));
        case StageLack::Kind::TooFewSamples:
            if (lack.device >= 0)
                return fail(QStringLiteral("edit.locked"),
                            sentence("The locked share of %1 is too small.").arg(id(lack.device)),
                            sentence("%1 needs at least %2 samples per device.").arg(picky).arg(lack.minimum),
                            sentence("Unlock it first."));
            return fail(
                QStringLiteral("edit.minimum-samples"),
                lack.minimum > 1 ? sentence("%1 needs at least %2 samples per device.").arg(picky).arg(lack.minimum)
                                 : sentence("Stage %1 has more devices than samples.").arg(stage + 1),
                sentence(
                    "A micro-batch of %1 {1|sample|samples} is too small for the %2 {2|device|devices} of stage %3.")
                    .arg(microBatch)
                    .arg(members)
                    .arg(stage + 1),
                sentence("Send a device to another stage or to rest, or make the micro-batch larger."));
        case StageLack::Kind::Memory:
            break;
    }
    return fail(QStringLiteral("edit.memory"),
                sentence("%1 would need %2 and has %3.")
                    .arg(id(lack.device), bytesText(lack.needed), bytesText(lack.available)),
                sentence("For its part of %1 to %2 (stage %3) it needs %4 bytes; it may use %5 bytes.")
                    .arg(layerText(problem, own.firstLayer), layerText(problem, own.lastLayer - 1))
                    .arg(stage + 1)
                    .arg(countText(static_cast<qint64>(lack.needed)))
                    .arg(countText(static_cast<qint64>(lack.available))),
                sentence("Give it fewer layers or samples, or add a device to its stage."));
}

Result<Edited> PlanChange::finish() const {
    const int microBatches = m_model->problem().batch / microBatch;
    const int count = static_cast<int>(stages.size());
    const LockCheck locks(*m_model, m_before, *m_locks);
    Placement after{microBatch, m_before.schedule, {}};
    for (const Stage &stage : stages)
        after.stages.push_back(stage.placement);
    if (auto ok = locks.checkPlaces(after); !ok)
        return tl::unexpected(ok.error());

    const InFlightRule rule = limitRuleOf(*m_model, m_before);
    std::vector<LoweredLimit> lowered;
    for (int s = 0; s < count; ++s) {
        const Stage &stage = stages[at(s)];
        const int target = stage.exactInFlight
                               ? stage.placement.inFlight
                               : inFlightAfter(*m_model, m_before, rule, stage.origin, s, count, microBatches);
        auto settled = settle(s, target, locks);
        if (!settled)
            return tl::unexpected(settled.error());
        const int wanted = std::min(target, microBatches);
        const bool news = stage.origin < 0 || settled->inFlight != m_before.stages[at(stage.origin)].inFlight;
        if (settled->inFlight < wanted && news)
            lowered.push_back({s, settled->inFlight, wanted});
        after.stages[at(s)] = std::move(*settled);
    }
    if (auto ok = locks.check(after); !ok)
        return tl::unexpected(ok.error());

    Edited edited;
    edited.plan = planOf(m_model->problem(), m_plan->planner, after);
    edited.plan.modelName = m_plan->modelName;
    edited.plan.modelSha256 = m_plan->modelSha256;
    edited.lowered = std::move(lowered);
    auto estimate = evaluate(*m_model, edited.plan, {.simulated = false});
    if (!estimate)
        return tl::unexpected(estimate.error());
    edited.estimate = std::move(*estimate);
    return edited;
}

}  // namespace hearth
