#include "core/plan/search/row_cuts.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/base/at.h"
#include "core/plan/search/device_sets.h"

namespace hearth {
RowCuts::RowCuts(const CostModel &model, GroupCosts &costs, const RowGroups &groups, SearchClock &clock)
    : m_model(model),
      m_costs(costs),
      m_groups(groups),
      m_count(static_cast<int>(groups.groups.size())),
      m_layers(static_cast<int>(groups.cuts.size()) - 1),
      m_width(m_layers + 1) {
    const int devices = model.deviceCount();
    for (std::vector<float> *cuts : {&m_once, &m_others, &m_occupied})
        cuts->assign(at(devices * m_count * m_width), unreached);
    m_least.assign(at(m_count * m_width), unreached);
    m_parted.assign(m_least.size(), 0);
    const bool cards = linksFollowCards(model);
    for (int group = 0; m_layers > 1 && group < m_count; ++group) {
        const DeviceMask members = groups.groups[at(group)].devices;
        for (int device = 0; device < devices; ++device) {
            if (members & bitOf(device))
                continue;
            if (cards || group < devices)
                layBetween(device, group);
            for (int l = 1; l < m_layers; ++l) {
                if (!cards && group >= devices)
                    set(cutAt(device, group, l),
                        together(members, [&](int member) { return fromDevice(device, member, l); }));
                float &least = m_least[rowAt(device) + at(l)];
                least = std::min(least, m_once[cutAt(device, group, l)]);
            }
        }
    }
    layFromGroups();
    clock.spend(at(devices * m_count * m_width / entriesPerStep));
}

double RowCuts::bytesOver(int place, int way, double rate) const {
    const CutTraffic &cut = m_model.traffic(m_groups.cuts[at(place)]);
    return (way == 0 ? cut.forward : cut.backward).over(rate);
}

/// Seconds go with bytes, about: two layers tell.
void RowCuts::layBetween(int device, int group) {
    const auto wholeOf = [this](int row) -> const StageOption & {
        return m_costs.estimate(m_groups.groups[at(row)].number).whole;
    };
    const StageOption &from = wholeOf(device), &to = wholeOf(group);
    const int first = to.members.front().device;
    const LinkTable &links = m_model.links();
    const double rates[2] = {links.bytesPerSecond(device, first), links.bytesPerSecond(first, device)};
    double perByte[2] = {0, 0}, fixed[2] = {0, 0};
    bool half = false;
    for (const int way : {0, 1}) {
        const auto secondsAt = [&](int place) {
            const StepTimes step = m_costs.cut(m_groups.cuts[at(place)], from, to);
            half = half || (step.forward > 0 && step.backward > 0 && step.occupied >= step.forward + step.backward);
            return way == 0 ? step.forward : step.backward;
        };
        int most = 1, fewest = 1;  // places
        for (int l = 1; l < m_layers; ++l) {
            const double bytes = bytesOver(l, way, rates[way]), least = bytesOver(fewest, way, rates[way]);
            most = bytes > bytesOver(most, way, rates[way]) ? l : most;
            // Nothing to send takes no time at all.
            if (bytes > 0 && (bytes < least || least == 0))
                fewest = l;
        }
        const double longest = secondsAt(most);
        if (!std::isfinite(longest))  // out of reach: no row crosses there
            return;
        const double bytes = bytesOver(most, way, rates[way]);
        const double more = bytes - bytesOver(fewest, way, rates[way]);
        perByte[way] = more > 0 ? (longest - secondsAt(fewest)) / more : 0;
        fixed[way] = longest - perByte[way] * bytes;
    }
    const auto others = static_cast<float>(m_costs.microBatches() - 1);
    for (int l = 1; l < m_layers; ++l) {
        float seconds[2];
        for (const int way : {0, 1}) {
            const double bytes = bytesOver(l, way, rates[way]);
            seconds[way] = bytes > 0 ? static_cast<float>(fixed[way] + perByte[way] * bytes) : 0;
        }
        const float once = seconds[0] + seconds[1], longer = std::max(seconds[0], seconds[1]);
        set(cutAt(device, group, l), {once, others * longer, once + others * (half ? once : longer)});
    }
}

/// Over as many links at once.
template <class CutOf>
RowCuts::Cut RowCuts::together(DeviceMask members, CutOf cutOf) {
    Cut rate;
    for (DeviceMask rest = members; rest; rest &= rest - 1) {
        const Cut own = cutOf(std::countr_zero(rest));
        rate.once += 1 / own.once;
        rate.others += 1 / own.others;
        rate.occupied += 1 / own.occupied;
    }
    return {1 / rate.once, 1 / rate.others, 1 / rate.occupied};
}

RowCuts::Cut RowCuts::cut(int from, int to, int layer) const {
    if (from < m_model.deviceCount())
        return fromDevice(from, to, layer);
    return together(m_groups.groups[at(from)].devices, [&](int device) { return fromDevice(device, to, layer); });
}

void RowCuts::layFromGroups() {
    for (int group = m_model.deviceCount(); group < m_count; ++group) {
        const DeviceMask members = m_groups.groups[at(group)].devices;
        const auto size = static_cast<float>(std::popcount(members));
        for (int l = 1; l < m_layers; ++l) {
            float least = unreached;
            for (DeviceMask rest = members; rest; rest &= rest - 1)
                least = std::min(least, m_least[rowAt(std::countr_zero(rest)) + at(l)]);
            m_least[rowAt(group) + at(l)] = least / size;
            m_parted[rowAt(group) + at(l)] = std::isfinite(least) ? least - least / size : 0;
        }
    }
}

}  // namespace hearth
