// Internal to core/data: NumPy's .npy files.
#pragma once

#include <QByteArray>
#include <QString>
#include <vector>

#include "core/base/dtype.h"
#include "core/base/error.h"

namespace hearth {

/// What the file says before its numbers.
struct NpyHeader {
    DType type = DType::UInt8;
    std::vector<qint64> shape;  // slowest dimension first; at least one
    qint64 offset = 0;          // of the first number in the file
    qint64 bytes = 0;           // of all numbers
};

struct NpyLimits {
    static constexpr int rank = 8;
    static constexpr qint64 headerBytes = 64 << 10;
    static constexpr qint64 bytes = qint64{1} << 40;
};

/// Reads the beginning of a file of `fileBytes` bytes: formats 1.0 and 2.0, numbers of int64, int32 or float32,
/// little-endian, or uint8, in C order. `beginning` holds min(fileBytes, NpyLimits::headerBytes) bytes. Nothing is
/// taken on trust. Errors name `source`: "data.malformed" and "data.cut-short".
Result<NpyHeader> readNpyHeader(const QByteArray &beginning, qint64 fileBytes, const QString &source);
/// The same of a file whose size nobody knows yet.
Result<NpyHeader> readNpyBeginning(const QByteArray &beginning, const QString &source);

}  // namespace hearth
