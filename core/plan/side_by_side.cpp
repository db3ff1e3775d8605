#include "core/plan/side_by_side.h"

#include <limits>

#include "core/base/at.h"
#include "core/plan/play/round_player.h"

namespace hearth {
namespace {

/// Fraction of a layer's gradients that member i of `from` members and member j of `to` members both answer for.
double commonPart(std::size_t i, std::size_t from, std::size_t j, std::size_t to) {
    const auto part = [](std::size_t index, std::size_t count) {
        return static_cast<double>(index) / static_cast<double>(count);
    };
    return std::min(part(i + 1, from), part(j + 1, to)) - std::max(part(i, from), part(j, to));
}

/// Collects who talks to whom.
class Ring {
  public:
    Ring(const CostModel &model, const std::vector<Plan> &pipelines) : m_model(model) {
        for (const Plan &plan : pipelines)
            m_placements.push_back(placementOf(model.problem(), plan));
    }

    Synchronization meet() {
        const std::size_t count = m_placements.size();
        int firstStage = 0;
        for (std::size_t v = 0; v < count; ++v) {
            for (std::size_t w = 0; w < count; ++w) {
                if (v != w)
                    pair(v, w, firstStage, w == (v + 1) % count);
            }
            firstStage += static_cast<int>(m_placements[v].stages.size());
        }
        m_result.seconds = seconds();
        return std::move(m_result);
    }

  private:
    /// Owners of common layers in two pipelines.
    void pair(std::size_t v, std::size_t w, int firstStage, bool neighbors) {
        const auto &mine = m_placements[v].stages;
        const auto &theirs = m_placements[w].stages;
        for (std::size_t s = 0, t = 0; s < mine.size() && t < theirs.size();) {
            const int first = std::max(mine[s].firstLayer, theirs[t].firstLayer);
            const int last = std::min(mine[s].lastLayer, theirs[t].lastLayer);
            const double weights = m_model.memory().trainableBytes(first, last);
            if (weights > 0)
                meet(mine[s].group, theirs[t].group, weights, firstStage + static_cast<int>(s), neighbors);
            const bool mineEnds = mine[s].lastLayer == last;
            if (theirs[t].lastLayer == last)
                ++t;
            if (mineEnds)
                ++s;
        }
    }

    void meet(const Group &mine, const Group &theirs, double weights, int stage, bool neighbors) {
        const auto count = static_cast<double>(m_placements.size());
        for (std::size_t i = 0; i < mine.size(); ++i) {
            for (std::size_t j = 0; j < theirs.size(); ++j) {
                const double part = commonPart(i, mine.size(), j, theirs.size());
                if (part <= 0)
                    continue;
                const int from = mine[i].device, to = theirs[j].device;
                m_result.pairs.push_back({from, to});
                m_rate = std::min(m_rate, m_model.links().bytesPerSecond(from, to));
                m_latency = std::max(m_latency, m_model.links().latency(from, to));
                if (neighbors)
                    m_result.exchanges.push_back({from, to, stage, 2 * (count - 1) / count * weights * part});
            }
        }
    }

    double seconds() const {
        if (m_result.pairs.empty())
            return 0;
        if (m_rate <= 0)
            return std::numeric_limits<double>::infinity();
        const auto count = static_cast<double>(m_placements.size());
        const double weights = m_model.memory().trainableBytes(0, m_model.layerCount());
        double longest = 2 * (count - 1) / count * weights / m_rate;
        std::vector<double> air(at(m_model.links().mediumCount()));
        for (const Exchange &exchange : m_result.exchanges) {
            const int media[2] = {m_model.links().medium(exchange.from), m_model.links().medium(exchange.to)};
            for (int i = 0; i < 2; ++i) {
                if (media[i] >= 0 && (i == 0 || media[1] != media[0]))
                    air[at(media[i])] += exchange.bytes;
            }
        }
        for (std::size_t m = 0; m < air.size(); ++m) {
            if (air[m] > 0)
                longest = std::max(longest, air[m] / m_model.links().mediumRate(static_cast<int>(m)));
        }
        return longest + 2 * (count - 1) * m_latency;
    }

