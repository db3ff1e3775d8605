// Two sessions whose messages a test carries from one to the other.
#pragma once

#include <deque>

#include "core/pairing/pairing_session.h"

namespace hearth {

inline Fingerprint someKey(quint8 seed) {
    Fingerprint key;
    key.bytes.fill(seed);
    return key;
}

inline PairingSession::Self someSelf(const QString &name, char nonce) {
    return {name, 47600, QByteArray(pairingNonceBytes, nonce)};
}

/// An end with what it wants to be done.
struct SessionEnd {
    PairingSession session;
    std::deque<QByteArray> out;
    bool trusts = false;
    bool closed = false;
    Result<void> canStore = {};

    void carryOut(const PairingSession::Todo &todo, PairingSession::Time now) {
        for (const QByteArray &message : todo.send)
            out.push_back(message);
        if (todo.store) {
            trusts = canStore.has_value();
            carryOut(session.stored(canStore, now), now);
            return;
        }
        if (todo.unstore)
            trusts = false;
        closed |= todo.close;
    }
};

struct SessionPair {
    PairingSession::Time now{};
    PairingKeys keys{someKey(1), someKey(2)};
    SessionEnd a{{PairingRole::Initiator, keys, someSelf(QStringLiteral("laptop"), 'a'), now}, {}, false, false, {}};
    SessionEnd b{{PairingRole::Responder, keys, someSelf(QStringLiteral("nano"), 'b'), now}, {}, false, false, {}};

    SessionPair() {
        a.carryOut(a.session.start(), now);
        b.carryOut(b.session.start(), now);
    }
    /// The next message of one end reaches the other; false where there is none.
    bool carry(SessionEnd &from, SessionEnd &to) {
        if (from.out.empty())
            return false;
        const QByteArray message = from.out.front();
        from.out.pop_front();
        to.carryOut(to.session.receive(message, now), now);
        return true;
    }
    void carryAll() {
        while (carry(a, b) || carry(b, a)) {
        }
    }
    void accept() {
        carryAll();
        b.carryOut(b.session.accept(now), now);
        carryAll();
    }
    void confirm(SessionEnd &end, bool match = true) { end.carryOut(end.session.confirm(match, now), now); }
    void pass(std::chrono::milliseconds time) {
        now += time;
        a.carryOut(a.session.tick(now), now);
        b.carryOut(b.session.tick(now), now);
    }
    bool nobodyTrusts() const { return !a.trusts && !b.trusts; }
};

}  // namespace hearth
