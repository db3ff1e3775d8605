#include "core/wire/tcp_figures.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace hearth {

std::optional<TcpFigures> tcpFigures(qintptr descriptor) {
    tcp_info info{};
    socklen_t size = sizeof info;
    if (::getsockopt(static_cast<int>(descriptor), IPPROTO_TCP, TCP_INFO, &info, &size) != 0)
        return std::nullopt;
    const std::chrono::microseconds roundTrip(info.tcpi_rtt);
    return TcpFigures{info.tcpi_bytes_received, std::chrono::duration_cast<std::chrono::milliseconds>(roundTrip)};
}

}  // namespace hearth
