// The headers of NumPy's files.
#include <cstdlib>

#include "core/data/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace hearth;
    const QByteArray content(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
    const auto header = readNpyHeader(content.left(NpyLimits::headerBytes), content.size(), QStringLiteral("fuzz"));
    if (!header)
        return 0;
    qint64 bytes = byteSize(header->type);
    for (const qint64 dimension : header->shape)
        bytes *= dimension;
    if (bytes != header->bytes || header->offset + header->bytes != content.size())
        std::abort();
    return 0;
}
