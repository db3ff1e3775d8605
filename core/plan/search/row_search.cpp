#include "core/plan/search/row_search.h"

#include <algorithm>
#include <bit>

#include "core/base/at.h"
#include "core/plan/search/device_sets.h"

namespace hearth {
namespace {

/// A whole row counts as that much shorter than its first group alone. Without it, all beginnings that promise a
/// little more than any row keeps are looked at before the first row is whole.
constexpr float depthWeight = 0.05F;
constexpr quint64 stepsPerGroup = 1;
constexpr std::size_t mostRowSteps = 20'000'000;  // remembered
constexpr double nearby = 1.02;
constexpr int coarseBand = 3;

}  // namespace

RowSearch::RowSearch(const CostModel &model, const std::vector<int> &types, SearchClock &clock,
                     const SearchSettings &settings)
    : m_model(model),
      m_clock(clock),
      m_settings(settings),
      m_types(types),
      m_numbers(model),
      m_fit(model, clock),
      m_judge(model, settings.freeLimits) {}

bool RowSearch::run(const Task &task, const Done &done, const Good &good) {
    m_limit = task.limit;
    m_knownMembers = task.knownMembers;
    m_costs = std::make_unique<GroupCosts>(
        m_model, m_numbers, GroupCosts::Settings{task.microBatch, m_settings.mayRecompute, m_settings.freeLimits});
    const RowGroups groups = rowGroups(m_model, *m_costs, m_numbers, m_types, task.mostMembers);
    m_table = std::make_unique<RowTable>(m_model, *m_costs, groups, m_limit, m_clock, done);
    m_began = m_table->complete();
    m_all = m_began && groups.cuts.size() > at(m_model.layerCount());
    if (m_began)
        pushFirst();
    for (unsigned round = 0; !m_open.empty() && !m_clock.phaseOver() && m_steps.size() < mostRowSteps; ++round) {
        if (round % RowTable::betweenLooks == 0 && done())
            break;
        std::pop_heap(m_open.begin(), m_open.end(), later);
        const Open open = m_open.back();
        m_open.pop_back();
        if (open.least >= m_limit)
            continue;
        if (open.group < 0)
            judge(open, good);
        else
            expand(open);
    }
    m_all = m_all && m_open.empty();
    m_open.clear();
    m_steps.clear();
    m_table.reset();
    m_costs.reset();
    m_numbers.clear();
    return m_all;
}

void RowSearch::push(Open open) {
    if (open.least >= m_limit)
        return;
    open.key =
        open.least * (1 - depthWeight * static_cast<float>(open.first) / static_cast<float>(m_table->lastPlace()));
    m_open.push_back(open);
    std::push_heap(m_open.begin(), m_open.end(), later);
    if (m_open.size() > mostOpen)
        forget();
}

/// The worse half.
void RowSearch::forget() {
    m_all = false;
    const auto middle = m_open.begin() + static_cast<std::ptrdiff_t>(m_open.size() / 2);
    std::nth_element(m_open.begin(), middle, m_open.end(), [](const Open &a, const Open &b) { return a.key < b.key; });
    m_open.erase(middle, m_open.end());
    std::make_heap(m_open.begin(), m_open.end(), later);
}

void RowSearch::pushFirst() {
    const RowTable &table = *m_table;
    const RowGroups &groups = table.groups();
    for (int group = 0; group < static_cast<int>(groups.groups.size()); ++group) {
        if (!groups.inOrder(groups.groups[at(group)].devices))
            continue;
        Open open;
        open.least = table.drained(table.all(), group, 0);
        open.left = table.all();
        open.group = static_cast<short>(group);
        push(open);
    }
}

void RowSearch::expand(const Open &open) {
    const RowTable &table = *m_table;
    const DeviceMask rest = open.left & ~table.groups().groups[at(open.group)].devices;
    const int parent = static_cast<int>(m_steps.size()), layers = table.lastPlace();
    const int reached = table.reach(open.group, open.first);
    m_steps.push_back({open.parent, open.group, open.first});
    m_clock.spend(1);
    for (int end = open.first + 1; end <= reached; ++end) {
        const RowTable::Stage &stage = table.stage(open.group, open.first, end);
        Open next = open;
        next.parent = parent;
        next.left = rest;
        next.first = static_cast<short>(end);
        next.longest = std::max(open.longest, open.once + stage.alone);
        next.others = std::max(open.others, stage.others);
        next.once = open.once + stage.once;
        if (next.longest >= m_limit)
            break;
        if (end == layers) {
            next.group = -1;
            next.least = std::max({next.longest, next.once + next.others, next.air});
            push(next);
        } else if (table.mayFollow(rest, end) &&
                   next.once + std::max(table.behind(rest, open.group, end), next.others + table.roundTrip(rest, end)) <
                       m_limit) {
            extend(next, end, open.group);
        }
    }
}

/// `open` is the row up to that cut.
void RowSearch::extend(const Open &open, int end, int before) {
    const RowTable &table = *m_table;
    const auto microBatches = static_cast<float>(m_costs->microBatches());
    const RowGroups &groups = table.groups();
    const DeviceMask used = table.all() & ~open.left;
    for (int group = 0; group < static_cast<int>(groups.groups.size()); ++group) {
        const DeviceMask devices = groups.groups[at(group)].devices;
        if ((devices & open.left) != devices || !groups.inOrder(used | devices))
            continue;
        const RowCuts::Cut cut = table.cuts().cut(before, group, end);
        Open next = open;
        next.group = static_cast<short>(group);
        next.longest = std::max(open.longest, open.once + cut.occupied);
        next.others = std::max(open.others, cut.others);
        next.once = open.once + cut.once;
        if (m_costs->onAir())
            next.air += microBatches * cut.once;
        m_clock.spend(stepsPerGroup);
        next.least = std::max({next.longest, next.air, next.once + next.others + table.roundTrip(open.left, end)});
        if (next.least >= m_limit)
            continue;
        next.least = std::max(next.least, next.once + table.drained(open.left, group, end));
        push(next);
    }
}

void RowSearch::judge(const Open &open, const Good &good) {
    m_row.groups.clear();
    m_row.borders = {m_model.layerCount()};
    int members = 1;
    for (int step = open.parent; step >= 0; step = m_steps[at(step)].parent) {
        const RowGroup &group = m_table->groups().groups[at(m_steps[at(step)].group)];
        members = std::max(members, std::popcount(group.devices));
        m_row.groups.push_back(group.number);
        m_row.borders.push_back(m_table->groups().cuts[at(m_steps[at(step)].first)]);
    }
    if (members <= m_knownMembers)
        return;
    std::reverse(m_row.groups.begin(), m_row.groups.end());
    std::reverse(m_row.borders.begin(), m_row.borders.end());
    const auto &cuts = m_table->groups().cuts;
    const bool coarse = at(m_model.layerCount()) >= cuts.size();
    // Where only some borders were tried, others near them may be better.
    const double bound = coarse ? m_fit.fit(*m_costs, m_row, coarseBand, m_limit) : m_fit.bound(*m_costs, m_row);
    if (!(bound < m_limit))
        return;
    Placement placement = placementOf(*m_costs, m_row);
    m_clock.spendOnPlan(m_row.stages(), m_costs->microBatches());
    const double seconds = m_judge.judge(placement, m_limit * nearby);
    if (!(seconds < m_limit * nearby))
        return;
    m_limit = std::min(m_limit, seconds);
    good(placement, seconds);
}

}  // namespace hearth
