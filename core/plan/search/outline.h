// The shape of a plan: which layers and which devices, without shares and limits.
#pragma once

#include <functional>
#include <vector>

#include "core/plan/steps.h"

namespace hearth {

/// The stage of a device that has none.
inline constexpr int idle = -1;

/// Plain value. Stage s has the layers [borders[s], borders[s + 1]) and the devices groups[s], none twice.
struct Outline {
    int microBatch = 1;
    std::vector<int> borders;
    std::vector<std::vector<int>> groups;

    int stages() const { return static_cast<int>(groups.size()); }
    bool operator==(const Outline &) const = default;
};

Outline outlineOf(const Placement &placement);

/// Small changes of an outline. Each calls `consider` with every neighbour of its kind; where that returns true (the
/// neighbour was taken) it stops and returns true.
using Consider = std::function<bool(Outline)>;
bool shiftBorders(const Outline &outline, const Consider &consider);
bool moveDevices(const Outline &outline, int deviceCount, const Consider &consider);
bool swapDevices(const Outline &outline, int deviceCount, const Consider &consider);
bool mergeAndSplitStages(const Outline &outline, const Consider &consider);
bool addStages(const Outline &outline, int deviceCount, const Consider &consider);

}  // namespace hearth
