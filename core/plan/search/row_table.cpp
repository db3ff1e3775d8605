#include "core/plan/search/row_table.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "core/base/at.h"

namespace hearth {
namespace {

/// Of all pairs of devices, and layers, by set: as measured.
constexpr double usuallyLooked = 0.2;
constexpr quint64 mostBetweenLooks = 1'000'000;  // entries

/// Over a cut, by layer.
void cross(const float *__restrict once, const float *__restrict occupied, const float *__restrict behind, int count,
           float *__restrict least) {
    for (int i = 0; i < count; ++i) {
        const float with = once[i] + behind[i], longer = with > occupied[i] ? with : occupied[i];
        least[i] = longer < least[i] ? longer : least[i];
    }
}

}  // namespace

double RowTable::usualSteps(const CostModel &model, const std::vector<int> &types) {
    std::vector<int> size(at(model.deviceCount()), 0);
    for (const int type : types)
        ++size[at(type)];
    const double sets =
        std::accumulate(size.begin(), size.end(), 1.0, [](double product, int own) { return product * (own + 1); });
    const double looked = usuallyLooked * sets * model.deviceCount() * model.deviceCount() * model.layerCount();
    return looked / static_cast<double>(entriesPerStep);
}

RowTable::RowTable(const CostModel &model, GroupCosts &costs, const RowGroups &groups, double limit, SearchClock &clock,
                   const std::function<bool()> &done)
    : m_model(model),
      m_costs(costs),
      m_groups(groups),
      m_cuts(model, costs, groups, clock),
      m_clock(clock),
      m_done(done),
      m_count(static_cast<int>(groups.groups.size())),
      m_layers(static_cast<int>(groups.cuts.size()) - 1),
      m_width(m_layers + 1),
      m_microBatches(static_cast<float>(costs.microBatches())),
      m_limit(limit),
      m_all(bitOf(model.deviceCount()) - 1) {
    if (!layStages() || !layRanges())
        return;
    m_drained.resize(at(m_count * m_width));
    // What is left behind a stage comes before what was left in front of it.
    for (DeviceMask left = 1; left < m_all; ++left) {
        if (m_from[left] <= m_to[left])
            fill(left);
        if (left % betweenLooks == 0 || m_looked > mostBetweenLooks) {
            m_clock.spend(1 + m_looked / entriesPerStep);
            m_looked = 0;
            if (m_clock.phaseOver() || m_done())
                return;
        }
    }
    m_clock.spend(1 + m_looked / entriesPerStep);
    m_complete = true;
}

/// False where time is up.
bool RowTable::layStages() {
    std::map<std::vector<int>, int> known;  // groups by the types of their devices
    std::vector<int> like;                  // by group: the first one of such devices
    for (int group = 0; group < m_count; ++group)
        like.push_back(known.try_emplace(m_groups.typesOf(m_groups.groups[at(group)].devices), group).first->second);
    std::vector<SharedSeconds> shared;
    for (int group = 0; group < m_count; ++group) {
        const bool own = like[at(group)] == group && group >= m_model.deviceCount();
        shared.emplace_back(m_model, own ? m_costs.estimate(m_groups.groups[at(group)].number).whole.members : Group{});
    }
    // No micro-batch comes to a layer sooner.
    std::vector<double> before(at(m_width), 0);
    for (int l = 0; l < m_layers; ++l) {
        double least = std::numeric_limits<double>::infinity();
        for (int group = 0; group < m_count; ++group) {
            if (like[at(group)] == group)
                least = std::min(least, leastOnce(group, shared[at(group)], l));
        }
        before[at(l) + 1] = before[at(l)] + least;
    }
    m_reach.resize(at(m_count * m_width));
    m_stageAt.resize(m_reach.size());
    for (int group = 0; group < m_count; ++group) {
        if (m_clock.phaseOver() || m_done())
            return false;
        if (like[at(group)] == group) {
            layStagesOf(group, shared[at(group)], before);
            continue;
        }
        std::copy_n(&m_reach[at(like[at(group)] * m_width)], m_width, &m_reach[at(group * m_width)]);
        std::copy_n(&m_stageAt[at(like[at(group)] * m_width)], m_width, &m_stageAt[at(group * m_width)]);
    }
    return true;
}

/// Whatever fits: memory makes stages that are shorter, but begin behind a larger output, longer or impossible.
double RowTable::leastOnce(int group, const SharedSeconds &shared, int place) const {
    const int first = layerAt(place), last = layerAt(place + 1);
    if (group >= m_model.deviceCount())
        return shared.leastOnce(first, last);
    const CostModel::Prefix seconds = m_model.prefix(group, m_costs.microBatch());
    return seconds.forward[last] - seconds.forward[first] + seconds.backward[last] - seconds.backward[first] -
           (seconds.weights[last] - seconds.weights[first]);
}

/// Nothing where it does not fit.
std::optional<StepTimes> RowTable::stepOf(int group, const SharedSeconds &shared, int first, int end) const {
    const int firstLayer = layerAt(first), lastLayer = layerAt(end);
    if (group >= m_model.deviceCount())
        return shared.step(firstLayer, lastLayer);
    const GroupCosts::Piece piece = m_costs.piece(m_groups.groups[at(group)].number, firstLayer, lastLayer, 1);
    return piece.option ? std::optional(piece.step) : std::nullopt;
}

void RowTable::layStagesOf(int group, const SharedSeconds &shared, const std::vector<double> &before) {
    const bool single = group < m_model.deviceCount();
    const bool roomy = single && m_costs.alone(m_groups.groups[at(group)].number);
    for (int first = 0; first <= m_layers; ++first) {
        const std::size_t place = at(group * m_width + first);
        m_stageAt[place] = m_stages.size();
        m_reach[place] = first;
        for (int end = first + 1; end <= m_layers; ++end) {
            const std::optional<StepTimes> step = stepOf(group, shared, first, end);
            const double alone = step ? m_costs.microBatches() * step->beforeWeights() : 0;
            // More layers take no less time and memory.
            if (!step || std::max(before[at(first)] + alone, step->whole(m_costs.microBatches())) >= m_limit)
                break;
            m_stages.push_back({static_cast<float>(step->forward + step->backward),
                                static_cast<float>((m_costs.microBatches() - 1) * step->longerWay()),
                                static_cast<float>(alone)});
            m_reach[place] = end;
        }
        m_clock.spend(1 + at(m_reach[place] - first) / (roomy ? 32 : single ? 1 : 4));
    }
}

/// A stage may begin where those before it reach, and no sooner than those behind it reach back to, if each of them has
/// all that one stage may have. False where that leaves too much.
bool RowTable::layRanges() {
    const std::size_t sets = std::size_t{m_all} + 1;
    std::vector<int> back(at(m_count * m_width)), furthest(m_reach);
    for (int group = 0; group < m_count; ++group) {
        // A stage that begins sooner may reach further.
        for (int first = 1; first <= m_layers; ++first) {
            int &own = furthest[at(group * m_width + first)];
            own = std::max(own, furthest[at(group * m_width + first - 1)]);
        }
        for (int end = 0, first = 0; end <= m_layers; ++end) {
            while (first < end && reach(group, first) < end)
                ++first;
            back[at(group * m_width + end)] = first;
        }
    }
    std::vector<int> reached(sets, -1);  // by devices that are used
    m_from.assign(sets, m_layers + 1);
    m_to.assign(sets, -1);
    reached[0] = 0;
    m_from[0] = m_layers;
    for (DeviceMask set = 1; set <= m_all; ++set) {
        const bool used = m_groups.inOrder(set), left = m_groups.inOrder(m_all & ~set);
        for (int group = 0; (used || left) && group < m_count; ++group) {
            const DeviceMask devices = m_groups.groups[at(group)].devices;
            if ((devices & set) != devices)
                continue;
            const DeviceMask rest = set & ~devices;
            if (used && reached[rest] >= 0)
                reached[set] = std::max(reached[set], furthest[at(group * m_width + reached[rest])]);
            if (left && m_from[rest] <= m_layers)
                m_from[set] = std::min(m_from[set], back[at(group * m_width + m_from[rest])]);
        }
    }
    m_clock.spend(sets * at(m_count) / 4);
    m_behindAt.resize(sets);
    m_tripAt.resize(sets);
    std::size_t behind = 0, trips = 0;
    for (DeviceMask left = 0; left < m_all; ++left) {
        m_from[left] = std::max(1, m_from[left]);
        m_to[left] = std::min(m_layers - 1, reached[m_all & ~left]);
        m_behindAt[left] = behind;
        m_tripAt[left] = trips;
        if (m_from[left] > m_to[left])
            continue;
        const std::size_t width = at(m_to[left] - m_from[left] + 1);
        trips += width;
        behind += width * at(std::popcount(m_all & ~left));
    }
    if (behind + trips > mostEntries)
        return false;
    m_behind.assign(behind, unreached);
    m_trips.assign(trips, unreached);
    return true;
}

std::size_t RowTable::behindAt(DeviceMask left, int device, int layer) const {
    const int before = std::popcount(m_all & ~left & (bitOf(device) - 1)), width = m_to[left] - m_from[left] + 1;
    return m_behindAt[left] + at(before * width + layer - m_from[left]);
}

float RowTable::behind(DeviceMask left, int group, int layer) const {
    float least = unreached;
    for (DeviceMask rest = m_groups.groups[at(group)].devices; rest; rest &= rest - 1)
        least = std::min(least, m_behind[behindAt(left, std::countr_zero(rest), layer)]);
    return least - m_cuts.parted(group)[layer];
}

RowTable::Behind RowTable::behindOf(DeviceMask left, int group) const {
    const DeviceMask devices = m_groups.groups[at(group)].devices, rest = left & ~devices;
    Behind result;
    result.layers = m_layers;
    result.from = m_from[rest];
    result.to = m_to[rest];
    result.reach = &m_reach[at(group * m_width)];
    result.stageAt = &m_stageAt[at(group * m_width)];
    result.stages = m_stages.data();
    result.leastCut = m_cuts.least(group);
    result.parted = m_cuts.parted(group);
    if (result.from > result.to)
        return result;
    result.trip = &m_trips[m_tripAt[rest]];
    for (DeviceMask members = devices; members; members &= members - 1)
        result.after[at(result.devices++)] = &m_behind[behindAt(rest, std::countr_zero(members), result.from)];
    return result;
}

float RowTable::Behind::drained(int first) const {
    const Stage *own = stages + stageAt[first];
    float least = unreached;
    if (reach[first] == layers) {
        const Stage &last = own[layers - first - 1];
        least = std::max(last.alone, last.once + last.others);
    }
    const int begin = std::max(first + 1, from), end = std::min(reach[first], to);
    for (int device = 0; device < devices; ++device) {
        const float *behind = after[at(device)];
        for (int l = begin; l <= end; ++l) {
            const Stage &stage = own[l - first - 1];
            if (stage.alone >= least)
                break;
            const float with =
                stage.once + std::max(behind[l - from] - parted[l], stage.others + leastCut[l] + trip[l - from]);
            least = std::min(least, std::max(stage.alone, with));
        }
    }
    return least;
}

float RowTable::Behind::roundTrip(int first) const {
    const Stage *own = stages + stageAt[first];
    float least = reach[first] == layers ? own[layers - first - 1].once : unreached;
    const int end = std::min(reach[first], to);
    for (int l = std::max(first + 1, from); l <= end; ++l)
        least = std::min(least, own[l - first - 1].once + leastCut[l] + trip[l - from]);
    return least;
}

void RowTable::fill(DeviceMask left) {
    const int from = m_from[left], width = m_to[left] - from + 1;
    float *trip = &m_trips[tripAt(left, from)];
    m_heads.clear();
    for (int group = 0; group < m_count; ++group) {
        const DeviceMask devices = m_groups.groups[at(group)].devices;
        if ((devices & left) != devices || !m_groups.inOrder((m_all & ~left) | devices))
            continue;
        m_heads.push_back(group);
        const Behind behind = behindOf(left, group);
        float *drained = &m_drained[at(group * m_width)];
        for (int i = 0; i < width; ++i) {
            drained[i] = behind.drained(from + i);
            trip[i] = std::min(trip[i], behind.roundTrip(from + i));
            m_looked += at(2 * (1 + behind.reach[from + i] - from - i));
        }
    }
    for (DeviceMask used = m_all & ~left; used; used &= used - 1) {
        const int device = std::countr_zero(used);
        float *after = &m_behind[behindAt(left, device, from)];
        for (const int head : m_heads) {
            cross(m_cuts.once(device, head) + from, m_cuts.occupied(device, head) + from,
                  &m_drained[at(head * m_width)], width, after);
        }
        m_looked += m_heads.size() * at(width);
    }
}

}  // namespace hearth
