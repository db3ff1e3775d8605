// What the kernel knows of TCP connections.
#pragma once

#include <QtGlobal>
#include <chrono>
#include <optional>

class QHostAddress;

namespace hearth {

struct TcpFigures {
    quint64 segmentsArrived = 0;             // with data, those out of order and of incomplete messages included
    std::chrono::milliseconds roundTrip{0};  // smoothed, as it was when data last moved
    bool allDelivered = true;                // the other kernel has confirmed all that was handed to this one
    std::chrono::milliseconds sinceData{0};  // that came last
    double bytesPerSecond = 0;  // that the link delivered when there was enough to deliver; 0: there was not
    /// For so long at least, data were sent again and again and the other kernel has confirmed none of them. One that
    /// they reach does so at once, however busy its programs are; what it has no room for is not sent, and does not
    /// count. It grows in steps that double.
    std::chrono::milliseconds unconfirmed{0};
};

/// Nothing where the descriptor is no open TCP socket, or the kernel does not tell. Any thread.
std::optional<TcpFigures> tcpFigures(qintptr descriptor);

/// All bytes that the peer has sent on this connection, read or not; 0 where the kernel does not tell (Linux
/// before 4.1, and qemu): the bounds that OpenSSL sets to each message of a handshake and to their number are left
/// then. Any thread.
qint64 bytesReceivedOn(qintptr descriptor);

/// Where a connection of this machine came from is none of its addresses any more: nothing goes or comes over that
/// connection, and the kernel tells neither end for many minutes. Any thread.
bool isAddressLost(const QHostAddress &own);

/// Segments, bare confirmations included, that have come from `host` to the address `own` of this machine, over all TCP
/// connections between the two that are open now, whichever process has them (sock_diag(7), which needs no rights).
/// What comes to another address of this machine shows nothing of these: it may have taken the place of `own`. Nothing
/// where the kernel does not tell. A number to compare with an earlier one: it also changes when connections come and
/// go. Any thread; below a millisecond for some hundred connections.
std::optional<quint64> segmentsFrom(const QHostAddress &host, const QHostAddress &own);

}  // namespace hearth
