// One attempt at pairing: the protocol as a state machine without sockets, clock or files.
//
// Two devices that have never met hold a TLS 1.3 session in which each has proved some key. Whether it is the other
// one's key, or that of somebody in the middle who holds a session with either, only the two people can tell, by six
// digits. The initiator commits to a nonce before it sees the responder's (commit–reveal, as ZRTP's short
// authentication string and Bluetooth's numeric comparison do it), so that neither end, nor anybody between, can try
// nonces until the digits of two sessions agree: whoever is in the middle has one chance in a million per attempt, and
// failed attempts cost growing pauses (Backoff). The digits are a hash over both keys as this very session has proved
// them at each end and both nonces; Qt offers no exporter of the TLS session, and the keys pin it as well.
//
//     initiator                                    responder
//     hello {name, port, commitment}        →      "wants to pair" until a person accepts
//                                           ←      hello {name, port}
//                                           ←      nonce                       (accepted)
//     reveal {nonce}                        →      checks the commitment
//     both show the digits; each person says whether they match
//     confirm                               ↔      confirm
//     stored                                ↔      stored                      (each has saved the other as trusted)
//
// An end stores only after its own person and, in this session, the other end have confirmed. Two ends cannot agree
// over a connection that may break at any moment: an end that has stored and does not hear "stored" keeps the trust on
// trial (`onTrial`). Then the first link settles it: accepted, both have stored; refused by that very key, the other
// end has not, and the trust is taken back. In no case is anybody trusted whom not both people confirmed.
#pragma once

#include <QByteArrayList>
#include <chrono>
#include <optional>

#include "core/pairing/pairing_code.h"
#include "core/pairing/pairing_message.h"
#include "core/pairing/pairing_status.h"

namespace hearth {

enum class PairingRole { Initiator, Responder };

struct PairingTimes {
    /// From the first message to the second confirmation: time to walk to the other device, not to forget it.
    std::chrono::milliseconds whole{60000};
    /// For an answer that no person gives.
    std::chrono::milliseconds step{5000};
};

/// Plain value; time is an argument. Every call returns what is to be done now.
class PairingSession {
  public:
    using Time = std::chrono::steady_clock::time_point;
    struct Self {
        QString name;
        quint16 port = 0;  // where this device listens
        QByteArray nonce;  // makePairingNonce(), used once
    };
    struct Todo {
        QByteArrayList send;
        bool store = false;    // trust the other end now, then call stored()
        bool unstore = false;  // take that back
        bool close = false;    // after what is sent
    };
    enum class State {
        Introduction,   // the other end has not said who it is
        Waiting,        // responder: for a person here
        Asking,         // initiator: for a person there
        Reveal,         // responder: for the initiator's nonce
        Compare,        // the digits are shown; not confirmed here
        Confirmed,      // here, not there
        Storing,        // both; stored() is to be called
        Acknowledging,  // stored here; waits for "stored"
        Paired,
        OnTrial,  // stored here, and not known whether there
        Failed,
    };

    PairingSession(PairingRole role, const PairingKeys &keys, Self self, Time now, PairingTimes times = {});

    Todo start();
    Todo receive(const QByteArray &message, Time now);
    Todo accept(Time now);
    Todo confirm(bool match, Time now);
    /// Breaks off, where that is still possible; `why` is what the other end is told.
    Todo cancel(PairingEnd why = PairingEnd::Cancelled);
    Todo stored(const Result<void> &result, Time now);
    Todo disconnected();
    /// Call it now and then: looks at the deadlines.
    Todo tick(Time now);

    State state() const { return m_state; }
    bool isOver() const;
    PairingRole role() const { return m_role; }
    const Fingerprint &peer() const;
    const QString &peerName() const { return m_peerName; }
    quint16 peerPort() const { return m_peerPort; }
    const QString &code() const { return m_code; }  // empty before Compare
    /// Of a session that failed.
    const Error &error() const { return m_error; }
    /// Why the other end said it broke off, where it did.
    std::optional<PairingEnd> endedBy() const { return m_endedBy; }
    /// Somebody could have learnt the digits: such a session that does not end in pairing is an attempt that counts.
    bool isAttempt() const { return m_isAttempt; }
    std::chrono::milliseconds timeLeft(Time now) const;

  private:
    Todo fail(const Error &error, std::optional<PairingEnd> tell);
    Todo broken(const Sentence &cause);
    Todo take(const PairingHello &hello, Time now);
    Todo take(const PairingNonce &nonce, Time now);
    Todo take(const PairingReveal &reveal, Time now);
    Todo take(const PairingConfirm &, Time now);
    Todo take(const PairingStored &, Time now);
    Todo take(PairingEnd end, Time now);
    Todo compare(const QByteArray &initiator, const QByteArray &responder, Time now);
    Todo bothConfirmed(QByteArrayList send);
    void enter(State state, Time now, bool person = false);

    PairingRole m_role;
    PairingKeys m_keys;
    Self m_self;
    PairingTimes m_times;
    State m_state = State::Introduction;
    Time m_end;   // of the whole
    Time m_step;  // of the present state
    QString m_peerName;
    quint16 m_peerPort = 0;
    QByteArray m_commitment;  // responder: the initiator's
    QString m_code;
    bool m_peerConfirmed = false;
    bool m_isAttempt = false;
    Error m_error;
    std::optional<PairingEnd> m_endedBy;
};

}  // namespace hearth
