#include "core/pairing/pairing_code.h"

#include <QCryptographicHash>
#include <QRandomGenerator>
#include <QtEndian>
#include <array>

namespace hearth {
namespace {

/// Every part has a fixed length, so that no two inputs run into the same bytes.
QByteArray hashOf(const char *domain, const PairingKeys &keys, const QByteArray &nonces) {
    const auto bytes = [](const Fingerprint &key) {
        return QByteArrayView(reinterpret_cast<const char *>(key.bytes.data()),
                              static_cast<qsizetype>(key.bytes.size()));
    };
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(QByteArrayView(domain));
    hash.addData(bytes(keys.initiator));
    hash.addData(bytes(keys.responder));
    hash.addData(nonces);
    return hash.result();
}

}  // namespace

QByteArray makePairingNonce() {
    std::array<quint32, pairingNonceBytes / sizeof(quint32)> words;
    QRandomGenerator::system()->generate(words.begin(), words.end());
    return {reinterpret_cast<const char *>(words.data()), pairingNonceBytes};
}

QByteArray pairingCommitment(const PairingKeys &keys, const QByteArray &initiatorNonce) {
    return hashOf("hearth-pair/1 commitment", keys, initiatorNonce);
}

bool keepsCommitment(const QByteArray &commitment, const PairingKeys &keys, const QByteArray &initiatorNonce) {
    return initiatorNonce.size() == pairingNonceBytes && commitment == pairingCommitment(keys, initiatorNonce);
}

QString pairingCode(const PairingKeys &keys, const QByteArray &initiatorNonce, const QByteArray &responderNonce) {
    const QByteArray hash = hashOf("hearth-pair/1 code", keys, initiatorNonce + responderNonce);
    return QStringLiteral("%1").arg(qFromBigEndian<quint64>(hash.constData()) % 1000000, 6, 10, QLatin1Char('0'));
}

}  // namespace hearth
