// Objects of OpenSSL that are freed with their owners. For the .cpp files of this folder that include its headers.
#pragma once

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include <memory>

namespace hearth {

template <auto Free>
struct Freed {
    template <class T>
    void operator()(T *object) const {
        Free(object);
    }
};
using BioPtr = std::unique_ptr<BIO, Freed<BIO_free_all>>;
using KeyPtr = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using DigestPtr = std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX_free>>;
using CertificatePtr = std::unique_ptr<X509, Freed<X509_free>>;

/// Whether it is an ECDSA key on the one curve that is accepted; null is none. In identity.cpp.
bool isP256(const EVP_PKEY *key);

}  // namespace hearth
