#include "core/wire/identity.h"

#include <fcntl.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSslCertificate>
#include <cerrno>
#include <cstring>

#include "core/base/files.h"
#include "core/base/sentence.h"
#include "core/base/system_reason.h"
#include "core/wire/openssl_ptr.h"

namespace hearth {
namespace {

constexpr qint64 maximumPemBytes = 64 << 10;

Sentence opensslReason() {
    char text[256] = "";
    ERR_error_string_n(ERR_get_error(), text, sizeof text);
    ERR_clear_error();
    return sentence("OpenSSL says: %1.").arg(QLatin1String(text));
}

tl::unexpected<Error> unusable(const QString &source, const Sentence &cause) {
    return fail(QStringLiteral("identity.unusable"), sentence("The identity in %1 cannot be used.").arg(source), cause,
                sentence("Restore it from a backup, or remove key.pem and cert.pem to get a new identity; devices "
                         "that trusted the old one must then be paired again."));
}

Result<Fingerprint> fingerprintOfX509(X509 *certificate) {
    if (!isP256(X509_get0_pubkey(certificate))) {
        ERR_clear_error();
        return fail(QStringLiteral("identity.wrong-key-kind"),
                    sentence("The certificate's key is of a kind that is not accepted."),
                    sentence("Only ECDSA keys on the curve P-256 are."));
    }
    // The bytes as they stand in the certificate, not a second encoding of the key.
    unsigned char *der = nullptr;
    const int length = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &der);
    if (length <= 0)
        return fail(QStringLiteral("identity.wrong-key-kind"), sentence("The certificate has no key."));
    Fingerprint fingerprint;
    static_assert(sizeof fingerprint.bytes == SHA256_DIGEST_LENGTH);
    SHA256(der, static_cast<std::size_t>(length), fingerprint.bytes.data());
    OPENSSL_free(der);
    return fingerprint;
}

QByteArray contents(BIO *bio) {
    char *data = nullptr;
    const long size = BIO_get_mem_data(bio, &data);
    return QByteArray(data, size);
}

/// Valid for ever: a key is trusted by its fingerprint alone, and home devices without a battery wake up in 1970.
CertificatePtr selfSign(EVP_PKEY *key, const QString &name) {
    CertificatePtr certificate(X509_new());
    unsigned char serial[16];
    if (!certificate || RAND_bytes(serial, sizeof serial) != 1)
        return nullptr;
    serial[0] &= 0x7f;  // a positive number
    serial[0] |= 0x40;
    std::unique_ptr<BIGNUM, Freed<BN_free>> number(BN_bin2bn(serial, sizeof serial, nullptr));
    QByteArray commonName = name.left(32).toUtf8();
    while (commonName.size() > 64)  // the bound of the field, in characters of UTF-8
        commonName = QString::fromUtf8(commonName).chopped(1).toUtf8();
    if (commonName.isEmpty())
        commonName = QByteArrayLiteral("hearth");
    X509_NAME *subject = X509_get_subject_name(certificate.get());
    const bool ok = X509_set_version(certificate.get(), X509_VERSION_3) == 1 && number &&
                    BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate.get())) &&
                    ASN1_TIME_set_string_X509(X509_getm_notBefore(certificate.get()), "19700101000000Z") == 1 &&
                    ASN1_TIME_set_string_X509(X509_getm_notAfter(certificate.get()), "99991231235959Z") == 1 &&
                    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8,
                                               reinterpret_cast<const unsigned char *>(commonName.constData()),
                                               static_cast<int>(commonName.size()), -1, 0) == 1 &&
                    X509_set_issuer_name(certificate.get(), subject) == 1 &&
                    X509_set_pubkey(certificate.get(), key) == 1 && X509_sign(certificate.get(), key, EVP_sha256()) > 0;
    return ok ? std::move(certificate) : nullptr;
}

QByteArray toPem(X509 *certificate) {
    const BioPtr bio(BIO_new(BIO_s_mem()));
    if (!bio || PEM_write_bio_X509(bio.get(), certificate) != 1)
        return {};
    return contents(bio.get());
}

QByteArray toPem(EVP_PKEY *key) {
    const BioPtr bio(BIO_new(BIO_s_secmem()));
    if (!bio || PEM_write_bio_PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr) != 1)
        return {};
    return contents(bio.get());
}

KeyPtr keyFromPem(const QByteArray &pem) {
    const BioPtr bio(BIO_new_mem_buf(pem.constData(), static_cast<int>(pem.size())));
    // An empty pass phrase: without one OpenSSL would ask on the terminal for an encrypted file.
    return KeyPtr(bio ? PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, const_cast<char *>("")) : nullptr);
}

CertificatePtr certificateFromPem(const QByteArray &pem) {
    const BioPtr bio(BIO_new_mem_buf(pem.constData(), static_cast<int>(pem.size())));
    return CertificatePtr(bio ? PEM_read_bio_X509(bio.get(), nullptr, nullptr, const_cast<char *>("")) : nullptr);
}

