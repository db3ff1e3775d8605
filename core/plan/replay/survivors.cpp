#include "core/plan/replay/survivors.h"

namespace hearth {

PlanningProblem problemWithout(const PlanningProblem &problem, const QSet<QString> &lost) {
    PlanningProblem left = problem;
    left.devices.clear();
    left.times.clear();
    for (std::size_t i = 0; i < problem.devices.size(); ++i) {
        if (lost.contains(problem.devices[i].id))
            continue;
        left.devices.push_back(problem.devices[i]);
        left.times.push_back(problem.times[i]);
    }
    std::erase_if(left.links.nics, [&lost](const LinkProfile::Nic &nic) { return lost.contains(nic.id); });
    std::erase_if(left.links.pairs, [&lost](const LinkProfile::Pair &pair) {
        return lost.contains(pair.from) || lost.contains(pair.to);
    });
    return left;
}

SurvivorCosts::SurvivorCosts(const CostModel &model, const QSet<QString> &lost) : m_costs(model.costs()) {
    for (int d = 0; d < model.deviceCount(); ++d) {
        if (!lost.contains(model.problem().devices[static_cast<std::size_t>(d)].id))
            m_original.push_back(d);
    }
}

}  // namespace hearth
