#include "core/model/safetensors.h"

#include <QCryptographicHash>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>
#include <QtEndian>
#include <algorithm>
#include <cstring>

#include "core/base/files.h"
#include "core/base/foreign_file.h"
#include "core/base/json_reader.h"
#include "core/model/safetensors_header.h"

static_assert(Q_BYTE_ORDER == Q_LITTLE_ENDIAN,
              "tensors are kept and written in the machine's order, the format's is little-endian");

namespace hearth {
namespace {

constexpr qint64 lengthBytes = 8;

// Pieces small enough that the error of a full disk or a cut file surfaces early and the page cache does the rest.
constexpr qint64 ioPiece = 1 << 20;

Result<qint64> headerLength(const std::byte *start, qint64 total, const QString &source) {
    const quint64 length = qFromLittleEndian<quint64>(start);
    if (length > static_cast<quint64>(SafetensorsLimits::headerBytes))
        return detail::malformedSafetensors(source, sentence("Its header claims %1 bytes.").arg(length));
    if (static_cast<qint64>(length) > total - lengthBytes)
        return detail::malformedSafetensors(
            source, sentence("It is cut short: the header has %1 bytes, the file %2.").arg(length).arg(total));
    return static_cast<qint64>(length);
}

NamedTensor emptyTensor(const detail::TensorEntry &entry) {
    NamedTensor tensor;
    tensor.spec.name = entry.name;
    tensor.spec.shape = entry.shape;
    tensor.dtype = entry.dtype;
    tensor.data = Buffer::allocate(entry.end - entry.begin);
    return tensor;
}

void sortByName(std::vector<NamedTensor> &tensors) {
    std::sort(tensors.begin(), tensors.end(), [](const NamedTensor &a, const NamedTensor &b) {
        return detail::codePointLess(a.spec.name, b.spec.name);
    });
}

Result<void> readInto(QFile &file, Buffer &buffer, const QString &source) {
    qint64 done = 0;
    while (done < buffer.size()) {
        const qint64 piece = std::min(ioPiece, buffer.size() - done);
        const qint64 got = file.read(reinterpret_cast<char *>(buffer.data() + done), piece);
        if (got <= 0)
            return detail::malformedSafetensors(source, sentence("It ended while it was read."));
        done += got;
    }
    return {};
}

/// Of an open file at its beginning, which it leaves at the first byte of the data.
Result<QByteArray> headerOf(QFile &file, const QString &path) {
    const qint64 total = file.size();
    const QByteArray prefix = file.read(lengthBytes);
    if (prefix.size() != lengthBytes)
        return detail::malformedSafetensors(
            path, sentence("It has %1 {1|byte|bytes}, fewer than any such file.").arg(prefix.size()));
    const auto length = headerLength(reinterpret_cast<const std::byte *>(prefix.constData()), total, path);
    if (!length) {
        // No such file claims so much: it may be one of another program.
        const bool isOther = qFromLittleEndian<quint64>(prefix.constData()) >> 32 != 0;
        const auto known = isOther ? refuseForeign(path) : Result<void>();
        return tl::unexpected(known ? length.error() : known.error());
    }
    const QByteArray header = file.read(*length);
    if (header.size() != *length)
        return detail::malformedSafetensors(path, sentence("It ended while it was read."));
    return header;
}

}  // namespace

Result<detail::SafetensorsContent> detail::readSafetensorsHeader(QFile &file, const QString &path) {
    const auto header = headerOf(file, path);
    if (!header)
        return tl::unexpected(header.error());
    const qint64 start = lengthBytes + header->size();
    auto entries = detail::parseSafetensorsHeader(*header, file.size() - start, path);
    if (!entries)
        return tl::unexpected(entries.error());
    return SafetensorsContent{std::move(*entries), start};
}

Result<std::map<QString, QString>> readSafetensorsMetadata(const QString &path) {
    QFile file(path);
    return openPlainFile(file).and_then([&] { return headerOf(file, path); }).transform(detail::metadataIn);
}

Result<std::vector<NamedTensor>> readSafetensors(const QString &path) {
    QFile file(path);
    if (const auto open = openPlainFile(file); !open)
        return tl::unexpected(open.error());
    const auto content = detail::readSafetensorsHeader(file, path);
    if (!content)
        return tl::unexpected(content.error());
    std::vector<NamedTensor> tensors;
    for (const detail::TensorEntry &entry :
         content->entries) {  // in order of offset, so the file is read straight through
        NamedTensor tensor = emptyTensor(entry);
        if (auto read = readInto(file, *tensor.data, path); !read)
            return tl::unexpected(read.error());
        tensors.push_back(std::move(tensor));
    }
    sortByName(tensors);
    return tensors;
}

Result<std::vector<NamedTensor>> parseSafetensors(std::span<const std::byte> content, const QString &source) {
    const auto total = static_cast<qint64>(content.size());
    if (total < lengthBytes)
        return detail::malformedSafetensors(source,
                                            sentence("It has %1 {1|byte|bytes}, fewer than any such file.").arg(total));
    const auto length = headerLength(content.data(), total, source);
    if (!length)
        return tl::unexpected(length.error());
    const QByteArray header(reinterpret_cast<const char *>(content.data()) + lengthBytes, *length);
    const auto entries = detail::parseSafetensorsHeader(header, total - lengthBytes - *length, source);
    if (!entries)
        return tl::unexpected(entries.error());
    std::vector<NamedTensor> tensors;
    for (const detail::TensorEntry &entry : *entries) {
        NamedTensor tensor = emptyTensor(entry);
        if (tensor.data->size() > 0)
            std::memcpy(tensor.data->data(), content.data() + lengthBytes + *length + entry.begin,
                        static_cast<std::size_t>(tensor.data->size()));
        tensors.push_back(std::move(tensor));
    }
    sortByName(tensors);
    return tensors;
}

Result<void> writeSafetensors(const QString &path, std::vector<NamedTensor> tensors,
                              const std::map<QString, QString> &metadata, const BetweenPieces &between,
                              const MakeData &make) {
    sortByName(tensors);
    // The reference writer puts wider types first, so that every tensor is aligned to its own element.
    std::stable_sort(tensors.begin(), tensors.end(),
                     [](const NamedTensor &a, const NamedTensor &b) { return byteSize(a.dtype) > byteSize(b.dtype); });
    const QByteArray header = detail::makeSafetensorsHeader(tensors, metadata);
    return saveFile(path, [&](QIODevice &device) -> Result<void> {
        const auto put = [&device, &path, &between](const char *bytes, qint64 count) -> Result<void> {
            for (qint64 done = 0; done < count;) {
                const qint64 written = device.write(bytes + done, std::min(ioPiece, count - done));
                if (written <= 0) {
                    return fail(
                        QStringLiteral("file.unwritable"), sentence("The file %1 could not be saved.").arg(path),
                        device.errorString() + QLatin1Char('.'),
                        sentence("Free some space or choose another folder; what was there before is unchanged."));
                }
                done += written;
                if (between)
                    between();
            }
            return {};
        };
        char length[lengthBytes];
        qToLittleEndian<quint64>(static_cast<quint64>(header.size()), length);
        auto written = put(length, lengthBytes);
        if (written)
            written = put(header.constData(), header.size());
        for (const NamedTensor &tensor : tensors) {
            if (!written)
                break;
            const auto data = tensor.data ? Result<std::shared_ptr<Buffer>>(tensor.data) : make(tensor);
            if (!data)
                return tl::unexpected(data.error());
            Q_ASSERT((*data)->size() == tensor.spec.bytes(tensor.dtype));
            written = put(reinterpret_cast<const char *>((*data)->data()), (*data)->size());
        }
        return written;
    });
}

QByteArray weightsSha256(const std::vector<NamedTensor> &tensors) {
    std::vector<const NamedTensor *> order;
    for (const NamedTensor &tensor : tensors)
        order.push_back(&tensor);
    std::sort(order.begin(), order.end(), [](const NamedTensor *a, const NamedTensor *b) {
        return detail::codePointLess(a->spec.name, b->spec.name);
    });
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const NamedTensor *tensor : order)
        hash.addData(QByteArrayView(reinterpret_cast<const char *>(tensor->data->data()), tensor->data->size()));
    return hash.result().toHex();
}

}  // namespace hearth
