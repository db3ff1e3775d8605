// Internal to core/data: IDX files (the format of MNIST), plain or gzip.
#pragma once

#include <QByteArray>
#include <QString>
#include <vector>

#include "core/base/error.h"

class QIODevice;

namespace hearth {

struct IdxArray {
    std::vector<qint64> shape;  // slowest dimension first; at least one
    QByteArray bytes;           // uint8 elements
};

struct IdxLimits {
    static constexpr int rank = 4;
    static constexpr qint64 bytes = qint64{4} << 30;
};

/// Reads IDX of unsigned bytes (magic 00 00 08 rank, then big-endian sizes) to the end of `device`. Nothing is taken on
/// trust: sizes are checked against the limits, and memory grows with what really is in the file. `source` is what
/// errors name: "data.malformed" (no gzip stream, wrong magic, too large, bytes behind the end) and "data.cut-short".
Result<IdxArray> readIdx(QIODevice &device, const QString &source);

}  // namespace hearth
