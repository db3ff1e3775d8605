// IDX files, plain and gzip.
#include <QBuffer>
#include <cstdlib>

#include "core/data/idx.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace hearth;
    QByteArray content(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
    QBuffer buffer(&content);
    buffer.open(QIODevice::ReadOnly);
    const auto array = readIdx(buffer, QStringLiteral("fuzz"));
    if (!array)
        return 0;
    qint64 total = 1;
    for (const qint64 dimension : array->shape)
        total *= dimension;
    if (total != array->bytes.size())
        std::abort();
    return 0;
}
