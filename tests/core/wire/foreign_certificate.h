// Certificates that Hearth itself never makes, for tests.
#pragma once

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <QByteArray>

namespace hearth {

struct ForeignCertificate {
    QByteArray keyPem;
    QByteArray certificatePem;
};

/// A self-signed certificate of `key`, which is freed. It is valid from an hour ago, or from and until as many seconds
/// from now as are given.
inline ForeignCertificate foreignCertificate(EVP_PKEY *key, const EVP_MD *digest = EVP_sha256(), long from = -3600,
                                             long until = 3600) {
    X509 *certificate = X509_new();
    X509_set_version(certificate, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), from);
    X509_gmtime_adj(X509_getm_notAfter(certificate), until);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char *>("foreign"), -1, -1, 0);
    X509_set_issuer_name(certificate, X509_get_subject_name(certificate));
    X509_set_pubkey(certificate, key);
    X509_sign(certificate, key, digest);
    const auto text = [](auto write) {
        BIO *bio = BIO_new(BIO_s_mem());
        write(bio);
        char *data = nullptr;
        const long size = BIO_get_mem_data(bio, &data);
        QByteArray result(data, size);
        BIO_free_all(bio);
        return result;
    };
    ForeignCertificate result{
        text([key](BIO *bio) { PEM_write_bio_PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr); }),
        text([certificate](BIO *bio) { PEM_write_bio_X509(bio, certificate); })};
    X509_free(certificate);
    EVP_PKEY_free(key);
    return result;
}

}  // namespace hearth