    const CostModel &m_model;
    std::vector<Placement> m_placements;
    Synchronization m_result;
    double m_rate = std::numeric_limits<double>::infinity();
    double m_latency = 0;
};

}  // namespace

Synchronization synchronizationOf(const CostModel &model, const std::vector<Plan> &pipelines) {
    if (pipelines.size() < 2)
        return {};
    return Ring(model, pipelines).meet();
}

double sharedSeconds(const CostModel &model, const std::vector<Plan> &pipelines, const std::vector<PlanSteps> &steps) {
    if (pipelines.size() < 2)
        return 0;  // one pipeline's own simulation knows
    double served = 0, up = 1;
    std::vector<double> busy(at(model.links().mediumCount()));
    for (std::size_t v = 0; v < pipelines.size(); ++v) {
        const std::vector<Group> &groups = steps[v].groups;
        const int microBatches = pipelines[v].microBatches();
        forEachFeed(model, groups, [&](int data, const MemberShare &member, qint64 bytesPerSample) {
            served += static_cast<double>(bytesPerSample) * member.samples * microBatches;
            up = model.links().up(data);
        });
        for (std::size_t s = 1; !busy.empty() && s < steps[v].times.size(); s += 2) {
            const int medium = model.mediumOf(groups[s / 2], groups[s / 2 + 1]);
            if (medium >= 0)
                busy[at(medium)] += microBatches * (steps[v].times[s].forward + steps[v].times[s].backward);
        }
    }
    const double air = busy.empty() ? 0 : *std::max_element(busy.begin(), busy.end());
    return std::max(air, served > 0 ? served / up : 0);
}

double simulatedSeconds(Simulator &simulator, const CostModel &model, const Plan &plan) {
    const std::vector<Plan> pipelines = plan.sideBySide();
    std::vector<PlanSteps> steps;
    double slowest = 0;
    for (const Plan &pipeline : pipelines) {
        steps.push_back(stepsOf(model, pipeline));
        slowest = std::max(slowest, plan.isInterleaved() ? playedSeconds(model, plan, nullptr)
                                                         : simulatedSeconds(simulator, steps.back(), pipeline));
    }
    return std::max(slowest, sharedSeconds(model, pipelines, steps)) + synchronizationOf(model, pipelines).seconds;
}

std::vector<ScheduledTask> joinedLanes(const CostModel &model, const std::vector<Plan> &pipelines,
                                       const std::vector<std::vector<ScheduledTask>> &lanes,
                                       const Synchronization &synchronization, double roundSeconds) {
    if (pipelines.size() == 1)
        return lanes.front();
    const auto &devices = model.problem().devices;
    std::vector<ScheduledTask> joined;
    std::vector<int> lastMicroBatch;  // of the pipeline of each stage
    int firstStage = 0, firstMicroBatch = 0;
    for (std::size_t v = 0; v < pipelines.size(); ++v) {
        for (ScheduledTask task : lanes[v]) {
            task.stage += firstStage;
            task.microBatch += firstMicroBatch;
            if (task.kind == ScheduledTask::Kind::Update)
                task.startSeconds = task.endSeconds = roundSeconds;
            joined.push_back(std::move(task));
        }
        firstStage += static_cast<int>(pipelines[v].stages.size());
        firstMicroBatch += pipelines[v].microBatches();
        lastMicroBatch.resize(at(firstStage), firstMicroBatch - 1);
    }
    for (const Exchange &exchange : synchronization.exchanges) {
        joined.push_back({devices[at(exchange.from)].id + QLatin1Char('>') + devices[at(exchange.to)].id,
                          ScheduledTask::Kind::AllReduce, exchange.stage, lastMicroBatch[at(exchange.stage)],
                          roundSeconds - synchronization.seconds, roundSeconds,
                          static_cast<qint64>(std::min(exchange.bytes, 9e15))});
    }
    std::stable_sort(joined.begin(), joined.end(),
                     [](const ScheduledTask &a, const ScheduledTask &b) { return a.startSeconds < b.startSeconds; });
    return joined;
}

}  // namespace hearth
