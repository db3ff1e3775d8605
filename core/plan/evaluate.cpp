#include "core/plan/evaluate.h"

#include <algorithm>
#include <cmath>

#include "core/plan/asynchronous_round.h"
#include "core/plan/plan_memory.h"
#include "core/plan/play/round_player.h"
#include "core/plan/round_limit.h"
#include "core/plan/side_by_side.h"

namespace hearth {
namespace {

QString lane(const PlanningProblem &problem, int from, int to) {
    return problem.devices[static_cast<std::size_t>(from)].id + QLatin1Char('>') +
           problem.devices[static_cast<std::size_t>(to)].id;
}

void addBytes(const PlanningProblem &problem, int from, int to, double bytes, Prediction *prediction) {
    if (bytes <= 0)
        return;
    qint64 &sum = prediction->roundBytes[lane(problem, from, to)];
    sum = static_cast<qint64>(std::llround(std::min(static_cast<double>(sum) + bytes, Prediction::mostBytes)));
}

/// Calls `add(from, to, bytes)` for what crosses the cut behind stage s in a round.
template <class Add>
void forEachCrossing(const CostModel &model, const Plan &plan, std::size_t s, const CutCodec &codec, const Group &group,
                     const Group &next, Add add) {
    const CutTraffic cut = model.traffic(plan.stages[s].lastLayer, codec, plan.stages[s].recompute);
    for (const Overlap &piece : overlaps(group, next)) {
        const int from = group[static_cast<std::size_t>(piece.from)].device;
        const int to = next[static_cast<std::size_t>(piece.to)].device;
        const double samples = static_cast<double>(piece.samples) * plan.microBatches();
        add(from, to, samples * model.sent(cut.forward, from, to));
        add(to, from, samples * model.sent(cut.backward, to, from));
    }
}

void addBytes(const CostModel &model, const Plan &plan, const PlanSteps &steps, Prediction *prediction) {
    const PlanningProblem &problem = model.problem();
    const auto add = [&](int from, int to, double bytes) { addBytes(problem, from, to, bytes, prediction); };
    const int rounds = plan.microBatches();
    for (std::size_t s = 0; s < steps.groups.size(); ++s) {
        const Group &group = steps.groups[s];
        if (s + 1 < steps.groups.size())
            forEachCrossing(model, plan, s, plan.stages[s].codec, group, steps.groups[s + 1], add);
        const double summed =
            model.allReduceBytes(plan.stages[s].firstLayer, plan.stages[s].lastLayer, group.size(), steps.updates);
        for (std::size_t i = 0; group.size() > 1 && i < group.size(); ++i)
            add(group[i].device, group[(i + 1) % group.size()].device, steps.updates * summed);
    }
    for (const TiedSum &sum : steps.tied) {
        for (std::size_t i = 0; i < sum.group.size(); ++i)
            add(sum.group[i].device, sum.group[(i + 1) % sum.group.size()].device, steps.updates * sum.edgeBytes());
    }
    forEachFeed(model, steps.groups, [&](int data, const MemberShare &member, qint64 bytes) {
        add(data, member.device, static_cast<double>(bytes) * member.samples * rounds);
    });
}

tl::unexpected<Error> unreachable(const PlanningProblem &problem, int from, int to) {
    return fail(
        QStringLiteral("plan.unreachable"), sentence("The plan cannot run over these links."),
        sentence("%1 cannot reach %2.")
            .arg(problem.devices[static_cast<std::size_t>(from)].id, problem.devices[static_cast<std::size_t>(to)].id),
        sentence("Put them where they need not talk, or correct \"links\"."));
}

/// Names the first pair of devices that a pipeline makes talk and that cannot.
Result<void> checkReachable(const CostModel &model, const PlanSteps &steps) {
    const std::vector<Group> &groups = steps.groups;
    Result<void> outcome;
    const auto check = [&](int from, int to) {
        if (outcome && from != to && model.links().bytesPerSecond(from, to) <= 0)
            outcome = unreachable(model.problem(), from, to);
    };
    const auto checkGroup = [&](const Group &group) {
        for (const MemberShare &a : group) {
            for (const MemberShare &b : group)
                check(a.device, b.device);
        }
    };
    for (const TiedSum &sum : steps.tied)
        checkGroup(sum.group);
    for (std::size_t s = 0; s < groups.size(); ++s) {
        checkGroup(groups[s]);
        if (s + 1 == groups.size())
            break;
        for (const Overlap &piece : overlaps(groups[s], groups[s + 1])) {
            const int from = groups[s][static_cast<std::size_t>(piece.from)].device;
            const int to = groups[s + 1][static_cast<std::size_t>(piece.to)].device;
            check(from, to);
            check(to, from);
        }
    }
    forEachFeed(model, groups, [&](int data, const MemberShare &member, qint64) { check(data, member.device); });
    return outcome;
}

/// Nothing where that is too much work, or where no round ends.
std::optional<double> playedSeconds(const CostModel &model, const std::vector<Plan> &pipelines, qint64 mostTasks) {
    RoundPlayer player(model);
    for (const Plan &pipeline : pipelines)
        player.add(placementOf(model.problem(), pipeline), pipeline.microBatches());
    if (player.taskCount() > mostTasks)
        return std::nullopt;
    const double seconds = player.play();
    return std::isfinite(seconds) ? std::optional(seconds) : std::nullopt;
}

/// Every stage as long as it may well take: errors of its layers cancel but for what they have in common.
class LateCosts final : public CostSource {
  public:
    explicit LateCosts(const CostSource &costs) : m_costs(costs) {}
    LayerSeconds seconds(int device, int layer, int samples) const override {
        LayerSeconds late = m_costs.seconds(device, layer, samples);
        const double factor = 1 + std::sqrt(TimeTable::commonError) * m_costs.relativeError(device, layer, samples);
        late.forward *= factor;
        late.backward *= factor;
        late.weights *= factor;
        return late;
    }
    double relativeError(int /*device*/, int /*layer*/, int /*samples*/) const override { return 0; }
    bool same(int device, int other) const override { return m_costs.same(device, other); }

