// Tied tensors that a plan cuts apart: their sums over all stages that have them.
#pragma once

#include <vector>

#include "core/plan/cost_model.h"

namespace hearth {

struct Placement;

/// At the end of a round all devices of these stages add up their gradients of one tensor, as a group does its own: a
/// ring over all of them (Asteroid, Eq. 5). It begins when the last of them has its gradients.
struct TiedSum {
    std::vector<int> stages;  // ascending, two or more
    Group group;              // members of all of them, in the order of stages
    double bytes = 0;
    double seconds = 0;  // infinite when two cannot reach each other
    double edgeBytes() const {
        const auto members = static_cast<double>(group.size());
        return 2 * (members - 1) / members * bytes;
    }
};

std::vector<TiedSum> tiedSumsOf(const CostModel &model, const Placement &placement);

}  // namespace hearth
