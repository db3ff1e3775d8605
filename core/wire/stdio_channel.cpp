#include "core/wire/stdio_channel.h"

#include "core/wire/fd_device.h"

namespace hearth {

StdioChannel::StdioChannel(int input, int output, QString peerName)
    : StreamChannel(std::make_unique<FdDevice>(input, output), Fingerprint(), std::move(peerName)) {}

}  // namespace hearth
