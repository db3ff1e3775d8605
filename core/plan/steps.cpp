#include "core/plan/steps.h"

#include <QHash>
#include <utility>

#include "core/base/at.h"

namespace hearth {
namespace {

/// Half duplex and shared air need a channel; transfers with a medium in common share it.
void assignChannels(const CostModel &model, PlanSteps &steps) {
    std::vector<int> channelOfMedium(static_cast<std::size_t>(model.links().mediumCount()), -1);
    int next = 0;
    for (std::size_t s = 1; s < steps.times.size(); s += 2) {
        const StepTimes &times = steps.times[s];
        const int medium = channelOfMedium.empty() ? -1 : model.mediumOf(steps.groups[s / 2], steps.groups[s / 2 + 1]);
        if (medium >= 0) {
            int &channel = channelOfMedium[static_cast<std::size_t>(medium)];
            if (channel < 0)
                channel = next++;
            steps.simulated[s].channel = channel;
        } else if (times.occupied > std::max(times.forward, times.backward)) {
            steps.simulated[s].channel = next++;
        }
    }
}

double feedSeconds(const CostModel &model, const std::vector<Group> &groups, int microBatches) {
    const LinkTable &links = model.links();
    double all = 0, slowest = 0, up = 0;
    std::vector<double> air(at(links.mediumCount()));
    forEachFeed(model, groups, [&](int data, const MemberShare &member, qint64 bytesPerSample) {
        const double bytes = static_cast<double>(bytesPerSample) * member.samples * microBatches;
        all += bytes;
        up = links.up(data);
        slowest = std::max(slowest, bytes / links.bytesPerSecond(data, member.device));
        const int mine = links.medium(data), other = links.medium(member.device);
        if (mine >= 0)
            air[at(mine)] += bytes;
        if (other >= 0 && other != mine)
            air[at(other)] += bytes;
    });
    for (std::size_t m = 0; m < air.size(); ++m) {
        if (air[m] > 0)
            slowest = std::max(slowest, air[m] / links.mediumRate(static_cast<int>(m)));
    }
    return all > 0 ? std::max(slowest, all / up) : 0;
}

/// Seconds before the first byte crosses a card of a stage, and after the last one has.
struct Margins {
    double sending = 0;
    double receiving = 0;
    double both = 0;  // ways over a half duplex card
};

/// Of every stage: the first micro-batch fills the pipeline up to there, the last one drains it from there.
std::vector<Margins> marginsOf(const std::vector<StepTimes> &times) {
    const std::size_t last = times.size() / 2;
    std::vector<Margins> result(last + 1);
    double arrives = 0;        // the first micro-batch at this stage
    double ends = 0, was = 0;  // from the last gradient of this stage, of the one before, to the end of the round
    for (std::size_t s = 0; s <= last; ++s) {
        const StepTimes &own = times[2 * s];
        const auto around = [&](std::ptrdiff_t step) {
            const std::ptrdiff_t index = static_cast<std::ptrdiff_t>(2 * s) + step;
            return index < 0 || index >= static_cast<std::ptrdiff_t>(times.size())
                       ? StepTimes{}
                       : times[static_cast<std::size_t>(index)];
        };
        const StepTimes before = around(-2), cutBefore = around(-1), cutAfter = around(1), after = around(2);
        was = std::exchange(ends, std::max(own.closing(), s > 0 ? cutBefore.backward + before.backward + ends : 0));
        const double turning = after.forward + after.backward;  // of a micro-batch, at the stage behind
        const double sent = s > 0 ? before.backward + was : turning + cutAfter.backward + own.backward + ends;
        const double comes = s > 0 ? arrives - cutBefore.forward : own.forward + cutAfter.forward + turning;
        Margins &margins = result[s];
        margins.sending = arrives + own.forward + (s == last ? own.backward : 0) + sent;
        margins.receiving = comes + (s == last ? own.forward : 0) + own.backward + ends;
        margins.both = s > 0 ? comes + sent : own.forward + own.backward + ends;
        arrives += own.forward + cutAfter.forward;
    }
    return result;
}

/// Bytes of a micro-batch.
struct CarriedBytes {
    double out = 0, in = 0;
};

/// Of each member of a stage, over its cuts.
std::vector<CarriedBytes> bytesOfCards(const CostModel &model, const Placement &placement, std::size_t s) {
    const StagePlacement &stage = placement.stages[s];
    std::vector<CarriedBytes> loads(stage.group.size());
    const auto add = [&](const StagePlacement &before, const StagePlacement &behind, double CarriedBytes::*there,
                         double CarriedBytes::*back) {
        const CutTraffic cut = model.traffic(before.lastLayer, before.codec, before.recompute);
        if (model.cutsAreAlike()) {
            for (std::size_t i = 0; i < loads.size(); ++i) {
                loads[i].*there += stage.group[i].samples * model.leastSent(cut.forward);
                loads[i].*back += stage.group[i].samples * model.leastSent(cut.backward);
            }
            return;
        }
        for (const Overlap &piece : overlaps(before.group, behind.group)) {
            const int from = before.group[at(piece.from)].device, to = behind.group[at(piece.to)].device;
            CarriedBytes &load = loads[at(&before == &stage ? piece.from : piece.to)];
            load.*there += piece.samples * model.sent(cut.forward, from, to);
            load.*back += piece.samples * model.sent(cut.backward, to, from);
        }
    };
    if (s > 0)
        add(placement.stages[s - 1], stage, &CarriedBytes::in, &CarriedBytes::out);
    if (s + 1 < placement.stages.size())
        add(stage, placement.stages[s + 1], &CarriedBytes::out, &CarriedBytes::in);
    return loads;
}

/// Every byte of a device's share crosses its card, whoever is at the other end; none before the pipeline has filled up
/// to there, and the last ones before it drains. Inputs and labels cross it, too, at any time.
void judgeCards(const CostModel &model, const Placement &placement, int microBatches, PlanSteps *steps) {
    const LinkTable &links = model.links();
    int dataDevice = -1;
    double served = 0;  // seconds
    forEachFeed(model, steps->groups, [&](int data, const MemberShare &member, qint64 bytesPerSample) {
        dataDevice = data;
        served += static_cast<double>(bytesPerSample) * member.samples * microBatches / links.up(data);
    });
    std::vector<Margins> margins;  // where there is a card
    for (std::size_t s = 0; s < placement.stages.size(); ++s) {
        const StagePlacement &stage = placement.stages[s];
        std::vector<CarriedBytes> loads;  // by member, where there is a card
        double fed = 0;
        if (dataDevice >= 0 && s == 0)
            fed += static_cast<double>(model.problem().inputBytes);
        if (dataDevice >= 0 && s + 1 == placement.stages.size())
            fed += static_cast<double>(model.problem().labelBytes);
        for (std::size_t i = 0; i < stage.group.size(); ++i) {
            const MemberShare &member = stage.group[i];
            if (!links.ownCard(member.device))
                continue;
            if (margins.empty())
                margins = marginsOf(steps->times);
            if (loads.empty())
                loads = bytesOfCards(model, placement, s);
            const double sending = loads[i].out / links.up(member.device) * microBatches;
            const double receiving = loads[i].in / links.down(member.device) * microBatches;
            if (sending + receiving <= 0)
                continue;
            const bool hasData = member.device == dataDevice;
            const double serving = hasData ? served : 0;
            const double taking =
                hasData || fed <= 0 ? 0 : fed / links.down(member.device) * member.samples * microBatches;
            const bool oneWay = links.halfDuplex(member.device, member.device);
            const double busy = oneWay ? sending + receiving + std::max(margins[s].both, serving + taking)
                                       : std::max(sending + std::max(margins[s].sending, serving),
                                                  receiving + std::max(margins[s].receiving, taking));
            const double carried =
                oneWay ? sending + receiving + serving + taking : std::max(sending + serving, receiving + taking);
            if (busy > steps->cardSeconds) {
                steps->cardSeconds = busy;
                steps->cardDevice = member.device;
            }
            if (carried > steps->carriedSeconds) {
                steps->carriedSeconds = carried;
                steps->carriedDevice = member.device;
            }
        }
    }
}

}  // namespace

Placement placementOf(const PlanningProblem &problem, const Plan &plan) {
    QHash<QString, int> places;
    for (std::size_t i = 0; i < problem.devices.size(); ++i)
        places.insert(problem.devices[i].id, static_cast<int>(i));
    Placement placement{plan.microBatch, plan.schedule, {}};
    for (const PlanStage &stage : plan.stages) {
        StagePlacement own{stage.firstLayer, stage.lastLayer, {}, stage.inFlight, stage.recompute, stage.codec};
        for (const Share &share : stage.shares)
            own.group.push_back({places.value(share.device), share.samples});
        placement.stages.push_back(std::move(own));
    }
    return placement;
}

Plan planFor(const PlanningProblem &problem, const QString &planner, int microBatch) {
    Plan plan;
    plan.modelName = problem.modelName;
    plan.modelSha256 = problem.modelSha256;
    plan.layerCount = static_cast<int>(problem.layers.size());
    plan.planner = planner;
    plan.batch = problem.batch;
    plan.microBatch = microBatch;
    return plan;
}

PlanStage stageOf(const PlanningProblem &problem, const StagePlacement &own) {
    PlanStage stage;
    stage.firstLayer = own.firstLayer;
    stage.lastLayer = own.lastLayer;
    stage.inFlight = own.inFlight;
    stage.recompute = own.recompute;
    stage.codec = own.codec;
    for (const MemberShare &member : own.group)
        stage.shares.push_back({problem.devices[static_cast<std::size_t>(member.device)].id, member.samples});
    stage.sortShares();
    return stage;
}

Plan planOf(const PlanningProblem &problem, const QString &planner, const Placement &placement) {
    Plan plan = planFor(problem, planner, placement.microBatch);
    plan.schedule = placement.schedule;
    for (const StagePlacement &stage : placement.stages)
        plan.stages.push_back(stageOf(problem, stage));
    if (!plan.stages.empty())
        plan.stages.back().codec = {};  // the cut behind it may have gone with a stage
    return plan;
}

StageCuts cutsOf(const CostModel &model, const Placement &placement, std::size_t stage) {
    const StagePlacement &own = placement.stages[stage];
    const CutCodec before = stage > 0 ? placement.stages[stage - 1].codec : CutCodec{};
    return model.cutsOf(own.firstLayer, own.lastLayer, before, own.codec);
}

std::vector<LayerSeconds> memberSecondsOf(const CostModel &model, const Placement &placement, std::size_t stage) {
    const StagePlacement &own = placement.stages[stage];
    const StageCuts cuts = cutsOf(model, placement, stage);
    std::vector<LayerSeconds> seconds;
    for (const MemberShare &member : own.group)
        seconds.push_back(model.memberSeconds(own.firstLayer, own.lastLayer, member, own.recompute, cuts));
    return seconds;
}

PlanSteps stepsOf(const CostModel &model, const Placement &placement) {
    return stepsOf(model, placement, model.problem().batch / placement.microBatch);
}

PlanSteps stepsOf(const CostModel &model, const Placement &placement, int microBatches, int updates) {
    PlanSteps steps;
    steps.updates = updates;
    const auto &stages = placement.stages;
    for (const StagePlacement &stage : stages)
        steps.groups.push_back(stage.group);
    for (std::size_t s = 0; s < stages.size(); ++s) {
        const StagePlacement &stage = stages[s];
        const StepTimes own = model.execution(stage.firstLayer, stage.lastLayer, stage.group, stage.recompute,
                                              cutsOf(model, placement, s), updates);
        steps.times.push_back(own);
        const int inFlight = placement.schedule.mostInFlight(stage.inFlight, microBatches);
        steps.simulated.push_back(
            {own.forward, own.backward, own.allReduce, inFlight, -1, own.weights, stage.recompute});
        if (s + 1 < stages.size()) {
            const StepTimes cut =
                model.transfer(stage.lastLayer, stage.group, stages[s + 1].group, stage.codec, stage.recompute);
            steps.times.push_back(cut);
            steps.simulated.push_back({cut.forward, cut.backward, 0, 1, -1, 0});
        }
    }
    steps.tied = tiedSumsOf(model, placement);
    for (const TiedSum &sum : steps.tied) {
        for (const int s : sum.stages) {
            steps.times[2 * static_cast<std::size_t>(s)].allReduce += sum.seconds;
            steps.simulated[2 * static_cast<std::size_t>(s)].allReduce += sum.seconds;
        }
    }
    assignChannels(model, steps);
    steps.feedSeconds = feedSeconds(model, steps.groups, microBatches);
    if (model.problem().localSteps.any() && steps.feedSeconds > 0)
        steps.feedSeconds += steps.times.front().allReduce;
    judgeCards(model, placement, microBatches, &steps);
    return steps;
}

PlanSteps stepsOf(const CostModel &model, const Plan &plan, int updates) {
    return stepsOf(model, placementOf(model.problem(), plan), plan.microBatches(), updates);
}

double simulatedSeconds(Simulator &simulator, const PlanSteps &steps, int microBatches, Schedule schedule,
                        SimulatedTimes *times) {
    return std::max(steps.leastSeconds(), simulator.run(steps.simulated, microBatches, schedule, times));
}

double simulatedSeconds(Simulator &simulator, const PlanSteps &steps, const Plan &plan, SimulatedTimes *times) {
    return simulatedSeconds(simulator, steps, plan.microBatches(), plan.schedule, times);
}

}  // namespace hearth
