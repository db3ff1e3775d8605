#include "core/plan/search/quick_plans.h"

#include <bit>

#include "core/base/at.h"
#include "core/plan/search/cut_points.h"

namespace hearth {
namespace {

constexpr int coarseParts = 12;
constexpr quint64 coarseSteps = 2'000'000;
constexpr quint64 annealingSteps = 1'500;  // of the first round, times the square of the devices
constexpr quint64 mostPreparation = 45'000'000;
constexpr Annealing::Heat heat{0.02, 0.001}, afterRebuilding{0.015, 0.001};
/// Of the last run: colder, rows stay where they are; hotter, they wander.
constexpr Annealing::Heat lastHeat{0.008, 0.003}, competingHeat{0.03, 0.003};
/// The last run takes all the time from the first to the second part of it; homes whose rows can be rebuilt begin it
/// late.
constexpr double lastRunFrom[2] = {0.05, 0.7}, lastRunTo = 0.97;
constexpr double competingPart = 0.3;  // of the last run, before it
constexpr std::size_t runnersFromAfar = 4;
/// Of what rebuilding took, for annealing after it.
constexpr double annealedPart = 0.3;

}  // namespace

QuickPlans::QuickPlans(Incumbent &incumbent)
    : m_incumbent(incumbent),
      m_model(incumbent.model()),
      m_clock(incumbent.clock()),
      m_random(incumbent.settings().seed),
      m_annealing(m_model, m_clock, m_random, {incumbent.settings().mayRecompute, incumbent.settings().freeLimits}),
      m_annealingSteps(annealingSteps * static_cast<quint64>(m_model.deviceCount() * m_model.deviceCount())) {}

void QuickPlans::run(std::optional<quint64> proofSteps) {
    offerOneStage();
    searchOrders();
    const quint64 preparation = std::min(proofSteps.value_or(0) / 8, mostPreparation);
    const quint64 end = m_clock.steps() + preparation;
    m_last = !proofSteps;
    do {
        anneal();
        m_last = m_last || stepsLeft() < static_cast<double>(preparation);
    } while (m_clock.steps() < end && m_incumbent.any() && !m_incumbent.proved() && !m_clock.over());
    if (proofSteps)
        climb();
    m_incumbent.polishBest();
}

bool QuickPlans::keepImproving() {
    if (!m_incumbent.any() || m_clock.over())
        return false;
    m_last = true;
    anneal();
    climb();
    m_incumbent.polishBest();
    return !m_clock.over();
}

Annealing::Better QuickPlans::taking() {
    return [this](const Annealing::Found &found) { m_incumbent.take(found.placement, found.seconds); };
}

/// As the clock goes; without end where it knows of none.
double QuickPlans::stepsLeft() const {
    const double spent = m_clock.spentPart();
    return spent > 0 ? static_cast<double>(m_clock.steps()) * (1 - spent) / spent
                     : std::numeric_limits<double>::infinity();
}

/// One long run is better than many short ones, so the last one takes all the time there is. Where its end is not
/// known, each is longer than the one before.
void QuickPlans::anneal() {
    if (!m_incumbent.any() || m_clock.over())
        return;
    const double lastFrom = lastRunFrom[m_annealing.mayRebuild() ? 1 : 0];
    const Annealing::Better better = taking();
    Annealing::Found from{m_incumbent.best(), m_incumbent.seconds()};
    double spent = m_clock.spentPart();
    if (m_last && spent >= lastFrom && spent < lastRunTo) {
        if (!m_annealing.mayRebuild()) {
            from = compete(spent + (lastRunTo - spent) * competingPart);
            spent = m_clock.spentPart();
        }
        if (spent < lastRunTo) {
            m_annealing.run(
                from, [&] { return (m_clock.spentPart() - spent) / (lastRunTo - spent); }, lastHeat, better);
        }
    } else {
        quint64 begin = m_clock.steps(), length = m_annealingSteps;
        const bool rebuilt = m_annealing.mayRebuild();
        if (rebuilt) {
            from = m_annealing.rebuild(from, better);
            const auto part = static_cast<quint64>(annealedPart * static_cast<double>(m_clock.steps() - begin));
            length = std::max(length / 4, part);
            begin = m_clock.steps();
        }
        const auto done = [&] {
            const double part = static_cast<double>(m_clock.steps() - begin) / static_cast<double>(length);
            return m_last && spent < lastFrom ? std::max(part, m_clock.spentPart() / lastFrom) : part;
        };
        m_annealing.run(from, done, rebuilt ? afterRebuilding : heat, better);
        m_annealingSteps += m_annealingSteps / 2;
    }
    m_incumbent.polishBest();
}

/// Where annealing begins decides for long which rows it comes to see, so several runs take part (half of them from
/// devices in single file, half from the best plan), each gets as much of the time as the others, and the worse half
/// gives up, until one is left: successive halving (Jamieson and Talwalkar, AISTATS 2016).
Annealing::Found QuickPlans::compete(double end) {
    const Annealing::Better better = taking();
    const auto shorter = [](const Annealing::Found &a, const Annealing::Found &b) { return a.seconds < b.seconds; };
    std::vector<Annealing::Found> runners;
    for (const int microBatch : m_annealing.microBatches()) {
        if (auto row = m_annealing.inSingleFile(microBatch)) {
            better(*row);
            runners.push_back(std::move(*row));
        }
    }
    std::stable_sort(runners.begin(), runners.end(), shorter);
    runners.resize(std::min(runners.size(), runnersFromAfar));
    runners.resize(2 * runnersFromAfar, {m_incumbent.best(), m_incumbent.seconds()});
    for (int rounds = std::bit_width(runners.size()) - 1; rounds > 0; --rounds) {
        for (std::size_t r = 0; r < runners.size(); ++r) {
            const double begin = m_clock.spentPart();
            const double turns = static_cast<double>((runners.size() - r) + (rounds - 1) * runners.size());
            const double turn = (end - begin) / turns;
            const auto done = [&] { return turn > 0 ? (m_clock.spentPart() - begin) / turn : 1; };
            runners[r] = m_annealing.run(runners[r], done, competingHeat, better);
        }
        std::stable_sort(runners.begin(), runners.end(), shorter);
        runners.resize(runners.size() / 2);
    }
    return runners.front();
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
