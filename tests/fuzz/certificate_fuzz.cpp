// The certificate that a stranger shows before anything else is known of it: read, judged, and put into words.
#include <QSslCertificate>
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "core/wire/identity.h"

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