struct Descriptor {
    explicit Descriptor(int value) : fd(value) {}
    ~Descriptor() {
        if (fd >= 0)
            ::close(fd);
    }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    int fd;
};

enum class WhereTaken { Keep, Replace };

/// Makes `path` with mode 0600 and `content`, whole or not at all; false where the file is there already and is kept.
Result<bool> createPrivately(const QString &path, const QByteArray &content, WhereTaken taken) {
    const auto failure = [&path] {
        return fail(QStringLiteral("identity.unwritable"), sentence("The file %1 could not be made.").arg(path),
                    systemReason(errno), sentence("Free some space or choose another place with --state."));
    };
    const QByteArray target = QFile::encodeName(path);
    const QByteArray temporary = target + '.' + QByteArray::number(getpid()) + ".new";
    ::unlink(temporary.constData());
    const Descriptor file(::open(temporary.constData(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (file.fd < 0)
        return failure();
    const auto written = ::write(file.fd, content.constData(), static_cast<std::size_t>(content.size()));
    if (written != content.size() || ::fsync(file.fd) != 0) {
        const auto error = failure();
        ::unlink(temporary.constData());
        return error;
    }
    // link() fails where the name exists, so that of two processes that start together one key wins, and nobody ever
    // reads half a key.
    const bool made = taken == WhereTaken::Replace ? ::rename(temporary.constData(), target.constData()) == 0
                                                   : ::link(temporary.constData(), target.constData()) == 0;
    const bool kept = !made && taken == WhereTaken::Keep && errno == EEXIST;
    const auto error = failure();
    ::unlink(temporary.constData());
    if (!made && !kept)
        return error;
    // Also where another process has made it, which may not have come to this yet.
    if (auto synced = syncFolder(QFileInfo(path).absolutePath()); !synced)
        return tl::unexpected(synced.error());
    return made;
}

Result<QByteArray> readKeyFile(const QString &path) {
    const Descriptor file(::open(QFile::encodeName(path).constData(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    struct stat status {};
    if (file.fd < 0 || ::fstat(file.fd, &status) != 0)
        return unusable(path, systemReason(errno));
    if (!S_ISREG(status.st_mode))
        return unusable(path, sentence("It is not a regular file."));
    if ((status.st_mode & 077) != 0 || status.st_uid != ::geteuid()) {
        return fail(QStringLiteral("identity.key-exposed"),
                    sentence("The private key %1 is refused: others can use it.").arg(path),
                    status.st_uid != ::geteuid()
                        ? sentence("The file belongs to another user.")
                        : sentence("Its mode is %1, so that its group or others have access.")
                              .arg(QStringLiteral("%1").arg(status.st_mode & 0777, 4, 8, QLatin1Char('0'))),
                    sentence("If nobody has read it, run chmod 600 on it; otherwise remove it and pair again."));
    }
    QFile reader;
    if (!reader.open(file.fd, QIODevice::ReadOnly))
        return unusable(path, reader.errorString() + QLatin1Char('.'));
    return reader.read(maximumPemBytes);
}

}  // namespace

bool isP256(const EVP_PKEY *key) {
    if (!key || EVP_PKEY_get_base_id(key) != EVP_PKEY_EC)
        return false;
    char group[64] = "";
    std::size_t length = 0;
    return EVP_PKEY_get_group_name(const_cast<EVP_PKEY *>(key), group, sizeof group, &length) == 1 &&
           std::strcmp(group, SN_X9_62_prime256v1) == 0;
}

QString Fingerprint::toHex() const {
    return QString::fromLatin1(
        QByteArray::fromRawData(reinterpret_cast<const char *>(bytes.data()), static_cast<qsizetype>(bytes.size()))
            .toHex());
}

Result<Fingerprint> Fingerprint::fromHex(QStringView text) {
    const auto digit = [](QChar c) {
        const char16_t code = c.unicode();
        return code >= u'0' && code <= u'9' ? code - u'0' : code >= u'a' && code <= u'f' ? code - u'a' + 10 : -1;
    };
    Fingerprint fingerprint;
    bool ok = text.size() == 64;
    for (qsizetype i = 0; ok && i < 32; ++i) {
        const int high = digit(text[2 * i]);
        const int low = digit(text[2 * i + 1]);
        ok = high >= 0 && low >= 0;
        fingerprint.bytes[static_cast<std::size_t>(i)] = static_cast<quint8>(high * 16 + low);
    }
    if (ok)
        return fingerprint;
    return fail(QStringLiteral("identity.bad-fingerprint"),
                sentence("\"%1\" is not a fingerprint.").arg(text.left(80).toString()),
                sentence("A fingerprint has exactly 64 digits from 0 to 9 and a to f."));
}

Result<Fingerprint> fingerprintOf(const QSslCertificate &certificate) {
    const QByteArray der = certificate.toDer();
    const auto *bytes = reinterpret_cast<const unsigned char *>(der.constData());
    const CertificatePtr parsed(der.isEmpty() ? nullptr : d2i_X509(nullptr, &bytes, static_cast<long>(der.size())));
    if (!parsed) {
        ERR_clear_error();
        return fail(QStringLiteral("identity.no-certificate"), sentence("No certificate was presented."));
    }
    return fingerprintOfX509(parsed.get());
}

Result<Identity> Identity::fromPem(const QByteArray &key, const QByteArray &certificate, const QString &source) {
    const KeyPtr parsedKey = keyFromPem(key);
    if (!parsedKey)
        return unusable(source, Sentence::joined({sentence("The private key cannot be read."), opensslReason()}));
    if (!isP256(parsedKey.get()))
        return unusable(source, sentence("The key is not an ECDSA key on the curve P-256."));
    const CertificatePtr parsedCertificate = certificateFromPem(certificate);
    if (!parsedCertificate)
        return unusable(source, Sentence::joined({sentence("The certificate cannot be read."), opensslReason()}));
    if (X509_check_private_key(parsedCertificate.get(), parsedKey.get()) != 1) {
        ERR_clear_error();
        return unusable(source, sentence("The certificate belongs to another key."));
    }
    const auto fingerprint = fingerprintOfX509(parsedCertificate.get());
    if (!fingerprint)
        return tl::unexpected(fingerprint.error());
    Identity identity;
    identity.m_fingerprint = *fingerprint;
    identity.m_certificate = QSslCertificate(certificate, QSsl::Pem);
    identity.m_key = QSslKey(key, QSsl::Ec, QSsl::Pem, QSsl::PrivateKey);
    if (identity.m_certificate.isNull() || identity.m_key.isNull())
        return unusable(source, sentence("The TLS library of this system does not accept the key."));
    return identity;
}

Result<Identity> Identity::generate(const QString &name) {
    const KeyPtr key(EVP_EC_gen("P-256"));
    const CertificatePtr certificate = key ? selfSign(key.get(), name) : nullptr;
    if (!certificate)
        return fail(QStringLiteral("identity.not-made"), sentence("No key could be made."), opensslReason());
    return fromPem(toPem(key.get()), toPem(certificate.get()), QStringLiteral("memory"));
}

Result<Identity> Identity::loadOrCreate(const QString &folder, const QString &name) {
    if (auto made = makePrivateFolder(folder); !made)
        return tl::unexpected(made.error());
    const QString keyPath = QDir(folder).filePath(QStringLiteral("key.pem"));
    const QString certificatePath = QDir(folder).filePath(QStringLiteral("cert.pem"));
    if (!QFileInfo::exists(keyPath)) {
        const KeyPtr fresh(EVP_EC_gen("P-256"));
        const QByteArray pem = fresh ? toPem(fresh.get()) : QByteArray();
        if (pem.isEmpty())
            return fail(QStringLiteral("identity.not-made"), sentence("No key could be made."), opensslReason());
        if (const auto created = createPrivately(keyPath, pem, WhereTaken::Keep); !created)
            return tl::unexpected(created.error());
    }
    const auto key = readKeyFile(keyPath);
    if (!key)
        return tl::unexpected(key.error());
    if (!QFileInfo::exists(certificatePath)) {
        const KeyPtr parsed = keyFromPem(*key);
        const CertificatePtr certificate = parsed && isP256(parsed.get()) ? selfSign(parsed.get(), name) : nullptr;
        ERR_clear_error();
        if (!certificate)
            return unusable(keyPath, sentence("It does not hold an ECDSA key on the curve P-256."));
        if (auto saved = createPrivately(certificatePath, toPem(certificate.get()), WhereTaken::Keep); !saved)
            return tl::unexpected(saved.error());
    }
    QFile certificate(certificatePath);
    if (!certificate.open(QIODevice::ReadOnly))
        return unusable(certificatePath, certificate.errorString() + QLatin1Char('.'));
    return fromPem(*key, certificate.read(maximumPemBytes), folder);
}

Result<void> Identity::save(const QString &path) const {
    if (auto saved = createPrivately(path, m_key.toPem() + m_certificate.toPem(), WhereTaken::Replace); !saved)
        return tl::unexpected(saved.error());
    return {};
}

Result<Identity> Identity::load(const QString &path) {
    const auto both = readKeyFile(path);
    if (!both)
        return tl::unexpected(both.error());
    const qsizetype certificate = both->indexOf("-----BEGIN CERTIFICATE-----");
    return fromPem(both->left(certificate), certificate < 0 ? QByteArray() : both->mid(certificate), path);
}

}  // namespace hearth
