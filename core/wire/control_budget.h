// How much work a control message may be.
#pragma once

#include <QByteArrayView>

#include "core/base/error.h"

namespace hearth {

/// Of one message. What is read into values takes a hundred times its bytes where they are small, and a map's keys are
/// looked for one after the other.
struct ControlBudget {
    int items = 1 << 20;  // values, keys and pieces of texts; a trace of RoundTrace::mostEntries has half of them
    int keys = 8192;      // of one map
    int depth = 64;       // maps and lists in each other
};

/// Looks at the bytes alone, and allocates nothing that grows with them: exactly one CBOR value within the budget,
/// without tags, which no message of Hearth has. Error "wire.bad-control". Any thread.
Result<void> mustBeWithin(const ControlBudget &budget, QByteArrayView cbor);

}  // namespace hearth
