#include "core/wire/tensor_frame.h"

#include <QtEndian>
#include <algorithm>
#include <array>

#include "core/base/codec.h"
#include "core/base/crc32c.h"
#include "core/base/sentence.h"

namespace hearth {
namespace {

// The last eight bytes are the checksum and zeros. Versions that know no packedBytes refuse what is not zero there.
constexpr std::size_t checksumAt = 88;

tl::unexpected<Error> badTensor(const Sentence &cause) {
    return fail(QStringLiteral("wire.bad-tensor"), sentence("A tensor with a wrong header is on its way."), cause);
}

template <class T>
void put(std::byte *&at, T value) {
    qToLittleEndian(value, at);
    at += sizeof value;
}

template <class T>
T take(const std::byte *&at) {
    const T value = qFromLittleEndian<T>(at);
    at += sizeof value;
    return value;
}

}  // namespace

quint64 samplesOf(const TensorHeader &header) {
    return header.dims.empty() ? 1 : header.dims.front();
}

Result<quint64> TensorHeader::bytesOfShape() const {
    if (dims.size() > maximumRank)
        return badTensor(sentence("It has %1 dimensions; at most %2 are possible.").arg(dims.size()).arg(maximumRank));
    auto bytes = static_cast<quint64>(byteSize(dtype));
    for (const quint32 dimension : dims) {
        if (__builtin_mul_overflow(bytes, quint64(dimension), &bytes))
            return badTensor(sentence("Its shape has more bytes than can be counted."));
    }
    return bytes;
}

void TensorHeader::setByteCounts(qsizetype payload) {
    rawBytes = bytesOfShape().value_or(0);
    if (packedBytes > 0)
        packedBytes = static_cast<quint32>(payload);
    else
        encodedBytes = static_cast<quint64>(payload);
}

bool mayBePacked(TensorKind kind) {
    return kind == TensorKind::Activation || kind == TensorKind::Gradient;
}

Result<void> TensorHeader::validate(quint64 maximumBytes) const {
    if (kind < TensorKind::Activation || kind > TensorKind::Check)
        return badTensor(sentence("Its kind %1 is unknown.").arg(int(kind)));
    if (!isValid(dtype))
        return badTensor(sentence("Its element type %1 is unknown.").arg(int(dtype)));
    const Codec *written = codecByNumber(codec);
    if (!written)
        return badTensor(sentence("Its codec %1 is unknown.").arg(int(codec)));
    const auto shape = bytesOfShape();
    if (!shape)
        return tl::unexpected(shape.error());
    if (rawBytes != *shape)
        return badTensor(sentence("Its shape has %1 bytes, but it names %2.").arg(*shape).arg(rawBytes));
    if (const quint64 wanted = hearth::encodedBytes(*written, dtype, rawBytes, samplesOf(*this));
        encodedBytes != wanted &&
        !(lacksValues() && kind == TensorKind::Gradient && encodedBytes % static_cast<quint64>(byteSize(dtype)) == 0))
        return badTensor(sentence("Its payload has %1 bytes instead of %2.").arg(encodedBytes).arg(wanted));
    if (packedBytes > 0 && (!mayBePacked(kind) || packedBytes >= encodedBytes))
        return badTensor(sentence("It is packed into %1 bytes, of %2.").arg(packedBytes).arg(encodedBytes));
    if (const quint64 most = std::max(rawBytes, encodedBytes); most > maximumBytes) {
        return badTensor(sentence("It has %1 bytes; at most %2 travel in one frame.").arg(most).arg(maximumBytes));
    }
    return {};
}

void encodeTensorHeader(const TensorHeader &header, std::span<std::byte, tensorHeaderBytes> to) {
    std::byte *at = to.data();
    put(at, static_cast<quint8>(header.kind));
    put(at, static_cast<quint8>(header.dtype));
    put(at, static_cast<quint8>(header.dims.size()));
    put(at, header.codec);
    put(at, header.term);
    put(at, header.round);
    put(at, header.microBatch);
    put(at, header.stage);
    put(at, header.slot);
    put(at, header.firstSample);
    put(at, header.version);
    put(at, header.rawBytes);
    put(at, header.encodedBytes);
    put(at, header.sampleCount);
    for (std::size_t i = 0; i < TensorHeader::maximumRank; ++i)
        put(at, i < header.dims.size() ? header.dims[i] : quint32(0));
    put(at, header.packedBytes);
    Q_ASSERT(at == to.data() + checksumAt);
    put(at, header.crc32c);
    put(at, quint32(0));
}

Result<TensorHeader> decodeTensorHeader(std::span<const std::byte, tensorHeaderBytes> from, quint64 maximumBytes) {
    const std::byte *at = from.data();
    TensorHeader header;
    header.kind = static_cast<TensorKind>(take<quint8>(at));
    header.dtype = static_cast<DType>(take<quint8>(at));
    const auto rank = take<quint8>(at);
    if (rank > TensorHeader::maximumRank)
        return badTensor(sentence("It has %1 dimensions.").arg(rank));
    header.codec = take<quint8>(at);
    header.term = take<quint32>(at);
    header.round = take<quint32>(at);
    header.microBatch = take<quint32>(at);
    header.stage = take<quint16>(at);
    header.slot = take<quint16>(at);
    header.firstSample = take<quint32>(at);
    header.version = take<quint64>(at);
    header.rawBytes = take<quint64>(at);
    header.encodedBytes = take<quint64>(at);
    header.sampleCount = take<quint32>(at);
    header.dims.reserve(rank);
    quint32 unused = 0;
    for (int i = 0; i < TensorHeader::maximumRank; ++i) {
        const auto dimension = take<quint32>(at);
        if (i < rank)
            header.dims.push_back(dimension);
        else
            unused |= dimension;
    }
    header.packedBytes = take<quint32>(at);
    header.crc32c = take<quint32>(at);
    unused |= take<quint32>(at);
    if (unused != 0)
        return badTensor(sentence("Bytes that must be zero are not."));
    if (auto valid = header.validate(maximumBytes); !valid)
        return tl::unexpected(valid.error());
    return header;
}

quint32 tensorChecksum(const TensorHeader &header, std::span<const std::byte> payload) {
    std::array<std::byte, tensorHeaderBytes> bytes;
    encodeTensorHeader(header, bytes);
    return crc32c(payload, crc32c(std::span<const std::byte>(bytes).first(checksumAt)));
}

}  // namespace hearth
