#include "core/run/file_digest.h"

#include <openssl/evp.h>

#include <QFile>
#include <array>
#include <memory>
#include <vector>

namespace hearth {
namespace {

constexpr qint64 piece = 1 << 20;

struct FreeContext {
    void operator()(EVP_MD_CTX *context) const { EVP_MD_CTX_free(context); }
};

tl::unexpected<Error> unreadable(const QString &path, const Sentence &cause) {
    return fail(QStringLiteral("file.unreadable"), sentence("The file %1 could not be read.").arg(path), cause,
                sentence("Check the permissions and the disk."));
}

}  // namespace

Result<FileDigest> digestOf(const QString &path, const BetweenPieces &between) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return unreadable(path, file.errorString() + QLatin1Char('.'));
    const std::unique_ptr<EVP_MD_CTX, FreeContext> context(EVP_MD_CTX_new());
    bool ok = context && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
    FileDigest digest;
    std::vector<char> buffer(piece);
    qint64 got = 0;
    while (ok && (got = file.read(buffer.data(), piece)) > 0) {
        digest.bytes += got;
        ok = EVP_DigestUpdate(context.get(), buffer.data(), static_cast<std::size_t>(got)) == 1;
        if (between)
            between();
    }
    if (got < 0)
        return unreadable(path, file.errorString() + QLatin1Char('.'));
    std::array<unsigned char, EVP_MAX_MD_SIZE> sum{};
    unsigned length = 0;
    if (!ok || EVP_DigestFinal_ex(context.get(), sum.data(), &length) != 1)
        return unreadable(path, sentence("OpenSSL computes no SHA-256."));
    digest.sha256 = QByteArray(reinterpret_cast<const char *>(sum.data()), static_cast<qsizetype>(length)).toHex();
    return digest;
}

}  // namespace hearth