  private:
    const CostSource &m_costs;
};

bool hasPredictions(const PlanningProblem &problem) {
    return std::any_of(problem.times.begin(), problem.times.end(),
                       [](const TimeTable &table) { return table.isPredicted(); });
}

Result<Prediction> evaluateOnce(const CostModel &model, const Plan &plan, const EvaluateOptions &options) {
    if (auto ok = plan.validateFor(model.problem()); !ok)
        return tl::unexpected(ok.error());
    const std::vector<Plan> pipelines = plan.sideBySide();
    const int updates = updatesPerRound(model.problem(), plan);
    std::vector<PlanSteps> steps;
    for (const Plan &pipeline : pipelines) {
        steps.push_back(stepsOf(model, pipeline, updates));
        if (auto ok = checkReachable(model, steps.back()); !ok)
            return tl::unexpected(ok.error());
    }
    const Synchronization synchronization = synchronizationOf(model, pipelines);
    for (const auto &[from, to] : synchronization.pairs) {
        if (model.links().bytesPerSecond(from, to) <= 0)
            return unreachable(model.problem(), from, to);
    }

    Prediction prediction;
    const bool simulate = options.simulated || options.withSchedule;
    const bool isAsynchronous = model.problem().asynchronous && plan.pipelines.empty();
    // The simulator knows no device with several stages, nor does the closed form.
    const bool isInterleaved = plan.isInterleaved();
    Simulator simulator;
    std::vector<std::vector<ScheduledTask>> lanes;
    double simulated = 0, modelled = 0;
    int firstStage = 0;
    for (std::size_t i = 0; i < pipelines.size(); ++i) {
        const Plan &pipeline = pipelines[i];
        SimulatedTimes times;
        double seconds = 0;
        if (isInterleaved)
            seconds = playedSeconds(model, pipeline, &times);
        else if (options.withSchedule)  // an asynchronous round is drawn alone, from its filling to its end
            seconds = simulatedSeconds(simulator, steps[i], pipeline, &times);
        else if (simulate && !isAsynchronous)
            seconds = simulatedSeconds(simulator, steps[i], pipeline);
        RoundLatency closed;
        if (isAsynchronous) {
            const Asynchrony &how = *model.problem().asynchronous;
            closed = asynchronousBound(steps[i], pipeline.microBatches(), how);
            if (simulate)
                seconds = asynchronousSeconds(simulator, steps[i], pipeline.microBatches(), how);
            prediction.delays = delaysOf(plan, how);
        } else {
            closed = closedFormLatency(steps[i].times, pipeline.microBatches());
            if (isInterleaved)
                closed.seconds = seconds;
        }
        simulated = std::max(simulated, seconds);
        if (i == 0 || closed.seconds > modelled)
            prediction.dominantStep = 2 * firstStage + closed.dominantStep;
        modelled = std::max(modelled, closed.seconds);
        firstStage += static_cast<int>(pipeline.stages.size());
        addBytes(model, pipeline, steps[i], &prediction);
        if (options.withSchedule)
            lanes.push_back(scheduleOf(model, pipeline, steps[i], times));
    }
    judgeMemoryAsRun(model, plan, &prediction);
    double shared = sharedSeconds(model, pipelines, steps);
    for (const PlanSteps &own : steps)
        shared = std::max(shared, isAsynchronous ? own.leastSteadySeconds() : own.leastSeconds());
    for (const Exchange &exchange : synchronization.exchanges)
        addBytes(model.problem(), exchange.from, exchange.to, exchange.bytes, &prediction);
    prediction.modelRoundSeconds = std::max(modelled, shared) + synchronization.seconds;
    prediction.roundSeconds =
        simulate ? std::max(simulated, shared) + synchronization.seconds : prediction.modelRoundSeconds;
    prediction.limit = limitOf(model, plan, steps, prediction.roundSeconds - synchronization.seconds);
    prediction.samplesPerSecond = prediction.roundSeconds > 0 ? plan.batch / prediction.roundSeconds : 0;
    if (options.playTasks > 0 && !isAsynchronous && !isInterleaved) {
        if (const auto played = playedSeconds(model, pipelines, options.playTasks))
            prediction.playedRoundSeconds = std::max(*played, shared) + synchronization.seconds;
    }
    if (options.playTasks > 0 && isInterleaved)
        prediction.playedRoundSeconds = prediction.roundSeconds;
    if (options.withSchedule)
        prediction.schedule = joinedLanes(model, pipelines, lanes, synchronization, prediction.roundSeconds);
    return prediction;
}

}  // namespace

Result<Prediction> evaluate(const CostModel &model, const Plan &plan, const EvaluateOptions &options) {
    auto prediction = evaluateOnce(model, plan, options);
    if (!prediction || !hasPredictions(model.problem()))
        return prediction;
    EvaluateOptions once;
    once.simulated = options.simulated || options.withSchedule;
    const LateCosts costs(model.costs());
    if (const auto late = evaluateOnce(CostModel(model.problem(), costs), plan, once);
        late && prediction->roundSeconds > 0)
        prediction->relativeError = std::max(0.0, late->roundSeconds / prediction->roundSeconds - 1);
    return prediction;
}

Result<Prediction> evaluate(const PlanningProblem &problem, const Plan &plan, const EvaluateOptions &options) {
    const CostModel model(problem);
    return evaluate(model, plan, options);
}

double bytesAcross(const CostModel &model, const Plan &plan, int stage, const CutCodec &codec) {
    const Placement placement = placementOf(model.problem(), plan);
    const auto s = static_cast<std::size_t>(stage);
    double sum = 0;
    forEachCrossing(model, plan, s, codec, placement.stages[s].group, placement.stages[s + 1].group,
                    [&sum](int, int, double bytes) { sum += bytes; });
    return sum;
}

}  // namespace hearth
