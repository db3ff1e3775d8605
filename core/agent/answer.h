// The answer to a call that either is done or fails.
#pragma once

#include "core/wire/rpc.h"

namespace hearth {

inline void answer(const Reply &reply, const Result<void> &result) {
    result ? reply.ok() : reply.fail(result.error());
}

}  // namespace hearth
