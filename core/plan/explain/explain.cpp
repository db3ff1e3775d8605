#include "core/plan/explain/explain.h"

#include <QLocale>
#include <algorithm>
#include <map>

#include "core/plan/asynchronous_round.h"
#include "core/plan/evaluate.h"
#include "core/plan/round_limit.h"
#include "core/plan/side_by_side.h"
#include "core/plan/words.h"

namespace hearth {
namespace {

/// Smaller gains are not worth a sentence.
constexpr double leastGain = 0.005;
constexpr qsizetype mostIdeas = 6;
constexpr int mostOfAKind = 2;

QString percent(double part) {
    return QLocale(QLocale::English).toString(100 * part, 'f', 0) + QStringLiteral(" %");
}

QString namesOf(const PlanStage &stage) {
    QStringList names;
    for (const Share &share : stage.shares)
        names << share.device;
    return names.join(QStringLiteral(", "));
}

QString stageText(const Plan &plan, int stage) {
    const PlanStage &own = *plan.allStages()[static_cast<std::size_t>(stage)];
    return QStringLiteral("stage %1 (layers %2 to %3 on %4)")
        .arg(stage + 1)
        .arg(own.firstLayer)
        .arg(own.lastLayer - 1)
        .arg(namesOf(own));
}

/// Where the seconds of a round go.
struct Times {
    double busy = 0;       // of what limits it, where it has a part of the round alone
    double allReduce = 0;  // the longest, of all updates
    int allReduceStage = -1;
    double synchronization = 0;  // between pipelines
    QString laziest;
    double computes = std::numeric_limits<double>::infinity();  // seconds that the laziest device computes
};

Times timesOf(const CostModel &model, const Plan &plan) {
    const std::vector<Plan> pipelines = plan.sideBySide();
    Times times;
    times.synchronization = synchronizationOf(model, pipelines).seconds;
    int firstStep = 0, firstStage = 0;  // of the pipeline in hand
    for (const Plan &pipeline : pipelines) {
        const PlanSteps steps = stepsOf(model, pipeline, updatesPerRound(model.problem(), plan));
        const int own = plan.prediction->dominantStep - firstStep;
        if (own >= 0 && own < static_cast<int>(steps.times.size()))
            times.busy = pipeline.microBatches() * steps.times[static_cast<std::size_t>(own)].occupied;
        for (std::size_t s = 0; s < pipeline.stages.size(); ++s) {
            const double summing = steps.updates * steps.times[2 * s].allReduce;
            if (summing > times.allReduce) {
                times.allReduce = summing;
                times.allReduceStage = firstStage + static_cast<int>(s);
            }
        }
        firstStep += 2 * static_cast<int>(pipeline.stages.size());
        firstStage += static_cast<int>(pipeline.stages.size());
    }
    for (const auto &[device, seconds] : computingSeconds(model, plan)) {
        const QString &id = model.problem().devices[static_cast<std::size_t>(device)].id;
        if (seconds < times.computes) {
            times.computes = seconds;
            times.laziest = id;
        }
        // Of several stages none says how busy their device is.
        if (id == plan.prediction->limit.device)
            times.busy = seconds;
    }
    return times;
}

QString limitText(const Plan &plan, const Times &times, double round) {
    const RoundLimit &limit = plan.prediction->limit;
    switch (limit.kind) {
        case RoundLimit::Kind::Feed:
            return QStringLiteral("Serving inputs and labels from %1 limits the round: it takes all of it.")
                .arg(limit.device);
        case RoundLimit::Kind::Card:
            return QStringLiteral(
                       "The card of %1 limits the round: transfers keep it busy from the first micro-batch to the "
                       "last.")
                .arg(limit.device);
        case RoundLimit::Kind::Device:
            return QStringLiteral("Computing on %1 limits the round: it is busy %2 of the time.")
                .arg(limit.device, percent(times.busy / round));
        case RoundLimit::Kind::Step:
            break;
    }
    const int step = plan.prediction->dominantStep;
    const QString place = stageText(plan, step / 2);
    return step % 2 == 0 ? QStringLiteral("Computing in %1 limits the round: it is busy %2 of the time.")
                               .arg(place, percent(times.busy / round))
                         : QStringLiteral("The transfers after %1 limit the round: they are under way %2 of the time.")
                               .arg(place, percent(times.busy / round));
}

QStringList memoryLines(const CostModel &model, const Plan &plan) {
    QStringList lines;
    for (const Violation &violation : plan.prediction->violations) {
        lines << QStringLiteral("The plan does not fit: %1 needs %2 and has %3.")
                     .arg(violation.device, bytesText(static_cast<double>(violation.neededBytes)),
                          bytesText(static_cast<double>(violation.availableBytes)));
    }
    QString fullest;
    double most = -1;
    const auto &memory = plan.prediction->memoryBytes;
    for (auto it = memory.constBegin(); it != memory.constEnd(); ++it) {
        const double available = model.memory().availableBytes(model.problem().indexOf(it.key()));
        const double part = static_cast<double>(it.value()) / std::max(1.0, available);
        if (part > most) {
            most = part;
            fullest = it.key();
        }
    }
    if (lines.isEmpty() && most >= 0)
        lines << QStringLiteral("Memory is fullest on %1: %2 of what it may use.").arg(fullest, percent(most));
    return lines;
}

QStringList restingLines(const CostModel &model, const Plan &plan) {
    QStringList resting = model.problem().deviceIds();
    for (const PlanStage *stage : plan.allStages()) {
        for (const Share &share : stage->shares)
            resting.removeAll(share.device);
    }
    if (resting.isEmpty())
        return {};
    return {QStringLiteral("At rest: %1.").arg(resting.join(QStringLiteral(", ")))};
}

QString ideaLine(const WhatIf &idea, bool better) {
    const auto gain = [](double part) { return QStringLiteral("+%1").arg(percent(part)); };
    const double anew = idea.gainAnew.value_or(0);
    // Where a new plan is better already without the change, gains by new plans count from that one.
    const QString with = better ? QStringLiteral("on top of a new plan") : QStringLiteral("with a new plan");
    if (anew < leastGain || (!better && anew < idea.gain + leastGain))
        return QStringLiteral("%1 would give %2.").arg(idea.what, gain(idea.gain));
    if (idea.gain < leastGain)
        return QStringLiteral("%1 would give %2 %3.").arg(idea.what, gain(anew), with);
    return QStringLiteral("%1 would give %2, %3 %4.").arg(idea.what, gain(idea.gain), with, gain(anew));
}

QStringList ideaLines(const std::vector<WhatIf> &ideas) {
    const bool better = std::any_of(ideas.begin(), ideas.end(), [](const WhatIf &idea) {
        return idea.kind == WhatIf::Kind::NewPlan && idea.gain >= leastGain;
    });
    QStringList lines;
    std::map<WhatIf::Kind, int> said;
    for (const WhatIf &idea : ideas) {
        if (idea.best() >= leastGain && lines.size() < mostIdeas && ++said[idea.kind] <= mostOfAKind)
            lines << ideaLine(idea, better);
    }
    if (lines.isEmpty())
        lines << QStringLiteral("No single change of a link, a device or memory would give 1 % or more.");
    return lines;
}

QStringList leastNeededLines(const std::optional<LeastNeeded> &least) {
    if (!least)
        return {};
    if (least->loss < -leastGain)
        return {QStringLiteral("Without %1 a round would take %2 less.").arg(least->device, percent(-least->loss))};
    if (least->loss < leastGain)
        return {QStringLiteral("%1 is not needed: without it a round takes as long.").arg(least->device)};
    return {QStringLiteral("%1 is needed least: without it a round takes %2 longer.")
                .arg(least->device, percent(least->loss))};
}

}  // namespace

QStringList explain(const CostModel &model, const Plan &plan, const WhatIfOptions &options) {
    const double round = plan.prediction->roundSeconds;
    if (!(round > 0))
        return {QStringLiteral("A round takes no time: nothing limits it.")};
    const Times times = timesOf(model, plan);
    QStringList lines{limitText(plan, times, round)};
    if (plan.deviceCount() > 1) {
        lines << QStringLiteral("%1 waits longest: it computes %2 of the time.")
                     .arg(times.laziest, percent(times.computes / round));
    }
    if (times.allReduceStage >= 0) {
        lines << QStringLiteral("The longest AllReduce, in stage %1, takes %2 of the round.")
                     .arg(times.allReduceStage + 1)
                     .arg(percent(times.allReduce / round));
    }
    if (times.synchronization > 0) {
        lines << QStringLiteral("Bringing the pipelines' gradients together takes %1 of the round.")
                     .arg(percent(times.synchronization / round));
    }
    lines += memoryLines(model, plan);
    lines += restingLines(model, plan);
    lines += ideaLines(whatIfs(model, plan, options));
    lines += leastNeededLines(leastNeeded(model, plan, options));
    return lines;
}

}  // namespace hearth
