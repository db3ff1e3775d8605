// Records of CIFAR: what is taken has the size that it should.
#include <cstdlib>

#include "core/data/cifar.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace hearth;
    const QByteArray content(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
    for (const int labels : {1, 2}) {
        QByteArray pictures, classes;
        if (!readCifarRecords(content, labels, 10, QStringLiteral("fuzz"), pictures, classes))
            continue;
        if (pictures.size() + classes.size() * labels != content.size() || pictures.size() % 3072 != 0)
            std::abort();
    }
    return 0;
}
