// Who may hold a connection that has not proved anything yet.
#pragma once

#include <QHostAddress>
#include <QString>
#include <optional>
#include <vector>

#include "core/base/token_bucket.h"
#include "core/wire/stranger_brake.h"

namespace hearth {

/// Bounds what strangers can make a listener keep and compute. They share 16 places, two per address; when all are
/// taken the oldest makes room, one that has said nothing first: who means it says hello at once. Of strangers'
/// handshakes 20 begin at once and then 10 a second. Known addresses have 8 places of their own and those that
/// strangers leave free. Local connections count as strangers' only in number. Pure bookkeeping; time is an argument;
/// one thread.
class AdmissionGate {
  public:
    using Clock = TokenBucket::Clock;
    static constexpr int maximumStrangers = 16;
    static constexpr int maximumPerAddress = 2;
    static constexpr int placesForKnown = 8;
    static constexpr int maximumTotal = maximumStrangers + placesForKnown;
    /// What a home needs that starts together, and what a processor core may spend on strangers for good: some 2.5 ms
    /// each.
    static constexpr double handshakesAtOnce = 20;
    static constexpr double handshakesPerSecond = 10;

    struct Decision {
        std::optional<quint64> place;  // to be given back with leave(); nothing = refused
        std::optional<quint64> evict;  // this place's connection must be closed first (its place is already free)
        QString reason;                // of a refusal, a sentence
    };
    Decision admit(const QHostAddress &address, Standing standing);
    /// It has said hello, and from now on costs a handshake. False: it is one too many.
    bool beginHandshake(quint64 place, Clock::time_point now);
    void leave(quint64 place);

  private:
    struct Place {
        quint64 id;
        QHostAddress address;
        Standing standing;
        bool saidHello = false;
    };
    /// The oldest of those that `may` go, silent ones first; its place is free then.
    template <class May>
    std::optional<quint64> makeRoom(May may);

    std::vector<Place> m_places;  // oldest first
    TokenBucket m_handshakes{handshakesAtOnce, handshakesPerSecond};
    quint64 m_lastId = 0;
};

}  // namespace hearth
