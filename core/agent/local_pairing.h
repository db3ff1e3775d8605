// Pairing and forgetting over the local socket.
#pragma once

#include "core/agent/agent.h"
#include "core/wire/rpc.h"

namespace hearth {

/// Calls, each answered with the pairing's state where nothing else is said: pair.start {address} or {addresses};
/// pair.accept; pair.confirm {match}; pair.cancel; pair.ignore {key} and pair.unignore {key}, by first digits;
/// pair.status; forget {device} → {}.
/// `agent` outlives `rpc`.
void servePairing(Rpc &rpc, Agent &agent);

}  // namespace hearth
