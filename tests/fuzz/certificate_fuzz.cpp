// The certificate that a stranger shows before anything else is known of it: read, judged, and put into words.
#include <openssl/crypto.h>
#include <QSslCertificate>
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "core/wire/identity.h"

// OpenSSL is not instrumented: the sanitizers learn nothing from its heap, but would spend most of the time on the
// hundreds of allocations that one certificate takes.
extern "C" void *__libc_malloc(std::size_t size);
extern "C" void *__libc_realloc(void *old, std::size_t size);
extern "C" void __libc_free(void *old);

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
    const auto allocate = [](std::size_t size, const char *, int) { return __libc_malloc(size); };
    const auto resize = [](void *old, std::size_t size, const char *, int) { return __libc_realloc(old, size); };
    const auto release = [](void *old, const char *, int) { __libc_free(old); };
    if (CRYPTO_set_mem_functions(allocate, resize, release) != 1)
        std::abort();
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const auto bytes = QByteArray::fromRawData(reinterpret_cast<const char *>(data),
                                               static_cast<qsizetype>(std::min<std::size_t>(size, 65536)));
    for (const QSslCertificate &certificate : QSslCertificate::fromData(bytes, QSsl::Der)) {
        const auto fingerprint = hearth::fingerprintOf(certificate);
        // Nobody's fingerprint would be the pipe between parts of one program, which is trusted.
        if (fingerprint && fingerprint->isNull())
            std::abort();
        if (!fingerprint && fingerprint.error().what.isEmpty())
            std::abort();
    }
    return 0;
}
