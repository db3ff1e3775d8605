// Who a device is: a P-256 key, its self-signed certificate, and the fingerprint that others pin.
#pragma once

#include <QHashFunctions>
#include <QSslCertificate>
#include <QSslKey>
#include <QString>
#include <array>
#include <compare>

#include "core/base/error.h"

namespace hearth {

/// SHA-256 of the DER SubjectPublicKeyInfo. All zero means "nobody" (a local pipe). Plain value, any thread.
struct Fingerprint {
    std::array<quint8, 32> bytes{};

    QString toHex() const;  // 64 lower-case digits
    static Result<Fingerprint> fromHex(QStringView text);
    bool isNull() const { return *this == Fingerprint{}; }
    auto operator<=>(const Fingerprint &) const = default;
};

inline size_t qHash(const Fingerprint &fingerprint, size_t seed = 0) {
    return qHashBits(fingerprint.bytes.data(), fingerprint.bytes.size(), seed);
}

/// The fingerprint of the key in `certificate`. A null certificate and every key but ECDSA P-256 is an error: Qt 6.4
/// shows some other kinds as a null key, so that all their owners would look alike.
Result<Fingerprint> fingerprintOf(const QSslCertificate &certificate);

/// A private key and its certificate. Implicitly shared value; any thread may read. The key is never logged or sent.
class Identity {
  public:
    Identity() = default;

    /// A new key that lives in memory only. `name` becomes the certificate's common name; it authorises nothing.
    static Result<Identity> generate(const QString &name);
    /// Reads `key.pem` and `cert.pem` in `folder`, or makes both there (the folder, too, with mode 0700). The key file
    /// has mode 0600 and is created exclusively; one that group or others can access, or that belongs to another user,
    /// is refused.
    static Result<Identity> loadOrCreate(const QString &folder, const QString &name = QStringLiteral("hearth"));

    /// One file with key and certificate, for a process that takes the place of one that died: saved whole or not at
    /// all, with mode 0600; what stood there before goes. Read under the same conditions as key.pem.
    Result<void> save(const QString &path) const;
    static Result<Identity> load(const QString &path);

    bool isNull() const { return m_fingerprint.isNull(); }
    const Fingerprint &fingerprint() const { return m_fingerprint; }
    const QSslCertificate &certificate() const { return m_certificate; }
    const QSslKey &key() const { return m_key; }

  private:
    static Result<Identity> fromPem(const QByteArray &key, const QByteArray &certificate, const QString &source);

    Fingerprint m_fingerprint;
    QSslCertificate m_certificate;
    QSslKey m_key;
};

}  // namespace hearth
