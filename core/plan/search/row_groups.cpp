#include "core/plan/search/row_groups.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "core/base/at.h"
#include "core/plan/search/cut_points.h"
#include "core/plan/seconds.h"

namespace hearth {
namespace {

/// A group must be that much faster than all of it but one device.
constexpr double growthPays = 0.97;
/// Kinds of each size; where devices are many, sets of them are.
constexpr std::size_t groupsPerDevice[2] = {6, 1};
/// Into so many parts layers are cut at most where there are that many devices; tables grow with the square of them.
constexpr int partsOfMost = 100, mostDifferent = 16;
constexpr std::size_t mostShares = 9;

std::vector<int> devicesOf(DeviceMask group) {
    std::vector<int> devices;
    for (DeviceMask rest = group; rest; rest &= rest - 1)
        devices.push_back(std::countr_zero(rest));
    return devices;
}

double leastWithoutOne(const std::map<DeviceMask, double> &seconds, DeviceMask group) {
    double least = never;
    for (DeviceMask rest = group; rest; rest &= rest - 1) {
        const auto without = seconds.find(group & ~(rest & -rest));
        least = std::min(least, without == seconds.end() ? never : without->second);
    }
    return least;
}

/// They reach each other, and there is enough for each.
bool canShare(const CostModel &model, const Group &members, int microBatch) {
    int samples = 0;
    for (const MemberShare &member : members)
        samples += member.samples;
    return samples == microBatch && std::isfinite(model.allReduceSeconds(0, model.layerCount(), members));
}

}  // namespace

bool RowGroups::neighbours(DeviceMask group) const {
    for (DeviceMask rest = group; rest; rest &= rest - 1) {
        const DeviceMask before = equals[at(std::countr_zero(rest))], own = before & group;
        if (own && (before & ~group & ~((own & -own) - 1)))
            return false;
    }
    return true;
}

std::vector<int> RowGroups::typesOf(DeviceMask group) const {
    std::vector<int> result;
    for (const int device : devicesOf(group))
        result.push_back(types[at(device)]);
    std::sort(result.begin(), result.end());
    return result;
}

RowGroups rowGroups(const CostModel &model, GroupCosts &costs, GroupNumbers &numbers, const std::vector<int> &types,
                    int mostMembers) {
    RowGroups result;
    const int devices = model.deviceCount();
    result.cuts = cutPoints(model, partsOfMost << std::max(0, (mostDifferent - devices) / 2));
    result.types = types;
    result.equals = equalsBefore(types);
    const auto secondsOf = [&](int group) { return costs.estimate(group).before[at(model.layerCount())]; };
    std::vector<DeviceMask> last;  // groups of the size before
    std::map<DeviceMask, double> seconds;
    for (int device = 0; device < devices; ++device) {
        result.groups.push_back({numbers.of({device}), bitOf(device)});
        seconds[bitOf(device)] = secondsOf(result.groups.back().number);
        last.push_back(bitOf(device));
    }
    const std::size_t ofEachSize = at(devices) * groupsPerDevice[devices > RowGroups::fewDevices ? 1 : 0];
    for (int size = 2; size <= std::min({mostMembers, RowGroups::mostMembers, costs.microBatch()}); ++size) {
        std::vector<std::pair<double, RowGroup>> faster;
        std::vector<DeviceMask> own;
        for (const DeviceMask smaller : last) {
            for (int device = devices - 1; bitOf(device) > smaller; --device) {
                const DeviceMask group = smaller | bitOf(device);
                const int number = numbers.of(devicesOf(group));
                if (!canShare(model, costs.estimate(number).whole.members, costs.microBatch()))
                    continue;
                const double part = secondsOf(number) / leastWithoutOne(seconds, group);
                if (part >= growthPays)
                    continue;
                seconds[group] = secondsOf(number);
                own.push_back(group);
                faster.push_back({part, {number, group}});
            }
        }
        std::stable_sort(faster.begin(), faster.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
        std::set<std::vector<int>> kinds;  // by the types of their devices
        for (const auto &[part, group] : faster) {
            std::vector<int> kind = result.typesOf(group.devices);
            if (!result.neighbours(group.devices) || (kinds.size() == ofEachSize && !kinds.contains(kind)))
                continue;
            kinds.insert(std::move(kind));
            result.groups.push_back(group);
        }
        last = std::move(own);
    }
    return result;
}

SharedSeconds::SharedSeconds(const CostModel &model, const Group &members) : m_size(members.size()) {
    std::vector<int> shares;
    for (const MemberShare &member : members)
        shares.push_back(member.samples);
    std::vector<std::vector<int>> near{shares};
    for (std::size_t i = 0; i < near.size() && near.size() < mostShares; ++i) {
        for (std::size_t from = 0; from < m_size; ++from) {
            for (std::size_t to = 0; to < m_size; ++to) {
                std::vector<int> next = near[i];
                if (from == to || --next[from] < 1)
                    continue;
                ++next[to];
                if (std::find(near.begin(), near.end(), next) == near.end())
                    near.push_back(std::move(next));
            }
        }
    }
    for (const std::vector<int> &own : near) {
        for (std::size_t i = 0; i < m_size; ++i)
            m_seconds.push_back(model.prefix(members[i].device, own[i]));
    }
}

double SharedSeconds::leastOnce(int firstLayer, int lastLayer) const {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < m_seconds.size(); i += m_size) {
        double sum = 0;
        for (std::size_t member = i; member < i + m_size; ++member) {
            const auto &[there, back, weights] = m_seconds[member];
            sum += there[lastLayer] - there[firstLayer] + back[lastLayer] - back[firstLayer] -
                   (weights[lastLayer] - weights[firstLayer]);
        }
        least = std::min(least, sum / static_cast<double>(m_size));
    }
    return least;
}

StepTimes SharedSeconds::step(int firstLayer, int lastLayer) const {
    double least = std::numeric_limits<double>::infinity();
    StepTimes best;
    for (std::size_t i = 0; i < m_seconds.size(); i += m_size) {
        SlowestMember slowest;
        for (std::size_t member = i; member < i + m_size; ++member)
            slowest.add(m_seconds[member].between(firstLayer, lastLayer));
        const StepTimes step = StepTimes::execution(slowest.seconds());
        if (step.occupied < least) {
            least = step.occupied;
            best = step;
        }
    }
    return best;
}

}  // namespace hearth
