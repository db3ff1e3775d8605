#include "core/plan/search/outline.h"

#include <algorithm>

#include "core/base/at.h"

namespace hearth {
namespace {

/// Stage of every device.
std::vector<int> stagesOf(const Outline &outline, int deviceCount) {
    std::vector<int> stage(at(deviceCount), idle);
    for (int s = 0; s < outline.stages(); ++s) {
        for (const int device : outline.groups[at(s)])
            stage[at(device)] = s;
    }
    return stage;
}

void removeStage(Outline &outline, int stage, bool layersToPrevious) {
    outline.groups.erase(outline.groups.begin() + stage);
    outline.borders.erase(outline.borders.begin() + stage + (layersToPrevious ? 0 : 1));
}

/// Cuts a stage at a border; the group takes the layers in front of it or behind it.
void insertStage(Outline &outline, int stage, int border, bool inFront, std::vector<int> group) {
    outline.groups.insert(outline.groups.begin() + stage + (inFront ? 0 : 1), std::move(group));
    outline.borders.insert(outline.borders.begin() + stage + 1, border);
}

}  // namespace

Outline outlineOf(const Placement &placement) {
    Outline outline{placement.microBatch, {0}, {}};
    for (const StagePlacement &stage : placement.stages) {
        outline.borders.push_back(stage.lastLayer);
        auto &group = outline.groups.emplace_back();
        for (const MemberShare &member : stage.group)
            group.push_back(member.device);
    }
    return outline;
}

bool shiftBorders(const Outline &outline, const Consider &consider) {
    for (int b = 1; b < outline.stages(); ++b) {
        for (const int by : {-1, 1, -2, 2, -3, 3, -5, 5, -8, 8}) {
            const int layer = outline.borders[at(b)] + by;
            if (layer <= outline.borders[at(b - 1)] || layer >= outline.borders[at(b + 1)])
                continue;
            Outline next = outline;
            next.borders[at(b)] = layer;
            if (consider(std::move(next)))
                return true;
        }
    }
    return false;
}

bool moveDevices(const Outline &outline, int deviceCount, const Consider &consider) {
    const std::vector<int> stage = stagesOf(outline, deviceCount);
    for (int device = 0; device < deviceCount; ++device) {
        const int from = stage[at(device)];
        const bool last = from != idle && outline.groups[at(from)].size() == 1;
        for (int to = idle; to < outline.stages(); ++to) {
            if (to == from)
                continue;
            for (const bool toPrevious : {true, false}) {
                if (last ? outline.stages() == 1 || (toPrevious ? from == 0 : from + 1 == outline.stages())
                         : !toPrevious)
                    continue;  // an emptied stage leaves its layers to a neighbour
                Outline next = outline;
                if (to != idle)
                    next.groups[at(to)].push_back(device);
                if (last)
                    removeStage(next, from, toPrevious);
                else if (from != idle)
                    std::erase(next.groups[at(from)], device);
                if (consider(std::move(next)))
                    return true;
            }
        }
    }
    return false;
}

bool swapDevices(const Outline &outline, int deviceCount, const Consider &consider) {
    const std::vector<int> stage = stagesOf(outline, deviceCount);
    for (int a = 0; a < deviceCount; ++a) {
        for (int b = a + 1; b < deviceCount; ++b) {
            if (stage[at(a)] == stage[at(b)])
                continue;
            Outline next = outline;
            for (const auto &[device, other] : {std::pair{a, b}, std::pair{b, a}}) {
                if (stage[at(device)] == idle)
                    continue;
                auto &group = next.groups[at(stage[at(device)])];
                *std::find(group.begin(), group.end(), device) = other;
            }
            if (consider(std::move(next)))
                return true;
        }
    }
    for (int i = 0; i < outline.stages(); ++i) {
        for (int j = i + 1; j < outline.stages(); ++j) {
            Outline next = outline;
            std::swap(next.groups[at(i)], next.groups[at(j)]);
            if (consider(std::move(next)))
                return true;
        }
    }
    return false;
}

bool mergeAndSplitStages(const Outline &outline, const Consider &consider) {
    for (int s = 0; s + 1 < outline.stages(); ++s) {
        Outline next = outline;
        next.groups[at(s)].insert(next.groups[at(s)].end(), next.groups[at(s + 1)].begin(),
                                  next.groups[at(s + 1)].end());
        next.groups.erase(next.groups.begin() + s + 1);
        next.borders.erase(next.borders.begin() + s + 1);
        if (consider(std::move(next)))
            return true;
    }
    for (int s = 0; s < outline.stages(); ++s) {
        const std::vector<int> group = outline.groups[at(s)];
        const int first = outline.borders[at(s)], last = outline.borders[at(s + 1)];
        if (group.size() < 2 || last - first < 2)
            continue;
        const auto split = [&](std::vector<int> front, std::vector<int> back) {
            const int layers = last - first;
            const int border =
                first +
                std::clamp(static_cast<int>(front.size()) * layers / static_cast<int>(group.size()), 1, layers - 1);
            Outline next = outline;
            next.groups[at(s)] = std::move(back);
            insertStage(next, s, border, true, std::move(front));
            return consider(std::move(next));
        };
        const auto middle = group.begin() + static_cast<std::ptrdiff_t>(group.size() / 2);
        if (group.size() > 3 && (split({group.begin(), middle}, {middle, group.end()}) ||
                                 split({middle, group.end()}, {group.begin(), middle})))
            return true;
        for (const int device : group) {
            std::vector<int> rest = group;
            std::erase(rest, device);
            if (split({device}, rest) || split(rest, {device}))
                return true;
        }
    }
    return false;
}

bool addStages(const Outline &outline, int deviceCount, const Consider &consider) {
    const std::vector<int> stage = stagesOf(outline, deviceCount);
    for (int device = 0; device < deviceCount; ++device) {
        const int from = stage[at(device)];
        if (from != idle && outline.groups[at(from)].size() == 1)
            continue;
        for (int s = 0; s < outline.stages(); ++s) {
            const int first = outline.borders[at(s)], last = outline.borders[at(s + 1)];
            for (const int border : {first + 1, last - 1}) {
                if (border <= first || border >= last)
                    continue;
                Outline next = outline;
                if (from != idle)
                    std::erase(next.groups[at(from)], device);
                insertStage(next, s, border, border == first + 1, {device});
                if (consider(std::move(next)))
                    return true;
            }
        }
    }
    return false;
}

}  // namespace hearth
