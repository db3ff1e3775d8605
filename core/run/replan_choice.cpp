#include "core/run/replan_choice.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/at.h"
#include "core/base/number_text.h"
#include "core/plan/edit/settle.h"
#include "core/plan/evaluate.h"
#include "core/plan/steps.h"

namespace hearth {
namespace {

/// Why not; empty: the switch pays.
Sentence objection(const ReplanFacts &facts, const ReplanRule &rule, const ReplanDecision &decision) {
    if (decision.gain <= rule.leastGain)
        return sentence("less than the %1 % that make a change worthwhile")
            .arg(Sentence::quantity(100 * rule.leastGain, 0));
    if (decision.savedSeconds <= rule.payback * decision.costSeconds) {
        return sentence("%1 over the %2 {2|round|rounds} left, too little for the %3 that the change costs")
            .arg(secondsText(decision.savedSeconds), countText(facts.roundsLeft), secondsText(decision.costSeconds));
    }
    if (facts.roundsSinceSwitch < rule.restRounds && decision.gain <= rule.urgentGain) {
        return sentence("and the last change is only %1 of at least %2 {2|round|rounds} ago")
            .arg(facts.roundsSinceSwitch)
            .arg(rule.restRounds);
    }
    return {};
}

struct Sharing {
    const CostModel &model;
    const Placement &placement;
    int microBatches;

    /// Stage `s` with one sample moved off its slowest member, if that shortens it.
    std::optional<StagePlacement> nudged(std::size_t s) const {
        const StagePlacement &stage = placement.stages[s];
        const StageCuts cuts = cutsOf(model, placement, s);
        const auto occupied = [&](const Group &group) {
            return model.execution(stage.firstLayer, stage.lastLayer, group, stage.recompute, cuts).occupied;
        };
        const std::vector<LayerSeconds> seconds = memberSecondsOf(model, placement, s);
        const auto slowest = std::max_element(seconds.begin(), seconds.end(), [](const auto &a, const auto &b) {
            return a.forward + a.backward < b.forward + b.backward;
        });
        const auto from = static_cast<std::size_t>(slowest - seconds.begin());
        const int kept = stage.group[from].samples - 1;
        if (kept < std::max(1, model.memory().minimumSamples(stage.firstLayer, stage.lastLayer)))
            return std::nullopt;
        std::optional<StagePlacement> best;
        double least = occupied(stage.group) * (1 - 1e-9);
        for (std::size_t to = 0; to < stage.group.size(); ++to) {
            if (to == from)
                continue;
            StagePlacement other = stage;
            other.group[from].samples = kept;
            ++other.group[to].samples;
            const double shorter = occupied(other.group);
            const int held = placement.schedule.mostInFlight(stage.inFlight, microBatches);
            if (shorter < least && stageFits(model, other, held)) {
                least = shorter;
                best = std::move(other);
            }
        }
        return best;
    }
};

void applyShares(const PlanningProblem &problem, const StagePlacement &placement, PlanStage *stage) {
    for (const MemberShare &member : placement.group) {
        for (Share &share : stage->shares) {
            if (share.device == problem.devices[at(member.device)].id)
                share.samples = member.samples;
        }
    }
}

}  // namespace

ReplanDecision decideReplan(const ReplanFacts &facts, const ReplanRule &rule) {
    ReplanDecision decision;
    decision.costSeconds = facts.moveSeconds + facts.rebuildSeconds + facts.waitSeconds;
    const bool known = std::isfinite(facts.currentSeconds) && std::isfinite(facts.betterSeconds) &&
                       std::isfinite(decision.costSeconds) && facts.currentSeconds > 0 && facts.betterSeconds > 0;
    if (!known) {
        decision.reason = sentence("The round of one of the plans cannot be predicted, so the plan stays.");
        return decision;
    }
    const double saved = facts.currentSeconds - facts.betterSeconds;
    decision.gain = saved / facts.currentSeconds;
    decision.savedSeconds = saved * static_cast<double>(std::max<qint64>(0, facts.roundsLeft));
    const QStringList rounds = secondsTexts({facts.betterSeconds, facts.currentSeconds});
    const Sentence better = Sentence::quantity(rounds[0]), current = Sentence::quantity(rounds[1]);
    if (better == current) {
        decision.reason = sentence("The plan stays: no better one is known.");
        return decision;
    }
    if (saved <= 0) {
        decision.reason =
            sentence("The plan stays: no better one is known (%1 instead of %2 a round).").arg(better, current);
        return decision;
    }
    const Sentence part = Sentence::quantity(100 * decision.gain, 0);
    const Sentence against = objection(facts, rule, decision);
    decision.switches = against.isEmpty();
    if (!decision.switches) {
        decision.reason = sentence("The plan stays: another one would take %1 instead of %2 a round (%3 % less), %4.")
                              .arg(better, current, part, against);
        return decision;
    }
    decision.reason = sentence(
                          "Another plan takes %1 instead of %2 a round (%3 % less); over the %4 {4|round|rounds} left "
                          "that saves %5, and the change costs %6.")
                          .arg(better, current, part, countText(facts.roundsLeft), secondsText(decision.savedSeconds),
                               secondsText(decision.costSeconds));
    return decision;
}

std::optional<Plan> nudgedShares(const CostModel &model, const Plan &plan, int mostSamples) {
    if (!plan.pipelines.empty())
        return std::nullopt;
    const auto before = evaluate(model, plan);
    if (!before)
        return std::nullopt;
    Plan best = plan;
    best.prediction = *before;
    bool moved = false;
    for (std::size_t s = 0; s < plan.stages.size(); ++s) {
        for (int i = 0; i < mostSamples; ++i) {
            const Placement placement = placementOf(model.problem(), best);
            const Sharing sharing{model, placement, plan.microBatches()};
            const auto stage = sharing.nudged(s);
            if (!stage)
                break;
            Plan next = best;
            applyShares(model.problem(), *stage, &next.stages[s]);
            auto judged = evaluate(model, next);
            if (!judged || judged->roundSeconds > best.prediction->roundSeconds * (1 + 1e-9))
                break;
            next.prediction = std::move(*judged);
            best = std::move(next);
            moved = true;
        }
    }
    return moved ? std::optional(std::move(best)) : std::nullopt;
}

}  // namespace hearth
