// Shared by the tests of the wire.
#pragma once

#include <QCborMap>
#include <QMetaType>
#include <cstring>

#include "core/wire/frame_reader.h"

namespace hearth {

inline std::shared_ptr<Buffer> patterned(qsizetype bytes, int seed = 1) {
    auto buffer = Buffer::allocate(bytes);
    quint32 state = static_cast<quint32>(seed) * 2654435761u + 1;
    for (qsizetype i = 0; i < bytes; ++i) {
        state = state * 1664525u + 1013904223u;
        buffer->data()[i] = static_cast<std::byte>(state >> 24);
    }
    return buffer;
}

inline TensorHeader headerFor(qsizetype bytes, quint32 microBatch = 0) {
    TensorHeader header;
    header.kind = TensorKind::Activation;
    header.dtype = DType::UInt8;
    header.dims = {static_cast<quint32>(bytes)};
    header.rawBytes = header.encodedBytes = static_cast<quint64>(bytes);
    header.term = 3;
    header.round = 7;
    header.version = 6;
    header.microBatch = microBatch;
    header.stage = 1;
    header.sampleCount = 4;
    return header;
}

inline bool sameBytes(const Buffer &a, const Buffer &b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size())) == 0;
}

inline QByteArray tensorFrameBytes(const Buffer &payload, quint32 microBatch = 0) {
    TensorHeader header = headerFor(payload.size(), microBatch);
    header.crc32c = tensorChecksum(header, payload.bytes());
    QByteArray frame = encodeTensorFrameHead(header);
    frame.append(reinterpret_cast<const char *>(payload.data()), payload.size());
    return frame;
}

inline QCborMap note(int number) {
    return {{QStringLiteral("number"), number}};
}

}  // namespace hearth

Q_DECLARE_METATYPE(hearth::Error)
