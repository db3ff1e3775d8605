#include "core/run/joined_device.h"

#include <algorithm>

#include "core/profile/sharing_tests.h"

namespace hearth {
namespace {

void addDevice(PlanningProblem &problem, const PlanningProblem &all, std::size_t index) {
    problem.devices.push_back(all.devices[index]);
    problem.times.push_back(all.times[index]);
    // What its kernels keep and need may be more than those of all before.
    for (std::size_t l = 0; l < problem.layers.size(); ++l)
        problem.layers[l].raiseTo(all.layers[l]);
    problem.keptStates = all.keptStates;
    problem.keptCopies = all.keptCopies;
}

/// What is known of all who are here takes the place of what was known of fewer.
void addSharing(PlanningProblem &problem, const LinkProfile &all) {
    LinkProfile &links = problem.links;
    for (const LinkProfile::Medium &medium : all.media) {
        std::erase_if(links.media, [&](const LinkProfile::Medium &each) { return each.id == medium.id; });
        links.media.push_back(medium);
    }
    for (const LinkProfile::Nic &nic : all.nics) {
        std::erase_if(links.nics, [&](const LinkProfile::Nic &each) { return each.id == nic.id; });
        if (problem.indexOf(nic.id) >= 0)
            links.nics.push_back(nic);
    }
    if (!all.media.empty())
        rateMedia(links, links.pairs);  // `all` may know the newcomer's pairs alone
}

}  // namespace

bool knowsLink(const PlanningProblem &problem, const QString &from, const QString &to) {
    return from == to || problem.links.fallback ||
           std::ranges::any_of(problem.links.pairs,
                               [&](const LinkProfile::Pair &pair) { return pair.from == from && pair.to == to; });
}

bool joinProblem(PlanningProblem &problem, const PlanningProblem &all, const QString &device) {
    const int index = all.indexOf(device);
    const bool isNew = index >= 0 && problem.indexOf(device) < 0;
    if (isNew)
        addDevice(problem, all, static_cast<std::size_t>(index));
    for (const LinkProfile::Pair &pair : all.links.pairs) {
        const bool isOfProblem = problem.indexOf(pair.from) >= 0 && problem.indexOf(pair.to) >= 0;
        if (isOfProblem && !knowsLink(problem, pair.from, pair.to))
            problem.links.pairs.push_back(pair);
    }
    addSharing(problem, all.links);
    return isNew;
}

}  // namespace hearth
