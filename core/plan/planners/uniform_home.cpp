#include "core/plan/planners/uniform_home.h"

#include "core/plan/planners/tools.h"

namespace hearth {

UniformHome::UniformHome(const CostModel &model) : m_model(model) {
    const int count = model.deviceCount();
    double rates = 0;
    int links = 0;
    for (int from = 0; from < count; ++from) {
        const auto &device = model.problem().devices[static_cast<std::size_t>(from)];
        m_memory += static_cast<double>(device.memoryBytes - device.runtimeBytes) / count;
        for (int to = 0; to < count; ++to) {
            if (from == to || model.links().bytesPerSecond(from, to) <= 0)
                continue;
            rates += model.links().bytesPerSecond(from, to);
            ++links;
        }
    }
    m_rate = links > 0 ? rates / links : 0;
}

const UniformHome::Sums &UniformHome::sums(int samples) {
    const auto known = m_sums.find(samples);
    if (known != m_sums.end())
        return known->second;
    Sums &own = m_sums[samples];
    const std::size_t width = m_model.problem().layers.size() + 1;
    own.forward.assign(width, 0);
    own.backward.assign(width, 0);
    for (int device = 0; device < m_model.deviceCount(); ++device) {
        const CostModel::Prefix prefix = m_model.prefix(device, samples);
        for (std::size_t l = 0; l < width; ++l) {
            own.forward[l] += prefix.forward[l] / m_model.deviceCount();
            own.backward[l] += prefix.backward[l] / m_model.deviceCount();
        }
    }
    return own;
}

double UniformHome::allReduceSeconds(int firstLayer, int lastLayer, int members) const {
    return secondsOf(m_model.allReduceBytes(firstLayer, lastLayer, static_cast<std::size_t>(members)));
}

double UniformHome::outputBytes(int layer, double samples) const {
    return samples * m_model.traffic(layer).forward.over(m_rate);
}

double UniformHome::gradientBytes(int layer, double samples) const {
    return samples * m_model.traffic(layer).backward.over(m_rate);
}

double UniformHome::secondsOf(double bytes) const {
    if (bytes <= 0)
        return 0;
    return m_rate > 0 ? bytes / m_rate : std::numeric_limits<double>::infinity();
}

Group evenGroup(int first, int count, int microBatch) {
    Group group;
    for (int i = 0; i < count; ++i)
        group.push_back({first + i, microBatch / count + (i < microBatch % count ? 1 : 0)});
    return group;
}

std::vector<int> groupSizes(int devices) {
    std::vector<int> sizes;
    int step = 1;
    for (int size = 1; size < devices; size += step) {
        sizes.push_back(size);
        if (size >= 16 * step)
            step *= 4;
    }
    sizes.push_back(devices);
    return sizes;
}

Plan uniformPlan(const PlanningProblem &problem, const QString &planner, int microBatch,
                 const std::vector<UniformStage> &stages, InFlightRule rule) {
    std::vector<PlanStage> result;
    int device = 0;
    for (std::size_t p = 0; p < stages.size(); ++p) {
        const UniformStage &own = stages[p];
        const int toEnd = static_cast<int>(stages.size() - p);
        result.push_back(stageOf(problem, own.firstLayer, own.lastLayer, evenGroup(device, own.members, microBatch),
                                 inFlightLimit(rule, toEnd, problem.batch / microBatch)));
        device += own.members;
    }
    return planOf(problem, planner, microBatch, std::move(result));
}

std::optional<Plan> bestUniformPlan(const PlanningProblem &problem, const QString &planner, InFlightRule rule,
                                    const PlannerOptions &options,
                                    const std::function<UniformAnswer(int microBatch)> &solve) {
    UniformAnswer best;
    int chosen = 0;
    for (const int microBatch : microBatchChoices(problem)) {
        if (options.isOver(chosen > 0))
            break;
        UniformAnswer answer = solve(microBatch);
        if (answer.seconds < best.seconds) {
            best = std::move(answer);
            chosen = microBatch;
        }
    }
    if (chosen == 0)
        return std::nullopt;
    return uniformPlan(problem, planner, chosen, best.stages, rule);
}

}  // namespace hearth
