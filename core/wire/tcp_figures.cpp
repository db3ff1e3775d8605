#include "core/wire/tcp_figures.h"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QHostAddress>
#include <QUdpSocket>
#include <QtEndian>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

namespace hearth {
namespace {

constexpr quint32 established = 1 << 1;  // TCP_ESTABLISHED, as a bit of idiag_states

struct Socket {
    ~Socket() {
        if (fd >= 0)
            ::close(fd);
    }
    int fd;
};

struct Request {
    nlmsghdr header;
    inet_diag_req_v2 body;
};

bool ask(int fd, quint8 family) {
    Request request{};
    request.header.nlmsg_len = sizeof request;
    request.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
    request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    request.body.sdiag_family = family;
    request.body.sdiag_protocol = IPPROTO_TCP;
    request.body.idiag_ext = 1 << (INET_DIAG_INFO - 1);
    request.body.idiag_states = established;
    return ::send(fd, &request, sizeof request, 0) == static_cast<ssize_t>(sizeof request);
}

/// IPv4 in IPv6 is IPv4.
QHostAddress plain(const QHostAddress &address) {
    bool isV4 = false;
    const quint32 v4 = address.toIPv4Address(&isV4);
    return isV4 ? QHostAddress(v4) : QHostAddress(address.toIPv6Address());
}

QHostAddress addressOf(quint8 family, const __be32 *words) {
    if (family == AF_INET)
        return QHostAddress(qFromBigEndian(words[0]));
    Q_IPV6ADDR bytes;
    std::memcpy(&bytes, words, sizeof bytes);
    return plain(QHostAddress(bytes));
}

/// The addresses at the two ends of connections.
struct Ends {
    QHostAddress host, own;
    bool are(const inet_diag_msg &message) const {
        return addressOf(message.idiag_family, message.id.idiag_dst) == host &&
               addressOf(message.idiag_family, message.id.idiag_src) == own;
    }
};

quint64 segmentsOf(const inet_diag_msg &message, std::size_t size) {
    const auto *bytes = reinterpret_cast<const char *>(&message);
    for (std::size_t at = NLMSG_ALIGN(sizeof message); at + sizeof(rtattr) <= size;) {
        rtattr attribute{};
        std::memcpy(&attribute, bytes + at, sizeof attribute);
        if (attribute.rta_len < sizeof attribute || at + attribute.rta_len > size)
            break;
        if (attribute.rta_type == INET_DIAG_INFO) {
            tcp_info info{};
            std::memcpy(&info, bytes + at + RTA_LENGTH(0),
                        std::min<std::size_t>(sizeof info, attribute.rta_len - RTA_LENGTH(0)));
            return info.tcpi_segs_in;
        }
        at += RTA_ALIGN(attribute.rta_len);
    }
    return 0;
}

/// How long all attempts so far have waited: each pause is twice the one before, and whatever is confirmed ends the
/// count.
std::chrono::milliseconds retriedFor(const tcp_info &info) {
    if (info.tcpi_unacked == 0)
        return std::chrono::milliseconds(0);
    const int attempts = std::min<int>(info.tcpi_retransmits, 31);
    const std::chrono::microseconds waited(info.tcpi_rto - (info.tcpi_rto >> attempts));
    return std::chrono::duration_cast<std::chrono::milliseconds>(waited);
}

/// Adds what one datagram tells; false when it was the last of its answer.
bool take(const char *data, std::size_t size, const Ends &ends, std::optional<quint64> &sum) {
    while (size >= sizeof(nlmsghdr)) {
        nlmsghdr header{};
        std::memcpy(&header, data, sizeof header);
        if (header.nlmsg_len < sizeof header || header.nlmsg_len > size || header.nlmsg_type == NLMSG_ERROR) {
            sum.reset();
            return false;
        }
        if (header.nlmsg_type == NLMSG_DONE)
            return false;
        const std::size_t length = header.nlmsg_len - NLMSG_HDRLEN;
        if (length >= sizeof(inet_diag_msg)) {
            // The buffer is aligned, and so is every message in it.
            const auto *message = reinterpret_cast<const inet_diag_msg *>(data + NLMSG_HDRLEN);
            if (ends.are(*message))
                *sum += segmentsOf(*message, length);
        }
        const std::size_t step = std::min<std::size_t>(NLMSG_ALIGN(header.nlmsg_len), size);
        data += step;
        size -= step;
    }
    return true;
}

}  // namespace

std::optional<TcpFigures> tcpFigures(qintptr descriptor) {
    const int fd = static_cast<int>(descriptor);
    tcp_info info{};
    socklen_t size = sizeof info;
    int waiting = 0;
    // Kernels before 4.6, and programs that play one, know less.
    constexpr socklen_t known = offsetof(tcp_info, tcpi_data_segs_in) + sizeof info.tcpi_data_segs_in;
    if (::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 || size < known ||
        ::ioctl(fd, SIOCOUTQ, &waiting) != 0)
        return std::nullopt;
    const std::chrono::microseconds roundTrip(info.tcpi_rtt);
    return TcpFigures{info.tcpi_data_segs_in,
                      std::chrono::duration_cast<std::chrono::milliseconds>(roundTrip),
                      waiting == 0,
                      std::chrono::milliseconds(info.tcpi_last_data_recv),
                      info.tcpi_delivery_rate_app_limited ? 0 : static_cast<double>(info.tcpi_delivery_rate),
                      retriedFor(info)};
}

qint64 bytesReceivedOn(qintptr descriptor) {
    tcp_info info{};
    socklen_t length = sizeof info;
    if (::getsockopt(static_cast<int>(descriptor), IPPROTO_TCP, TCP_INFO, &info, &length) != 0)
        return 0;
    return static_cast<qint64>(info.tcpi_bytes_received);
}

bool isAddressLost(const QHostAddress &own) {
    bool isV4 = false;
    const quint32 v4 = own.toIPv4Address(&isV4);
    // What is there another socket can have, too.
    QUdpSocket other;
    return !other.bind(isV4 ? QHostAddress(v4) : own) &&
           other.error() == QAbstractSocket::SocketAddressNotAvailableError;
}

std::optional<quint64> segmentsFrom(const QHostAddress &host, const QHostAddress &own) {
    const Ends ends{plain(host), plain(own)};
    const Socket socket{::socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG)};
    if (socket.fd < 0)
        return std::nullopt;
    alignas(nlmsghdr) std::array<char, 32 << 10> buffer;
    std::optional<quint64> sum = 0;
    // A socket that listens on both has IPv4 connections under IPv6.
    for (const quint8 family : {quint8(AF_INET), quint8(AF_INET6)}) {
        if (!ask(socket.fd, family))
            return std::nullopt;
        for (bool more = true; more && sum;) {
            const ssize_t size = ::recv(socket.fd, buffer.data(), buffer.size(), MSG_DONTWAIT);
            if (size <= 0)
                return std::nullopt;
            more = take(buffer.data(), static_cast<std::size_t>(size), ends, sum);
        }
    }
    return sum;
}

}  // namespace hearth
