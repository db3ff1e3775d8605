// Which devices may form the next stage, and which are left after it: the second dimension of the search.
#pragma once

#include <vector>

#include "core/plan/cost_model.h"

namespace hearth {

/// Numbered sets of devices. A search that stands before set s takes a group out of it and goes on with the rest;
/// devices that nobody takes stand idle. Immutable, any thread.
struct DeviceSets {
    struct Move {
        int group = 0;
        int rest = 0;  // set
    };

    std::vector<std::vector<int>> groups;   // devices by id order; stand-ins where types are used
    std::vector<std::vector<Move>> moves;   // by set
    std::vector<int> size;                  // by set: devices in it
    std::vector<std::vector<int>> outside;  // by set: devices not in it
    int full = 0;                           // the set of all devices
    std::vector<int> type;                  // by device: equals may stand in for each other
    int moveCount() const;
};

/// No pair is slower than the cards at its ends and the one medium that all or none hang on.
bool linksFollowCards(const CostModel &model);

/// Devices with the same times, memory, codecs and links, by type number from 0. Where single pairs of devices have
/// their own rates, or only some devices share a medium, every device is a type of its own.
std::vector<int> deviceTypes(const CostModel &model);

/// Subsets of devices, equal ones by their number alone: covers all orders and all resting devices. `mostMoves` bounds
/// the work; without moves the result says that there would be more.
DeviceSets subsetsOf(const CostModel &model, qint64 mostMoves);

/// Ranges of one order, which begin and end at about `places` places: few sets, but only stages in that order.
DeviceSets rangesOf(const CostModel &model, const std::vector<int> &order, int places);

}  // namespace hearth
