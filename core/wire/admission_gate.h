// Who may hold a connection that has not proved anything yet.
#pragma once

#include <QHostAddress>
#include <QList>
#include <QString>
#include <chrono>
#include <optional>
#include <vector>

namespace hearth {

/// Bounds what strangers can make a listener keep (design: 2 sockets per address, 16 in all, 20 new ones a second).
/// Loopback is exempt from the bounds per address and per second: whoever is on this machine can do worse, and a home
/// embedded in one machine connects all its devices at once. Paired devices' last-known addresses have places of their
/// own, for which the oldest makes room. Pure bookkeeping; time is an argument; one thread.
class AdmissionGate {
  public:
    using Clock = std::chrono::steady_clock;
    static constexpr int maximumTotal = 16;
    static constexpr int maximumPerAddress = 2;
    static constexpr int placesForKnown = 8;
    static constexpr int maximumPerSecond = 20;

    struct Decision {
        std::optional<quint64> place;  // to be given back with leave(); nothing = refused
        std::optional<quint64> evict;  // this place's connection must be closed first (its place is already free)
        QString reason;                // of a refusal, a sentence
    };
    Decision admit(const QHostAddress &address, Clock::time_point now);
    void leave(quint64 place);
    void setKnownAddresses(const QList<QHostAddress> &addresses);

  private:
    struct Place {
        quint64 id;
        QHostAddress address;
        bool reserved;
    };
    bool takeToken(Clock::time_point now);

    std::vector<Place> m_places;  // oldest first
    QList<QHostAddress> m_known;
    std::vector<Clock::time_point> m_recent;  // admissions of the last second
    quint64 m_lastId = 0;
};

/// IPv4 addresses inside of IPv6 become IPv4, and scopes vanish: one machine, one value.
QHostAddress plainAddress(const QHostAddress &address);

}  // namespace hearth
