// Statements that a device signs with its key, to be passed on by others.
#pragma once

#include <QByteArray>

#include "core/wire/identity.h"

namespace hearth {

/// ECDSA P-256 with SHA-256, with the public key that proves it (DER SubjectPublicKeyInfo).
struct Signature {
    QByteArray key;
    QByteArray bytes;
    bool operator==(const Signature &) const = default;
};

/// `domain` says what kind of statement it is: a signature of one kind never counts as one of another.
Result<Signature> signWith(const Identity &identity, const QByteArray &domain, const QByteArray &statement);
/// Whether the device with this fingerprint has signed exactly this. Any input is fine.
bool hasSigned(const Fingerprint &signer, const Signature &signature, const QByteArray &domain,
               const QByteArray &statement);

}  // namespace hearth
