#include "core/plan/search/quick_plans.h"

#include "core/base/at.h"
#include "core/plan/search/cut_points.h"

namespace hearth {
namespace {

constexpr int coarseParts = 12;
constexpr quint64 coarseSteps = 2'000'000;
constexpr quint64 annealingSteps = 1'500;  // of the first round, times the square of the devices
constexpr quint64 mostPreparation = 45'000'000;
constexpr Annealing::Heat heat{0.02, 0.001};

}  // namespace

QuickPlans::QuickPlans(Incumbent &incumbent)
    : m_incumbent(incumbent),
      m_model(incumbent.model()),
      m_clock(incumbent.clock()),
      m_random(incumbent.settings().seed),
      m_annealing(m_model, m_clock, m_random, {incumbent.settings().mayRecompute, incumbent.settings().freeLimits}),
      m_annealingSteps(annealingSteps * static_cast<quint64>(m_model.deviceCount() * m_model.deviceCount())) {}

void QuickPlans::run(quint64 proofSteps) {
    offerOneStage();
    searchOrders();
    const quint64 end = m_clock.steps() + std::min(proofSteps / 8, mostPreparation);
    do {
        anneal();
    } while (m_clock.steps() < end && m_incumbent.any() && !m_incumbent.proved() && !m_clock.over());
    climb();
    m_incumbent.polishBest();
}

bool QuickPlans::keepImproving() {
    if (!m_incumbent.any() || m_clock.over())
        return false;
    anneal();
    climb();
    m_incumbent.polishBest();
    return !m_clock.over();
}

/// Each round is longer than the last, so that whatever time there is, much of it goes to a long one.
void QuickPlans::anneal() {
    if (!m_incumbent.any() || m_clock.over())
        return;
    m_annealing.run({m_incumbent.best(), m_incumbent.seconds()}, m_annealingSteps, heat,
                    [this](const Annealing::Found &found) { m_incumbent.take(found.placement, found.seconds); });
    m_incumbent.polishBest();
    m_annealingSteps += m_annealingSteps / 2;
}

/// Single devices, and the fastest few together: something to hold against everything else.
void QuickPlans::offerOneStage() {
    LocalSearch local(m_model, m_clock, localOptions());
    std::vector<int> order(m_model.devicesById());
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return m_model.wholeSeconds(a) < m_model.wholeSeconds(b); });
    for (const SearchSpace &space : m_incumbent.spaces()) {
        Outline outline{space.microBatch, {0, m_model.layerCount()}, {{}}};
        for (const int device : order) {
            m_clock.spend(100);
            outline.groups[0] = {device};
            if (auto alone = local.build(outline))
                m_incumbent.offer(std::move(*alone));
        }
        outline.groups[0].clear();
        for (const int device : order) {
            if (m_clock.over() && m_incumbent.any())
                return;
            outline.groups[0].push_back(device);
            const std::size_t size = outline.groups[0].size();
            if (size > 16 && size % 8 != 0 && size != order.size())
                continue;
            m_clock.spend(100 + 100 * size);
            if (auto together = local.build(outline))
                m_incumbent.offer(std::move(*together));
        }
    }
}

std::vector<std::vector<int>> QuickPlans::orders() const {
    std::vector<int> byMemory(m_model.devicesById()), bySpeed = byMemory;
    std::stable_sort(byMemory.begin(), byMemory.end(), [&](int a, int b) {
        return m_model.memory().availableBytes(a) > m_model.memory().availableBytes(b);
    });
    std::stable_sort(bySpeed.begin(), bySpeed.end(),
                     [&](int a, int b) { return m_model.wholeSeconds(a) < m_model.wholeSeconds(b); });
    return {byMemory, bySpeed, {bySpeed.rbegin(), bySpeed.rend()}};
}

/// The exact method on few places to cut and few orders of devices.
void QuickPlans::searchOrders() {
    const std::vector<int> cuts = cutPoints(m_model, coarseParts);
    for (const auto &order : orders()) {
        const DeviceSets sets = rangesOf(m_model, order, coarseParts);
        for (const SearchSpace &space : m_incumbent.spaces())
            searchCoarsely(sets, cuts, space);
    }
}

void QuickPlans::searchCoarsely(const DeviceSets &sets, const std::vector<int> &cuts, const SearchSpace &space) {
    if (m_clock.over() || space.lowerBound >= m_incumbent.limit())
        return;
    m_clock.limitPhase(coarseSteps);
    m_incumbent.exhaust(sets, cuts, space.microBatch, InFlightRule::Early, &m_optionMemory);
    if (!m_incumbent.any() && m_incumbent.settings().freeLimits)  // perhaps with fewer micro-batches under way
        m_incumbent.exhaust(sets, cuts, space.microBatch, InFlightRule::StagesToEnd, &m_optionMemory);
    m_clock.endPhase();
    m_optionMemory.shrink();
}

LocalSearchOptions QuickPlans::localOptions() const {
    LocalSearchOptions options;
    options.mayRecompute = m_incumbent.settings().mayRecompute;
    options.freeLimits = m_incumbent.settings().freeLimits;
    return options;
}

/// Until no single change of the best plan is better.
void QuickPlans::climb() {
    if (!m_incumbent.any() || m_clock.over())
        return;
    LocalSearch local(m_model, m_clock, localOptions());
    if (const auto better = local.improve(LocalSearch::Found{m_incumbent.best(), m_incumbent.seconds()}))
        m_incumbent.take(better->placement, better->seconds);
}

}  // namespace hearth
