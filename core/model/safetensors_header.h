// Internal to core/model: the JSON header of a safetensors file.
#pragma once

#include <QByteArray>
#include <map>
#include <vector>

#include "core/base/error.h"
#include "core/model/named_tensor.h"

class QFile;

namespace hearth::detail {

struct TensorEntry {
    QString name;
    DType dtype = DType::Float32;
    Shape shape;
    qint64 begin = 0, end = 0;  // relative to the first byte behind the header
};

struct SafetensorsContent {
    std::vector<TensorEntry> entries;  // sorted by offset
    qint64 start = 0;                  // of the data, in the file
};
/// What is told of a file that breaks the format.
tl::unexpected<Error> malformedSafetensors(const QString &source, const Sentence &cause);

/// Of an open file at its beginning, which it leaves at the first byte of the data.
Result<SafetensorsContent> readSafetensorsHeader(QFile &file, const QString &path);

/// Checks everything the format demands, given how many bytes follow the header; sorted by offset.
Result<std::vector<TensorEntry>> parseSafetensorsHeader(const QByteArray &header, qint64 dataBytes,
                                                        const QString &source);

/// "__metadata__"; what is no text there is left out.
std::map<QString, QString> metadataIn(const QByteArray &header);

/// For tensors in the order of their bytes; padded with spaces to a multiple of 8 bytes.
QByteArray makeSafetensorsHeader(const std::vector<NamedTensor> &tensors, const std::map<QString, QString> &metadata);

/// By code point, as sorting UTF-8 bytes (and Python) does; QString alone compares UTF-16 units.
bool codePointLess(const QString &a, const QString &b);

}  // namespace hearth::detail
