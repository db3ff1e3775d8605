// What the kernel knows of one TCP connection.
#pragma once

#include <QtGlobal>
#include <chrono>
#include <optional>

namespace hearth {

struct TcpFigures {
    quint64 bytesArrived = 0;  // in order, those of TLS and of messages that are not complete yet included
    std::chrono::milliseconds roundTrip{0};  // smoothed, as it was when data last moved
};

/// Nothing where the descriptor is no open TCP socket. Any thread.
std::optional<TcpFigures> tcpFigures(qintptr descriptor);

}  // namespace hearth
