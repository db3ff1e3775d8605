// Edits of shares and limits.
#include "core/base/at.h"
#include "core/plan/edit/edit.h"
#include "core/plan/edit/edit_change.h"
#include "core/plan/planners/tools.h"
#include "core/plan/words.h"

namespace hearth {
namespace {

tl::unexpected<Error> badShares(const Sentence &what, const Sentence &cause, const Sentence &advice) {
    return fail(QStringLiteral("edit.shares"), what, cause, advice);
}

/// Every share of the stage is large enough for its layers.
Result<void> checkMinimum(const PlanChange &change, const StagePlacement &stage) {
    const PlanningProblem &problem = change.model().problem();
    const Sentence fewer = sentence("Send it to rest, or give fewer samples.");
    for (const MemberShare &member : stage.group) {
        if (member.samples < 1)
            return badShares(sentence("%1 would have no samples.").arg(change.id(member.device)),
                             sentence("Every device of a stage takes part in each micro-batch."), fewer);
        for (int l = stage.firstLayer; l < stage.lastLayer; ++l) {
            const int minimum = problem.layers[at(l)].minimumSamples;
            if (member.samples < minimum) {
                return fail(
                    QStringLiteral("edit.minimum-samples"),
                    sentence("%1 needs at least %2 samples per device.").arg(layerText(problem, l)).arg(minimum),
                    sentence("%1 would have %2.").arg(change.id(member.device)).arg(member.samples), fewer);
            }
        }
    }
    return {};
}

}  // namespace

Result<Edited> PlanEditor::setShares(const Plan &plan, int stage, const std::vector<Share> &shares) const {
    auto change = PlanChange::of(m_model, plan, m_locks);
    if (!change)
        return tl::unexpected(change.error());
    if (auto ok = change->checkStage(stage); !ok)
        return tl::unexpected(ok.error());
    StagePlacement &own = change->stages[at(stage)].placement;
    std::vector<char> given(own.group.size(), 0);
    qint64 sum = 0;
    for (const Share &share : shares) {
        const auto index = change->device(share.device);
        if (!index)
            return tl::unexpected(index.error());
        std::size_t i = 0;
        while (i < own.group.size() && own.group[i].device != *index)
            ++i;
        if (i == own.group.size() || given[i]) {
            return badShares(sentence("%1 cannot have a share there.").arg(share.device),
                             sentence("It is not in stage %1, or is named twice.").arg(stage + 1),
                             sentence("Name every device of the stage once."));
        }
        given[i] = 1;
        own.group[i].samples = share.samples;
        sum += share.samples;
    }
    if (const auto missing = std::find(given.begin(), given.end(), 0); missing != given.end()) {
        const MemberShare &member = own.group[static_cast<std::size_t>(missing - given.begin())];
        return badShares(sentence("%1 has no share.").arg(change->id(member.device)), sentence("It is not named."),
                         sentence("Name every device of the stage once."));
    }
    if (auto ok = checkMinimum(*change, own); !ok)
        return tl::unexpected(ok.error());
    if (sum != plan.microBatch)
        return badShares(sentence("The shares sum to %1 {1|sample|samples}.").arg(sum),
                         sentence("A micro-batch has %1.").arg(plan.microBatch),
                         sentence("Give the difference to one of the devices."));
    return change->finish();
}

Result<Edited> PlanEditor::shareAnew(const Plan &plan) const {
    auto change = PlanChange::of(m_model, plan, m_locks);
    if (!change)
        return tl::unexpected(change.error());
    change->shareAll();
    return change->finish();
}

Result<Edited> PlanEditor::setInFlight(const Plan &plan, int stage, int inFlight) const {
    auto change = PlanChange::of(m_model, plan, m_locks);
    if (!change)
        return tl::unexpected(change.error());
    if (auto ok = change->checkStage(stage); !ok)
        return tl::unexpected(ok.error());
    if (inFlight < 1 || inFlight > plan.microBatches()) {
        return fail(QStringLiteral("edit.limit"),
                    sentence("Stage %1 cannot hold %2 micro-batches in flight.").arg(stage + 1).arg(inFlight),
                    sentence("A round has %1 {1|micro-batch|micro-batches}.").arg(plan.microBatches()),
                    sentence("Choose 1 to %1.").arg(plan.microBatches()));
    }
    change->stages[at(stage)].placement.inFlight = inFlight;
    change->stages[at(stage)].exactInFlight = true;
    return change->finish();
}

Result<Edited> PlanEditor::setMicroBatch(const Plan &plan, int microBatch) const {
    auto change = PlanChange::of(m_model, plan, m_locks);
    if (!change)
        return tl::unexpected(change.error());
    const PlanningProblem &problem = m_model.problem();
    const std::vector<int> choices = microBatchChoices(problem);
    if (std::find(choices.begin(), choices.end(), microBatch) == choices.end()) {
        return fail(QStringLiteral("edit.micro-batch"),
                    sentence("Micro-batches cannot have %1 {1|sample|samples}.").arg(microBatch),
                    problem.microBatch ? sentence("The job fixes them at %1.").arg(*problem.microBatch)
                                       : sentence("The batch of %1 must be a multiple.").arg(problem.batch),
                    problem.microBatch ? sentence("Change the job.") : sentence("Choose a divisor of it."));
    }
    if (microBatch != plan.microBatch) {
        change->microBatch = microBatch;
        change->shareAll();
    }
    return change->finish();
}

Result<Edited> PlanEditor::setCodec(const Plan &plan, int stage, const CutCodec &codec) const {
    auto change = PlanChange::of(m_model, plan, m_locks);
    if (!change)
        return tl::unexpected(change.error());
    for (const int s : {stage, stage + 1}) {
        if (auto ok = change->checkStage(s); !ok)
            return tl::unexpected(ok.error());
    }
    change->stages[at(stage)].placement.codec = codec;
    return change->finish();
}

}  // namespace hearth
