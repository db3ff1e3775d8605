#include "core/wire/packed_tensor.h"

#include <algorithm>

#include "core/base/codec.h"
#include "core/base/sentence.h"
#include "core/wire/byte_planes.h"

namespace hearth {
namespace {

/// Whole bytes that the codec writes for each value: of numbers that share bytes, one.
std::size_t planesOf(const Codec &codec, DType type) {
    constexpr quint64 values = 64;
    const quint64 bytes = codec.encodedBytes(type, values * static_cast<quint64>(byteSize(type)));
    return std::clamp<std::size_t>(bytes / values, 1, mostPlanes);
}

}  // namespace

bool packTensor(TensorHeader &header, Payload &payload) {
    const Codec *codec = codecByNumber(header.codec);
    Q_ASSERT(codec && mayBePacked(header.kind));
    header.encodedBytes = static_cast<quint64>(payload.size);
    auto packed = packPlanes({payload.data, static_cast<std::size_t>(payload.size)}, planesOf(*codec, header.dtype));
    if (!packed)
        return false;
    header.packedBytes = static_cast<quint32>(packed->size());
    payload = Payload::of(std::move(packed));
    return true;
}

Result<std::shared_ptr<Buffer>> valuesOf(const TensorFrame &frame) {
    const TensorHeader &header = frame.header;
    const Codec &codec = *codecByNumber(header.codec);  // known, or the header would not have been taken
    std::shared_ptr<Buffer> payload = frame.payload;
    if (header.packedBytes > 0) {
        payload = Buffer::allocate(static_cast<qsizetype>(header.encodedBytes));
        if (!unpackPlanes(std::as_const(*frame.payload).bytes(), payload->bytes(), planesOf(codec, header.dtype)))
            return fail(QStringLiteral("wire.bad-tensor"), sentence("A tensor that was packed is damaged."),
                        sentence("Its %1 bytes do not unpack to %2.").arg(header.packedBytes).arg(header.encodedBytes),
                        sentence("Run the same version of Hearth on all devices."));
    }
    if (header.dtype != DType::Float32 && header.dtype != DType::Float64)
        return payload;  // never encoded
    return decoded(codec, header.dtype, std::move(payload), header.rawBytes, samplesOf(header));
}

}  // namespace hearth
