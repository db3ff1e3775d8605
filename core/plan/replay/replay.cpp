#include "core/plan/replay/replay.h"

#include <QElapsedTimer>
#include <cmath>

#include "core/base/json_reader.h"
#include "core/base/number_text.h"
#include "core/plan/asynchronous_round.h"
#include "core/plan/cut_levels.h"
#include "core/plan/evaluate.h"
#include "core/plan/planner.h"
#include "core/plan/replay/surviving_stages.h"
#include "core/plan/replay/survivors.h"
#include "core/plan/words.h"

namespace hearth {
namespace {

using Cuts = SurvivingStages::Cuts;

Result<void> check(const CostModel &model, const Plan &plan, const ReplayRequest &request) {
    if (!plan.pipelines.empty()) {
        return fail(QStringLiteral("replay.pipelines"),
                    sentence("A plan of several pipelines side by side cannot be replayed."), QString(),
                    sentence("Run a plan of stages."));
    }
    if (auto ok = plan.validateFor(model.problem()); !ok)
        return ok;
    for (const QString &device : request.lost) {
        if (model.indexOf(device) < 0) {
            return fail(
                QStringLiteral("replay.device"), sentence("There is no device \"%1\" to lose.").arg(device.left(80)),
                sentence("The plan's problem does not know it."), didYouMean(device, model.problem().deviceIds()));
        }
    }
    const QString &data = model.problem().dataDevice;
    if (!data.isEmpty() && request.lost.contains(data)) {
        return fail(QStringLiteral("replay.data"), sentence("Training cannot go on without %1.").arg(data),
                    sentence("It holds the training data, and it is lost."),
                    sentence("Bring it back, or start again where the data are."));
    }
    return {};
}

tl::unexpected<Error> noMemory(const CostModel &model, const std::optional<StageLack> &lack) {
    Sentence cause = sentence("A group has too few devices for its layers.");
    if (lack && lack->kind == StageLack::Kind::Memory) {
        cause = sentence("%1 would need %2 (%3 bytes) and has %4 (%5 bytes).")
                    .arg(model.problem().devices[static_cast<std::size_t>(lack->device)].id, bytesText(lack->needed))
                    .arg(countText(std::llround(lack->needed)))
                    .arg(bytesText(lack->available))
                    .arg(countText(std::llround(lack->available)));
    }
    return fail(QStringLiteral("replay.memory"),
                sentence("Moving borders alone does not make the layers fit the devices that are left."), cause,
                sentence("Plan anew for all devices that are left."));
}

/// Judges the plan and adds the times up; `timer` runs since planning began.
Result<Replay> complete(const CostModel &model, const ReplayRequest &request, ReplayMethod method, Plan plan,
                        const QElapsedTimer &timer) {
    auto prediction = evaluate(model, plan);
    if (!prediction)
        return tl::unexpected(prediction.error());
    Replay result;
    result.method = method;
    result.plan = std::move(plan);
    const double planning = static_cast<double>(timer.nsecsElapsed()) * 1e-9;
    prediction->planningSeconds = planning;
    result.seconds = {request.detectSeconds, planning, 0, request.rebuildSeconds,
                      request.lostRounds * prediction->roundSeconds};
    result.plan.prediction = std::move(*prediction);
    return result;
}

/// The same with what moves straight from owner to owner.
Result<Replay> completeDirect(const CostModel &model, const Plan &before, const ReplayRequest &request,
                              ReplayMethod method, Plan plan, const QElapsedTimer &timer) {
    auto result = complete(model, request, method, std::move(plan), timer);
    if (!result)
        return result;
    if (!request.copies)
        return result;
    auto moves = movesBetween(model, before, result->plan, request.lost, *request.copies);
    if (!moves)
        return tl::unexpected(moves.error());
    result->moves = std::move(*moves);
    result->seconds.move = moveSeconds(model, result->moves);
    return result;
}

/// All layers of a plan from one device to their owners.
Result<std::vector<LayerMove>> scatter(const CostModel &model, const Plan &plan, const QString &from) {
    std::vector<LayerMove> moves;
    for (const PlanStage &stage : plan.stages) {
        for (const Share &share : stage.shares) {
            if (share.device == from)
                continue;
            if (model.links().bytesPerSecond(model.indexOf(from), model.indexOf(share.device)) <= 0) {
                return fail(QStringLiteral("replay.unreachable"),
                            sentence("%1 cannot get its layers.").arg(share.device),
                            sentence("%1 cannot reach it.").arg(from),
                            sentence("Repair the link, or plan without that device."));
            }
            for (int l = stage.firstLayer; l < stage.lastLayer; ++l) {
                if (const qint64 bytes = stateBytes(model.problem(), l); bytes > 0)
                    moves.push_back({l, from, share.device, bytes});
            }
        }
    }
    return moves;
}

bool losesDevicesOf(const Plan &plan, const QSet<QString> &lost) {
    return std::any_of(plan.stages.begin(), plan.stages.end(), [&lost](const PlanStage &stage) {
        return std::any_of(stage.shares.begin(), stage.shares.end(),
                           [&lost](const Share &share) { return lost.contains(share.device); });
    });
}

Plan planLike(const CostModel &model, const Plan &before, const Placement &placement) {
    Plan plan = planOf(model.problem(), before.planner, placement);
    chooseLevels(model, plan);
    plan.modelName = before.modelName;
    plan.modelSha256 = before.modelSha256;
    return plan;
}

/// The best cuts that lightweight replay finds; nothing where memory cannot be repaired.
std::optional<Cuts> bestCuts(SurvivingStages &stages, const ReplayRequest &request) {
    std::optional<Cuts> best;
    double seconds = 0;
    const auto offer = [&](Cuts cuts) {
        if (!stages.repairMemory(cuts))
            return;
        if (request.climb)
            stages.climb(cuts, request.planning.cancelled);
        const double now = stages.simulated(cuts);
        if (!best || now < seconds) {
            best = std::move(cuts);
            seconds = now;
        }
    };
    offer(stages.proportionalCuts());
    if (request.climb || !best)
        offer(stages.keptCuts());
    return best;
}

}  // namespace

QString replayMethodName(ReplayMethod method) {
    return method == ReplayMethod::Lightweight ? QStringLiteral("lightweight") : QStringLiteral("heavy");
}

Result<Replay> lightweightReplay(const CostModel &model, const Plan &plan, const ReplayRequest &request) {
    QElapsedTimer timer;
    timer.start();
    if (auto ok = check(model, plan, request); !ok)
        return tl::unexpected(ok.error());
    // Sources first: without them no plan helps, and the answer names the layers.
    if (request.copies) {
        if (auto moves = movesBetween(model, plan, plan, request.lost, *request.copies);
            !moves && moves.error().code == QLatin1String("replay.no-source"))
            return tl::unexpected(moves.error());
    }
    if (!losesDevicesOf(plan, request.lost))
        return completeDirect(model, plan, request, ReplayMethod::Lightweight, plan, timer);
    if (plan.isInterleaved()) {
        return fail(QStringLiteral("replay.interleaved"),
                    sentence("Moving borders alone does not replace a device that has several stages."), {},
                    sentence("Plan anew for all devices that are left."));
    }
    const Placement before = placementOf(model.problem(), plan);
    SurvivingStages stages(model, before, request.lost, request.climb);
    if (stages.count() == 0) {
        return fail(QStringLiteral("replay.no-devices"), sentence("No device of the plan is left."),
                    sentence("All that computed are lost."),
                    sentence("Plan anew for the devices at rest, or bring one back."));
    }
    const auto cuts = bestCuts(stages, request);
    if (!cuts)
        return noMemory(model, stages.lack(stages.proportionalCuts()));
    Plan left = planLike(model, plan, stages.placement(*cuts));
    if (model.problem().asynchronous && request.climb) {
        if (auto limited = withAsynchronousLimits(model, left))
            left = std::move(*limited);
    }
    return completeDirect(model, plan, request, ReplayMethod::Lightweight, std::move(left), timer);
}

Result<Replay> heavyRescheduling(const CostModel &model, const Plan &plan, const ReplayRequest &request,
                                 const QString &planner) {
    QElapsedTimer timer;
    timer.start();
    if (auto ok = check(model, plan, request); !ok)
        return tl::unexpected(ok.error());
    const PlanningProblem left = problemWithout(model.problem(), request.lost);
    if (left.devices.empty()) {
        return fail(QStringLiteral("replay.no-devices"), sentence("No device is left."), sentence("All are lost."),
                    sentence("Bring one back."));
    }
    QString gathering = request.coordinator.isEmpty() ? left.dataDevice : request.coordinator;
    if (gathering.isEmpty())
        gathering = left.devices.front().id;
    if (left.indexOf(gathering) < 0) {
        return fail(QStringLiteral("replay.device"), sentence("Nothing can be gathered at %1.").arg(gathering),
                    sentence("It is lost or unknown."), sentence("Choose a device that is left."));
    }
    std::optional<std::vector<LayerMove>> gather;
    if (request.copies) {
        auto moves = movesToOne(model, plan, gathering, request.lost, *request.copies);
        if (moves)
            gather = std::move(*moves);
        else if (moves.error().code == QLatin1String("replay.no-source"))
            return tl::unexpected(moves.error());
    }
    const SurvivorCosts costs(model, request.lost);
    auto planned = searchOnce(planner, left, costs, request.planning);
    if (!planned)
        return tl::unexpected(planned.error());
    planned->prediction.reset();
    const auto scattered = scatter(model, *planned, gathering);
    if (!gather || !scattered)  // no way over that device: straight from who has it to who needs it
        return completeDirect(model, plan, request, ReplayMethod::Heavy, std::move(*planned), timer);
    auto result = complete(model, request, ReplayMethod::Heavy, std::move(*planned), timer);
    if (!result)
        return result;
    result->seconds.move = moveSeconds(model, *gather) + moveSeconds(model, *scattered);
    result->moves = *gather;
    result->moves.insert(result->moves.end(), scattered->begin(), scattered->end());
    return result;
}

Result<Replay> recover(const CostModel &model, const Plan &plan, const ReplayRequest &request, const QString &planner) {
    auto light = lightweightReplay(model, plan, request);
    if (light)
        return light;
    const QString &code = light.error().code;
    const bool onlyANewPlan = code == QLatin1String("replay.memory") || code == QLatin1String("replay.interleaved") ||
                              code == QLatin1String("replay.no-devices") || code == QLatin1String("plan.unreachable") ||
                              code == QLatin1String("replay.unreachable");
    return onlyANewPlan ? heavyRescheduling(model, plan, request, planner) : light;
}

}  // namespace hearth
