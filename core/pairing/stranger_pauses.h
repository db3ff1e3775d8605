// Where strangers have come from who came and went.
#pragma once

#include <QHostAddress>
#include <vector>

#include "core/pairing/backoff.h"

namespace hearth {

/// A growing pause for each network: an IPv4 address, or the /64 of an IPv6 one, in which one machine has as many
/// addresses as it likes. Pure bookkeeping, bounded; time is an argument.
class StrangerPauses {
  public:
    using Time = Backoff::Time;
    /// More than a home has; who has more of them is an attacker, and the oldest pauses go.
    static constexpr std::size_t maximumNetworks = 64;

    explicit StrangerPauses(BackoffTimes times) : m_times(times) {}
    void left(const QHostAddress &address, Time now);
    void paired(const QHostAddress &address);
    /// 0: at once.
    std::chrono::milliseconds wait(const QHostAddress &address, Time now) const;

  private:
    struct Pause {
        QHostAddress network;
        Backoff backoff;
    };
    BackoffTimes m_times;
    std::vector<Pause> m_pauses;  // who has left longest ago comes first
};

}  // namespace hearth
