#include "core/run/file_digest.h"

#include <QFile>
#include <vector>

#include "core/wire/sha256.h"

namespace hearth {
namespace {

constexpr qint64 piece = 1 << 20;

tl::unexpected<Error> unreadable(const QString &path, const Sentence &cause) {
    return fail(QStringLiteral("file.unreadable"), sentence("The file %1 could not be read.").arg(path), cause,
                sentence("Check the permissions and the disk."));
}

}  // namespace

Result<FileDigest> digestOf(const QString &path, const BetweenPieces &between) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return unreadable(path, file.errorString() + QLatin1Char('.'));
    Sha256 sum;
    FileDigest digest;
    std::vector<std::byte> buffer(piece);
    qint64 got = 0;
    while ((got = file.read(reinterpret_cast<char *>(buffer.data()), piece)) > 0) {
        digest.bytes += got;
        sum.add({buffer.data(), static_cast<std::size_t>(got)});
        if (between)
            between();
    }
    if (got < 0)
        return unreadable(path, file.errorString() + QLatin1Char('.'));
    digest.sha256 = sum.hex();
    if (digest.sha256.isEmpty())
        return unreadable(path, sentence("OpenSSL computes no SHA-256."));
    return digest;
}

}  // namespace hearth
