// What two people compare, and how neither end can choose it.
#pragma once

#include <QByteArray>
#include <QString>

#include "core/wire/identity.h"

namespace hearth {

/// The keys of both ends as this very TLS session has proved them: each end takes its own and the one it was shown.
struct PairingKeys {
    Fingerprint initiator;
    Fingerprint responder;
};

constexpr qsizetype pairingNonceBytes = 32;
constexpr qsizetype pairingCommitmentBytes = 32;

/// From the system's generator.
QByteArray makePairingNonce();
/// SHA-256 over domain, keys in order of role, and nonce: says nothing of the nonce before it is revealed.
QByteArray pairingCommitment(const PairingKeys &keys, const QByteArray &initiatorNonce);
/// Whether the revealed nonce is the one that was committed to.
bool keepsCommitment(const QByteArray &commitment, const PairingKeys &keys, const QByteArray &initiatorNonce);
/// Six decimal digits of SHA-256 over another domain, the keys and both nonces. (2^64 values onto 10^6: no digit is
/// likelier than another by more than 6e-14.)
QString pairingCode(const PairingKeys &keys, const QByteArray &initiatorNonce, const QByteArray &responderNonce);

}  // namespace hearth
