#include "core/plan/replay/surviving_stages.h"

#include "core/base/at.h"
#include "core/plan/edit/balance.h"
#include "core/plan/seconds.h"

namespace hearth {
namespace {

/// Pipelines up to this depth also try to shift several borders at once, which takes a layer through balanced stages.
constexpr int mostStagesShiftedTogether = 16;
/// Tasks that the simulator may play to improve the cuts: a fraction of a second.
constexpr int mostSimulatedTasks = 1'000'000;

}  // namespace

SurvivingStages::SurvivingStages(const CostModel &model, const Placement &before, const QSet<QString> &lost,
                                 bool freeLimits)
    : m_model(model), m_before(before), m_judge(model, freeLimits) {
    for (std::size_t s = 0; s < before.stages.size(); ++s) {
        std::vector<int> group;
        for (const MemberShare &member : before.stages[s].group) {
            if (!lost.contains(model.problem().devices[at(member.device)].id))
                group.push_back(member.device);
        }
        if (group.empty())
            continue;
        m_groups.push_back(std::move(group));
        m_origin.push_back(static_cast<int>(s));
    }
    const InFlightRule rule = limitRuleOf(model, before);
    const int microBatches = model.problem().batch / before.microBatch;
    for (int s = 0; s < count(); ++s)
        m_inFlight.push_back(inFlightAfter(model, before, rule, m_origin[at(s)], s, count(), microBatches));
}

SurvivingStages::Cuts SurvivingStages::proportionalCuts() const {
    const LayerWeights weights(m_model, m_before.microBatch);
    std::vector<double> speeds;
    for (const auto &group : m_groups)
        speeds.push_back(weights.speed(group));
    return weights.cuts(0, m_model.layerCount(), speeds);
}

SurvivingStages::Cuts SurvivingStages::keptCuts() {
    Cuts cuts{0};
    for (int s = 1; s < count(); ++s)
        cuts.push_back(m_before.stages[at(m_origin[at(s)])].firstLayer);
    cuts.push_back(m_model.layerCount());
    // So far the stage in front takes the layers of a gap.
    for (int s = 1; s < count(); ++s) {
        const int end = m_before.stages[at(m_origin[at(s - 1)])].lastLayer;
        if (end == cuts[at(s)])
            continue;
        Cuts other = cuts;
        other[at(s)] = end;
        if (closedForm(other) < closedForm(cuts))
            cuts = std::move(other);
    }
    return cuts;
}

tl::expected<StagePlacement, StageLack> SurvivingStages::settle(int stage, int firstLayer, int lastLayer) const {
    const StagePlacement &before = m_before.stages[at(m_origin[at(stage)])];
    StagePlacement wanted{firstLayer, lastLayer, {}, m_inFlight[at(stage)], before.recompute, before.codec};
    for (const int device : m_groups[at(stage)])
        wanted.group.push_back({device, 0});
    return settleStage(
        m_model,
        {wanted, {}, m_before.microBatch, m_model.problem().batch / m_before.microBatch, m_before.schedule, false});
}

const SurvivingStages::Settled &SurvivingStages::settled(int stage, int firstLayer, int lastLayer) {
    const auto width = static_cast<quint64>(m_model.layerCount()) + 1;
    const quint64 key = (static_cast<quint64>(stage) * width + static_cast<quint64>(firstLayer)) * width +
                        static_cast<quint64>(lastLayer);
    const auto [found, fresh] = m_settled.try_emplace(key);
    Settled &own = found->second;
    if (fresh) {
        if (auto placed = settle(stage, firstLayer, lastLayer)) {
            own.placement = std::move(*placed);
            own.times = m_model.execution(firstLayer, lastLayer, own.placement.group, own.placement.recompute);
        }
    }
    return own;
}

Placement SurvivingStages::placement(const Cuts &cuts) {
    Placement result = assembled(cuts);
    m_judge.judge(result);
    return result;
}

Placement SurvivingStages::assembled(const Cuts &cuts) {
    Placement result{m_before.microBatch, m_before.schedule, {}};
    for (int s = 0; s < count(); ++s)
        result.stages.push_back(settled(s, cuts[at(s)], cuts[at(s + 1)]).placement);
    return result;
}

std::optional<StageLack> SurvivingStages::lack(const Cuts &cuts) const {
    for (int s = 0; s < count(); ++s) {
        if (auto placed = settle(s, cuts[at(s)], cuts[at(s + 1)]); !placed)
            return placed.error();
    }
    return std::nullopt;
}

double SurvivingStages::closedForm(const Cuts &cuts) {
    std::vector<StepTimes> steps;
    const StagePlacement *front = nullptr;
    for (int s = 0; s < count(); ++s) {
        const Settled &own = settled(s, cuts[at(s)], cuts[at(s + 1)]);
        if (own.placement.group.empty())
            return never;
        if (front)
            steps.push_back(
                m_model.transfer(cuts[at(s)], front->group, own.placement.group, front->codec, front->recompute));
        steps.push_back(own.times);
        front = &own.placement;
    }
    return closedFormLatency(steps, m_model.problem().batch / m_before.microBatch).seconds;
}

double SurvivingStages::simulated(const Cuts &cuts, double limit) {
    if (!std::isfinite(closedForm(cuts)))
        return never;
    Placement own = assembled(cuts);
    return m_judge.judge(own, limit);
}

double SurvivingStages::room(int stage, int firstLayer, int lastLayer) const {
    const bool recompute = m_before.stages[at(m_origin[at(stage)])].recompute;
    const int held = m_before.schedule.mostInFlight(1, m_model.problem().batch / m_before.microBatch);
    const auto bytes = [&](int samples) {
        return m_model.memory().stageBytes({firstLayer, lastLayer, samples, held, recompute});
    };
    double left = bytes(0) - bytes(m_before.microBatch);
    double fullest = -never;  // where even one device's layers have no place
    for (const int device : m_groups[at(stage)]) {
        const double own = m_model.memory().availableBytes(device) -
                           m_model.memory().deviceBytes(device, {firstLayer, lastLayer, 0, held, recompute});
        left += std::max(0.0, own);
        fullest = std::max(fullest, own);
    }
    return fullest < 0 ? std::min(left, fullest) : left;
}

bool SurvivingStages::repairMemory(Cuts &cuts) {
    std::vector<int> direction(cuts.size(), 0);  // of each border, once it moved: it never turns back
    for (;;) {
        int poorest = -1;
        double least = never;
        for (int s = 0; s < count(); ++s) {
            if (!settled(s, cuts[at(s)], cuts[at(s + 1)]).placement.group.empty())
                continue;
            const double own = room(s, cuts[at(s)], cuts[at(s + 1)]);
            if (own < least) {
                least = own;
                poorest = s;
            }
        }
        if (poorest < 0)
            return true;
        if (cuts[at(poorest + 1)] - cuts[at(poorest)] < 2)
            return false;
        int border = -1, step = 0;
        double most = -never;
        for (const int side : {0, 1}) {  // the border in front, the one behind
            const int own = poorest + side, neighbor = side == 0 ? poorest - 1 : poorest + 1;
            const int wanted = side == 0 ? 1 : -1;
            if (neighbor < 0 || neighbor >= count() || direction[at(own)] == -wanted)
                continue;
            const double left = room(neighbor, cuts[at(neighbor)], cuts[at(neighbor + 1)]);
            if (left > most) {
                most = left;
                border = own;
                step = wanted;
            }
        }
        if (border < 0)
            return false;
        cuts[at(border)] += step;
        direction[at(border)] = step;
    }
}

bool SurvivingStages::shift(Cuts &cuts, const std::function<double(const Cuts &)> &seconds, double &best) {
    const int borders = count() - 1;
    const int together = count() <= mostStagesShiftedTogether ? borders : 1;
    bool better = false;
    for (int first = 1; first <= borders; ++first) {
        for (int length = 1; length <= together && first + length - 1 <= borders; ++length) {
            for (const int step : {-1, 1}) {
                for (;;) {
                    Cuts other = cuts;
                    for (int k = first; k < first + length; ++k)
                        other[at(k)] += step;
                    if (other[at(first)] <= other[at(first - 1)] ||
                        other[at(first + length - 1)] >= other[at(first + length)])
                        break;
                    const double now = seconds(other);
                    if (!(now < best * worthwhile))
                        break;
                    best = now;
                    cuts = std::move(other);
                    better = true;
                }
            }
        }
    }
    return better;
}

void SurvivingStages::climb(Cuts &cuts, const std::function<bool()> &cancelled) {
    const auto stop = [&cancelled] { return cancelled && cancelled(); };
    double best = closedForm(cuts);
    while (!stop() && shift(
                          cuts, [this](const Cuts &other) { return closedForm(other); }, best)) {
    }
    const int microBatches = m_model.problem().batch / m_before.microBatch;
    const quint64 most =
        m_judge.simulations() + static_cast<quint64>(mostSimulatedTasks / (2 * count() * microBatches));
    best = simulated(cuts);
    const auto judge = [&](const Cuts &other) {
        return m_judge.simulations() < most && !stop() ? simulated(other, best) : never;
    };
    while (m_judge.simulations() < most && !stop() && shift(cuts, judge, best)) {
    }
}

}  // namespace hearth
