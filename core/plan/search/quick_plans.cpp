#include "core/plan/search/quick_plans.h"

#include "core/base/at.h"
#include "core/plan/search/beam.h"
#include "core/plan/search/cut_points.h"

namespace hearth {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr int coarseParts = 12;
constexpr quint64 coarseSteps = 2'000'000;
constexpr int orderPlaces = 20;
constexpr int beamParts = 60;
constexpr int narrowBeam = 20;
constexpr int mostTypesForWideBeam = 24;
constexpr int kicks = 10;
constexpr std::size_t climbsOfBeam = 4;  // a wide one, for each size of micro-batches
constexpr quint64 climbSteps = 5'000'000;
constexpr quint64 firstOrderSteps = 500'000;
constexpr quint64 mostOrderSteps = 30'000'000;
/// A proof that costs no more is not prepared for any longer.
constexpr quint64 proofAtOnce = 2'000'000;
constexpr qint64 mostCoarseMoves = 20'000;
constexpr double mostCoarseTable = 8e6;

}  // namespace

QuickPlans::QuickPlans(Incumbent &incumbent)
    : m_incumbent(incumbent),
      m_model(incumbent.model()),
      m_clock(incumbent.clock()),
      m_random(incumbent.settings().seed) {}

void QuickPlans::run(quint64 proofSteps) {
    offerOneStage();
    searchOrders();
    climb(climbSteps);
    searchSubsets();
    kick(kicks / 2, climbSteps);
    searchBeam(narrowBeam);
    climb(roundOfChanges());
    kick(kicks, roundOfChanges());
    searchBeam(2 * narrowBeam);
    searchSubsets();
    improveOrder(firstOrderSteps);
    climb(roundOfChanges());
    if (proofSteps > proofAtOnce) {
        searchBeam(8 * narrowBeam);
        improveOrder(std::min(proofSteps / 4, mostOrderSteps));
    }
    climb(~quint64{0});
}

/// Steps for trying all single changes of a plan a few times: they grow with the square of the devices.
quint64 QuickPlans::roundOfChanges() const {
    const auto size = static_cast<quint64>(std::max(1, m_model.deviceCount() / 8));
    return climbSteps * size * size;
}

void QuickPlans::take(const std::optional<LocalSearch::Found> &better) {
    if (better)
        m_incumbent.take(better->placement, better->seconds);
}

/// There may be a better plan in it, and time to find it.
bool QuickPlans::worthwhile(const SearchSpace &space) const {
    return !m_clock.over() && space.lowerBound < m_incumbent.limit();
}

