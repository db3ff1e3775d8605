#include "core/plan/search/quick_plans.h"

#include <bit>
#include <limits>
#include <map>

#include "core/base/at.h"
#include "core/plan/search/cut_points.h"

namespace hearth {
namespace {

constexpr int coarseParts = 12;
constexpr quint64 coarseSteps = 2'000'000;
constexpr double ordersPart = 0.05;        // of the time: with many devices annealing makes more of it
constexpr quint64 annealingSteps = 1'500;  // of the first round, times the square of the devices
constexpr quint64 mostPreparation = 45'000'000;
constexpr Annealing::Heat heat{0.02, 0.001};
/// Of the last run: colder, rows stay where they are; hotter, they wander.
constexpr Annealing::Heat lastHeat{0.008, 0.003}, competingHeat{0.03, 0.003};
/// The last run takes all the time from the first to the second part of it.
constexpr double lastRunFrom = 0.05, lastRunTo = 0.97;
constexpr double competingPart = 0.3;  // of the last run, before it
constexpr std::size_t runnersFromAfar = 4;
/// Of the time that is left, for rows of one size of micro-batches and of groups, and of all sizes.
constexpr double rowsPart = 0.3, allRowsPart = 0.75;
constexpr quint64 mostRowSteps = 20'000'000;  // where nobody knows how much is left
constexpr int rowMembers[] = {1, 2, RowGroups::mostMembers};
/// A proof that costs no more finds larger groups itself.
constexpr quint64 cheapProof = 300'000;
/// With more than RowGroups::fewDevices, unless many are the same, tables are large: rows are searched only after so
/// much of the time, which leaves fewer of them, for sizes of micro-batches that promise rounds not so much longer, of
/// groups that are not larger.
constexpr double smallTable = 40'000;  // steps
constexpr double tablePart = 0.15;     // of what is left, at most, for the first table
constexpr double rowsFrom = 0.12;
constexpr double hopeless = 1.15;
constexpr int mostMembersOfMany = 2;

/// Of rows of equal groups of devices that all were as fast, links aside: says which sizes of micro-batches go well
/// with so many devices.
double usualRound(const CostModel &model, int microBatch, int mostMembers) {
    const int devices = model.deviceCount(), microBatches = model.problem().batch / microBatch;
    double least = std::numeric_limits<double>::infinity();
    for (int members = 1; members <= std::min(mostMembers, devices); ++members) {
        double rate = 0;
        for (int device = 0; device < devices; ++device) {
            const CostModel::Prefix seconds = model.prefix(device, (microBatch + members - 1) / members);
            rate += 1 / (seconds.forward[model.layerCount()] + seconds.backward[model.layerCount()]);
        }
        const int stages = (devices + members - 1) / members;
        least = std::min(least, (microBatches + stages - 1) * members / rate);
    }
    return least;
}

}  // namespace

QuickPlans::QuickPlans(Incumbent &incumbent)
    : m_incumbent(incumbent),
      m_model(incumbent.model()),
      m_clock(incumbent.clock()),
      m_types(deviceTypes(m_model)),
      m_random(incumbent.settings().seed),
      m_annealing(m_model, m_types, m_clock, m_random, incumbent.settings()),
      m_rows(m_model, m_types, m_clock, incumbent.settings()),
      m_annealingSteps(annealingSteps * static_cast<quint64>(m_model.deviceCount() * m_model.deviceCount())) {}

void QuickPlans::run(std::optional<quint64> proofSteps) {
    offerOneStage();
    searchOrders();
    const quint64 preparation = std::min(proofSteps.value_or(0) / 8, mostPreparation);
    const quint64 end = m_clock.steps() + preparation;
    m_last = !proofSteps;
    if (m_rows.may() && (fewSets() || m_rows.usualSteps() < tablePart * stepsLeft())) {
        // Rows much longer than the best one need not be looked at.
        if (!fewSets())
            annealUntil(rowsFrom);
        searchRows(proofSteps && *proofSteps < cheapProof ? 1 : RowGroups::mostMembers);
    }
    do {
        anneal();
        m_last = m_last || stepsLeft() < static_cast<double>(preparation);
    } while (m_clock.steps() < end && m_incumbent.any() && !m_incumbent.proved() && !m_clock.over());
    if (proofSteps)
        climb();
    m_incumbent.polishBest();
}

/// Tables take next to no time.
bool QuickPlans::fewSets() const {
    return m_rows.may() && (m_model.deviceCount() <= RowGroups::fewDevices || m_rows.usualSteps() <= smallTable);
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
    const Annealing::Better better = taking();
    Annealing::Found from{m_incumbent.best(), m_incumbent.seconds()};
    double spent = m_clock.spentPart();
    if (m_last && spent >= lastRunFrom && spent < lastRunTo) {
        if (!m_rowsSearched) {
            from = compete(spent + (lastRunTo - spent) * competingPart);
            spent = m_clock.spentPart();
        }
        if (spent < lastRunTo) {
            m_annealing.run(
                from, [&] { return (m_clock.spentPart() - spent) / (lastRunTo - spent); }, lastHeat, better);
        }
    } else {
        const quint64 begin = m_clock.steps(), length = m_annealingSteps;
        const auto done = [&] {
            const double part = static_cast<double>(m_clock.steps() - begin) / static_cast<double>(length);
            return m_last && spent < lastRunFrom ? std::max(part, m_clock.spentPart() / lastRunFrom) : part;
        };
        m_annealing.run(from, done, heat, better);
        m_annealingSteps += m_annealingSteps / 2;
    }
    m_incumbent.polishBest();
}

void QuickPlans::annealUntil(double part) {
    if (!m_incumbent.any() || m_clock.over())
        return;
    const double begin = m_clock.spentPart();
    const quint64 steps = m_clock.steps();
    const auto done = [&] {
        return begin > 0 ? (m_clock.spentPart() - begin) / (part - begin)
                         : static_cast<double>(m_clock.steps() - steps) / static_cast<double>(m_annealingSteps);
    };
    if (begin < part)
        m_annealing.run({m_incumbent.best(), m_incumbent.seconds()}, done, heat, taking());
}

/// Rows of single devices, with pairs, with larger groups.
void QuickPlans::searchRows(int mostMembers) {
    if (!m_incumbent.any())
        return;
    const double begin = m_clock.spentPart(), end = begin + allRowsPart * (1 - begin);
    std::map<int, int> known;  // by micro-batch: members of the largest group of rows that are all known
    for (const int members : rowMembers) {
        std::vector<std::pair<double, int>> microBatches;
        for (const SearchSpace &space : m_incumbent.spaces()) {
            if (space.lowerBound < m_incumbent.limit() && space.microBatch >= members)
                microBatches.push_back({usualRound(m_model, space.microBatch, members), space.microBatch});
        }
        std::sort(microBatches.begin(), microBatches.end());
        const bool many = !fewSets();
        if (members > mostMembers || (many && members > mostMembersOfMany))
            break;
        for (const auto &[seconds, microBatch] : microBatches) {
            if (many && (members == 1 ? seconds > hopeless * microBatches.front().first
                                      : microBatch != m_incumbent.best().microBatch))
                continue;
            if (searchRows({microBatch, members, known[microBatch], m_incumbent.seconds()}, end))
                known[microBatch] = members;
        }
    }
}

/// In a part of what is left of the time, until that part of all at most. True where all of these rows are known.
bool QuickPlans::searchRows(const RowSearch::Task &task, double mostEnd) {
    if (m_clock.over())
        return false;
    const double begin = m_clock.spentPart(), end = std::min(mostEnd, begin + rowsPart * (1 - begin));
    const quint64 most = m_clock.steps() + mostRowSteps;
    const bool all = m_rows.run(
        task, [&] { return begin > 0 ? m_clock.spentPart() >= end : m_clock.steps() >= most; },
        [this](const Placement &placement, double seconds) { m_incumbent.take(placement, seconds); });
    m_rowsSearched = m_rowsSearched || m_rows.began();
    return all;
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
        if (fewSets() && m_incumbent.any() && m_incumbent.best().stages.size() > 1)
            return;  // they are searched better
        const DeviceSets sets = rangesOf(m_model, order, coarseParts);
        for (const SearchSpace &space : m_incumbent.spaces()) {
            if (m_incumbent.any() && m_clock.spentPart() > ordersPart)
                return;
            searchCoarsely(sets, cuts, space);
        }
    }
}

void QuickPlans::searchCoarsely(const DeviceSets &sets, const std::vector<int> &cuts, const SearchSpace &space) {
    if (m_clock.over() || space.lowerBound >= m_incumbent.limit())
        return;
    const double most = m_incumbent.any() ? ordersPart * stepsLeft() : std::numeric_limits<double>::infinity();
    m_clock.limitPhase(static_cast<quint64>(std::min<double>(coarseSteps, most)));
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
