// A channel over two file descriptors: how a child process talks to its parent.
#pragma once

#include "core/wire/stream_channel.h"

namespace hearth {

/// See Channel. Both descriptors become non-blocking; the end of file on `input` closes the channel ("wire.closed").
class StdioChannel : public StreamChannel {
    Q_OBJECT

  public:
    /// Does not close the descriptors. The parent's end is a StreamChannel over its QProcess.
    explicit StdioChannel(int input = 0, int output = 1, QString peerName = QStringLiteral("the parent process"));
};

}  // namespace hearth