/// Its micro-batches are at most twice as large or small as the best plan's, if there is one.
bool QuickPlans::nearBest(const SearchSpace &space) const {
    const int best = m_incumbent.best().microBatch;
    return !m_incumbent.any() || (2 * space.microBatch >= best && space.microBatch <= 2 * best);
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

/// Small groups on many cuts. Wide beams look at the sizes of micro-batches near the best one only.
void QuickPlans::searchBeam(int width) {
    const std::vector<int> cuts = width > narrowBeam ? cutPoints(m_model, beamParts) : cutsAroundBest(coarseParts);
    const bool wide = width > narrowBeam;
    const std::vector<int> type = deviceTypes(m_model);
    if (wide && *std::max_element(type.begin(), type.end()) >= mostTypesForWideBeam)
        return;
    const BeamSettings settings{width, m_model.deviceCount() <= 10 || wide ? 2 : 1, std::max(20, width / 2),
                                m_incumbent.settings().mayRecompute};
    for (const SearchSpace &space : m_incumbent.spaces()) {
        if (!worthwhile(space) || (wide && !nearBest(space)))
            continue;
        std::vector<Placement> placements =
            beamSearch(m_model, cuts, space.microBatch, settings, m_incumbent.limit(), &m_optionMemory, m_clock);
        m_optionMemory.shrink();
        for (const Placement &placement : placements)
            m_incumbent.offer(placement);
        placements.resize(std::min(placements.size(), wide ? climbsOfBeam : 0));
        climbFrom(placements);
    }
}

/// All subsets of devices where they are not too many, cut at few places and around the borders of the best plan;
/// again while that helps.
void QuickPlans::searchSubsets() {
    const DeviceSets sets = subsetsOf(m_model, mostCoarseMoves);
    if (sets.moves.empty() || !m_incumbent.any())
        return;
    for (double before = never; m_incumbent.seconds() < before * (1 - 1e-4) && !m_clock.over();) {
        before = m_incumbent.seconds();
        const std::vector<int> cuts = cutsAroundBest(coarseParts - 2);
        const double parts = static_cast<double>(cuts.size());
        // A table that does not get complete is of no use.
        if (0.5 * parts * parts * sets.moveCount() * m_incumbent.mostStages(m_model.layerCount()) > mostCoarseTable)
            return;
        for (const SearchSpace &space : m_incumbent.spaces()) {
            if (nearBest(space))
                searchCoarsely(sets, cuts, space);
        }
    }
}

std::vector<int> QuickPlans::cutsAroundBest(int parts) const {
    std::vector<int> cuts = cutPoints(m_model, parts);
    for (const StagePlacement &stage : m_incumbent.best().stages) {
        for (int layer = stage.lastLayer - 2; layer <= stage.lastLayer + 2; ++layer) {
            if (layer > 0 && layer < m_model.layerCount())
                cuts.push_back(layer);
        }
    }
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    return cuts;
}

void QuickPlans::searchCoarsely(const DeviceSets &sets, const std::vector<int> &cuts, const SearchSpace &space) {
    if (!worthwhile(space))
        return;
    m_clock.limitPhase(coarseSteps);
    m_incumbent.exhaust(sets, cuts, space.microBatch, InFlightRule::Early, &m_optionMemory);
    if (!m_incumbent.any() && m_incumbent.settings().freeLimits)  // perhaps with fewer micro-batches under way
        m_incumbent.exhaust(sets, cuts, space.microBatch, InFlightRule::StagesToEnd, &m_optionMemory);
    m_clock.endPhase();
    m_optionMemory.shrink();
}

/// Devices by their place in the best plan; those that stand idle first, where an order leaves devices out.
std::vector<int> QuickPlans::orderOfBest() const {
    std::vector<int> order;
    std::vector<char> busy(at(m_model.deviceCount()), 0);
    for (const StagePlacement &stage : m_incumbent.best().stages) {
        for (const MemberShare &member : stage.group) {
            busy[at(member.device)] = 1;
            order.push_back(member.device);
        }
    }
    for (const int device : m_model.devicesById()) {
        if (!busy[at(device)])
            order.insert(order.begin(), device);
    }
    return order;
}

/// Moves and swaps of devices in the order of the best plan, each followed by the method for orders, which finds
/// groups and cuts anew. Ends when no single change helps.
bool QuickPlans::improveOrder(quint64 steps) {
    if (!m_incumbent.any() || m_model.deviceCount() < 2 || m_clock.over())
        return false;
    const quint64 end = m_clock.steps() + steps;
    const int mostFailures = m_model.deviceCount() * m_model.deviceCount();
    const double before = m_incumbent.seconds();
    for (int failures = 0; failures < mostFailures && m_clock.steps() < end && !m_clock.over();) {
        std::vector<int> order = orderOfBest();
        const auto count = static_cast<unsigned>(order.size());
        const auto a = static_cast<std::ptrdiff_t>(m_random() % count);
        const auto b = static_cast<std::ptrdiff_t>(m_random() % count);
        if (m_random() % 2 == 0)
            std::swap(order[at(static_cast<int>(a))], order[at(static_cast<int>(b))]);
        else if (a < b)
            std::rotate(order.begin() + a, order.begin() + a + 1, order.begin() + b + 1);
        else
            std::rotate(order.begin() + b, order.begin() + a, order.begin() + a + 1);
        const DeviceSets sets = rangesOf(m_model, order, orderPlaces);
        const std::vector<int> cuts = cutsAroundBest(coarseParts - 4);
        const double last = m_incumbent.seconds();
        for (const SearchSpace &space : m_incumbent.spaces()) {
            // The best size, now and then its neighbours.
            if (space.microBatch == m_incumbent.best().microBatch || m_random() % 8 == 0)
                searchCoarsely(sets, cuts, space);
        }
        if (m_incumbent.seconds() < last) {
            failures = 0;
            shiftBordersOfBest();
        } else {
            ++failures;
        }
    }
    return m_incumbent.seconds() < before;
}

/// Plans that are no better than the best may lead to one that is.
void QuickPlans::climbFrom(const std::vector<Placement> &starts) {
    LocalSearch local(m_model, m_clock, localOptions());
    for (const Placement &start : starts) {
        if (m_clock.over())
            return;
        m_clock.limitPhase(roundOfChanges());
        take(local.improve(outlineOf(start)));
        m_clock.endPhase();
    }
}

/// Random changes of the best plan, each improved.
void QuickPlans::kick(int times, quint64 steps) {
    if (!m_incumbent.any() || m_clock.over())
        return;
    LocalSearch local(m_model, m_clock, localOptions());
    m_clock.limitPhase(steps);
    take(local.improveRepeatedly(found(), times, m_random));
    m_clock.endPhase();
}

/// The coarse method cuts at few places only.
void QuickPlans::shiftBordersOfBest() {
    LocalSearch local(m_model, m_clock, localOptions());
    take(local.shiftAllBorders(found()));
}

LocalSearchOptions QuickPlans::localOptions() const {
    LocalSearchOptions options;
    options.mayRecompute = m_incumbent.settings().mayRecompute;
    options.freeLimits = m_incumbent.settings().freeLimits;
    return options;
}

void QuickPlans::climb(quint64 steps) {
    if (!m_incumbent.any() || m_clock.over())
        return;
    LocalSearch local(m_model, m_clock, localOptions());
    m_clock.limitPhase(steps);
    take(local.improve(found()));
    m_clock.endPhase();
}

bool QuickPlans::keepImproving() {
    if (!m_incumbent.any() || m_clock.over())
        return false;
    improveOrder(climbSteps);
    kick(kicks, kicks / 2 * roundOfChanges());
    return !m_clock.over();
}

}  // namespace hearth
