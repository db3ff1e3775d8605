// Which groups of a plan may sum their gradients over a trusted fabric.
#pragma once

#include <QString>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/protocol/deployment.h"

namespace hearth {

/// What the user allows. A trusted fabric neither encrypts nor authenticates what it carries, so nothing is the
/// default.
enum class FabricScope {
    None,
    Machine,  // groups whose members are all on one machine
    Network,  // all groups: the user vouches for the network between them
};

/// "" is None, else "machine" or "network"; "run.unknown-fabric" names both.
Result<FabricScope> fabricScopeFromName(const QString &name);

/// All members of these stages have the same address, or all have loopback addresses.
bool onOneMachine(const Deployment &deployment, std::span<const Deployment::Stage> stages);

/// Gives every group of two or more that `scope` allows LibTorch's Gloo in place of the built-in AllReduce, and the
/// sums of tied tensors where it allows it for all stages together. Returns a warning for each group that has to do
/// without although the user wants it.
std::vector<Error> chooseFabrics(Deployment &deployment, FabricScope scope);

}  // namespace hearth
