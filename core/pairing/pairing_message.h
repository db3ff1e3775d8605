// The messages of a pairing.
#pragma once

#include <QByteArray>
#include <QString>
#include <variant>

#include "core/base/error.h"

namespace hearth {

/// The first of either end. The initiator's carries its commitment, the responder's none.
struct PairingHello {
    QString name;  // as plainName() leaves it
    quint16 port = 0;
    QByteArray commitment;
    bool operator==(const PairingHello &) const = default;
};
/// The responder's, once a person there has accepted.
struct PairingNonce {
    QByteArray nonce;
    bool operator==(const PairingNonce &) const = default;
};
/// The initiator's, which shows what it had committed to.
struct PairingReveal {
    QByteArray nonce;
    bool operator==(const PairingReveal &) const = default;
};
/// A person has said that the digits match.
struct PairingConfirm {
    bool operator==(const PairingConfirm &) const = default;
};
/// This end trusts the other one now, durably.
struct PairingStored {
    bool operator==(const PairingStored &) const = default;
};
/// Why an end breaks off. A word, never a text: nothing that a stranger writes is shown but its name.
enum class PairingEnd {
    Cancelled,
    Mismatch,
    Busy,       // with another pairing
    Later,      // too many attempts have failed
    Late,       // the time is over
    Broken,     // against the protocol
    NotStored,  // the list of trusted devices could not be saved
    Refused,    // this key or this name is not taken
    Crossed,    // both ends have dialled: the other connection stays
};

using PairingMessage =
    std::variant<PairingHello, PairingNonce, PairingReveal, PairingConfirm, PairingStored, PairingEnd>;

/// A CBOR map of at most StrangerLink::maximumMessage bytes.
QByteArray encodePairingMessage(const PairingMessage &message);
/// Strict: exactly one map with exactly the keys of its kind, of their types and lengths. Errors: "pairing.broken".
Result<PairingMessage> decodePairingMessage(const QByteArray &bytes);

}  // namespace hearth
