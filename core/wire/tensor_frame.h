// The header of a tensor on the wire, and its bounded binary form.
#pragma once

#include <QMetaType>
#include <QtGlobal>
#include <chrono>
#include <memory>
#include <span>
#include <vector>

#include "core/base/buffer.h"
#include "core/base/dtype.h"
#include "core/base/error.h"

namespace hearth {

/// Values are part of the wire format: never renumber.
enum class TensorKind : quint8 {
    Activation = 1,
    Gradient = 2,
    Input = 3,
    Label = 4,
    AllReduce = 5,
    Replica = 6,
    Evaluation = 7,
    Check = 8  // activations as they are, beside those that a codec wrote
};

/// Where a tensor belongs in a run (core/run and core/train give the fields their meaning). Plain value.
struct TensorHeader {
    TensorKind kind = TensorKind::Activation;
    DType dtype = DType::Float32;
    std::vector<quint32> dims;  // at most maximumRank; empty = a scalar
    quint64 rawBytes = 0;       // before the codec; set by sendTensor()
    quint64 encodedBytes = 0;   // after it; set by sendTensor(); fewer where a gradient's zeros are left out
    quint32 packedBytes = 0;    // of the payload, where packTensor() wrote it behind the codec; 0: it has encodedBytes
    quint32 term = 0;
    quint32 round = 0;
    quint64 version = 0;
    quint32 microBatch = 0;
    quint16 stage = 0;
    quint16 slot = 0;
    quint32 firstSample = 0;
    quint32 sampleCount = 0;
    quint8 codec = 0;    // Codec::number
    quint32 crc32c = 0;  // over header and payload; set by sendTensor(), checked before tensorReceived()

    static constexpr int maximumRank = 8;

    bool operator==(const TensorHeader &) const = default;
    /// dims times the element size; nothing on overflow or more than maximumRank dimensions.
    Result<quint64> bytesOfShape() const;
    /// A gradient that lacks the values that come to nothing (activeValues()).
    bool lacksValues() const { return codec == 0 && encodedBytes < rawBytes; }
    quint64 payloadBytes() const { return packedBytes > 0 ? packedBytes : encodedBytes; }
    /// As a payload of so many bytes wants it.
    void setByteCounts(qsizetype payload);
    /// Every field within its limits and the byte counts consistent with shape and codec.
    Result<void> validate(quint64 maximumBytes) const;
};

/// The first dimension, each of which is written by itself; 1 of a scalar.
quint64 samplesOf(const TensorHeader &header);
/// Whether behind the codec zstd may follow: what crosses cuts, activations and gradients.
bool mayBePacked(TensorKind kind);

/// A tensor as it arrived: 64-byte aligned, filled by the socket directly. The receiver may write into the payload.
struct TensorFrame {
    TensorHeader header;
    std::shared_ptr<Buffer> payload;
    std::chrono::steady_clock::time_point began{};  // when its header was here
};

/// Bytes of a TensorHeader on the wire (little-endian, fixed), after the 8-byte frame prefix.
constexpr qsizetype tensorHeaderBytes = 96;
void encodeTensorHeader(const TensorHeader &header, std::span<std::byte, tensorHeaderBytes> to);
/// Checks what can be checked without the payload: `maximumBytes` bounds rawBytes and encodedBytes.
Result<TensorHeader> decodeTensorHeader(std::span<const std::byte, tensorHeaderBytes> from, quint64 maximumBytes);
/// The checksum that `header.crc32c` must have with this payload.
quint32 tensorChecksum(const TensorHeader &header, std::span<const std::byte> payload);

}  // namespace hearth

Q_DECLARE_METATYPE(hearth::TensorFrame)
