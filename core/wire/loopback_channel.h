// Two ends of a channel inside one process, for tests and for a device that talks to itself.
#pragma once

#include <memory>
#include <utility>

#include "core/wire/channel.h"

namespace hearth {

/// Both ends behave as a StreamChannel does: order, overtaking, queuedBytes(), checks, closing. Each may be moved to
/// its own thread before it is used. `a` is the key of the first end: the second one's peer().
std::pair<std::unique_ptr<Channel>, std::unique_ptr<Channel>> makeLoopbackPair(Fingerprint a = {}, Fingerprint b = {});

}  // namespace hearth
