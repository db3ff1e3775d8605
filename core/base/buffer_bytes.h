// What all buffers of this process take together.
#pragma once

#include <QtGlobal>

namespace hearth {

/// Bytes of every Buffer that is alive. Any thread.
qint64 heldBufferBytes();

}  // namespace hearth
