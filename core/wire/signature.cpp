#include "core/wire/signature.h"

#include <openssl/err.h>
#include <openssl/pem.h>

#include <QCryptographicHash>
#include <cstring>

#include "core/base/sentence.h"
#include "core/wire/openssl_ptr.h"

namespace hearth {
namespace {

// Of a key on P-256 and of a signature with it, in DER.
constexpr qsizetype longestKey = 128;
constexpr qsizetype longestSignature = 80;

const unsigned char *bytesOf(const QByteArray &array) {
    return reinterpret_cast<const unsigned char *>(array.constData());
}

QByteArray signedBytes(const QByteArray &domain, const QByteArray &statement) {
    return domain + '\0' + statement;
}

QByteArray publicKeyOf(EVP_PKEY *key) {
    unsigned char *der = nullptr;
    const int length = i2d_PUBKEY(key, &der);
    if (length <= 0)
        return {};
    QByteArray bytes(reinterpret_cast<const char *>(der), length);
    OPENSSL_free(der);
    return bytes;
}

}  // namespace

Result<Signature> signWith(const Identity &identity, const QByteArray &domain, const QByteArray &statement) {
    const QByteArray pem = identity.key().toPem();
    const BioPtr bio(BIO_new_mem_buf(pem.constData(), static_cast<int>(pem.size())));
    const KeyPtr key(bio ? PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, const_cast<char *>("")) : nullptr);
    const DigestPtr digest(EVP_MD_CTX_new());
    const QByteArray message = signedBytes(domain, statement);
    std::size_t length = longestSignature;
    Signature signature{{}, QByteArray(longestSignature, Qt::Uninitialized)};
    const bool ok = key && digest && EVP_DigestSignInit(digest.get(), nullptr, EVP_sha256(), nullptr, key.get()) == 1 &&
                    EVP_DigestSign(digest.get(), reinterpret_cast<unsigned char *>(signature.bytes.data()), &length,
                                   bytesOf(message), static_cast<std::size_t>(message.size())) == 1;
    if (!ok) {
        ERR_clear_error();
        return fail(QStringLiteral("identity.not-signed"), sentence("A statement of this device could not be signed."),
                    sentence("Its private key cannot be used."), sentence("Start the agent again."));
    }
    signature.bytes.truncate(static_cast<qsizetype>(length));
    signature.key = publicKeyOf(key.get());
    return signature;
}

bool hasSigned(const Fingerprint &signer, const Signature &signature, const QByteArray &domain,
               const QByteArray &statement) {
    if (signature.key.isEmpty() || signature.key.size() > longestKey || signature.bytes.size() > longestSignature)
        return false;
    const QByteArray hash = QCryptographicHash::hash(signature.key, QCryptographicHash::Sha256);
    if (std::memcmp(hash.constData(), signer.bytes.data(), signer.bytes.size()) != 0)
        return false;
    const unsigned char *der = bytesOf(signature.key);
    const KeyPtr key(d2i_PUBKEY(nullptr, &der, static_cast<long>(signature.key.size())));
    const DigestPtr digest(EVP_MD_CTX_new());
    const QByteArray message = signedBytes(domain, statement);
    const bool ok =
        isP256(key.get()) && digest &&
        EVP_DigestVerifyInit(digest.get(), nullptr, EVP_sha256(), nullptr, key.get()) == 1 &&
        EVP_DigestVerify(digest.get(), bytesOf(signature.bytes), static_cast<std::size_t>(signature.bytes.size()),
                         bytesOf(message), static_cast<std::size_t>(message.size())) == 1;
    ERR_clear_error();
    return ok;
}

}  // namespace hearth
