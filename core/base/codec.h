// How the values of a cut are written on their way between two stages.
#pragma once

#include <QJsonValue>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "core/base/buffer.h"
#include "core/base/dtype.h"
#include "core/base/error.h"

namespace hearth {

/// For each byte of a tensor.
struct CodecSeconds {
    double encode = 0;
    double decode = 0;
    bool operator==(const CodecSeconds &) const = default;
};

enum class Rounding {
    Nearest,
    Stochastic  // with the right mean; a function of the values alone
};

/// One way to write a tensor as bytes. Instances are constants that live as long as the program and are compared by
/// their address; a new one joins by one line in codecs(). Any thread.
struct Codec {
    const char *name = "";    // as plans write it
    std::uint8_t number = 0;  // in tensor frames: never renumber
    /// Of a device that has not measured it.
    CodecSeconds usual = {};
    /// What a tensor of so many bytes takes on the wire.
    quint64 (*encodedBytes)(DType type, quint64 rawBytes) = nullptr;
    /// Fills all of the second span; false: it cannot write these (an infinity, a NaN, 2^127 and more). Null: the bytes
    /// travel as they are. Of Float32 and Float64 alone.
    bool (*encode)(DType type, std::span<const std::byte> raw, std::span<std::byte> encoded,
                   Rounding rounding) = nullptr;
    void (*decode)(DType type, std::span<const std::byte> encoded, std::span<std::byte> raw) = nullptr;
    /// The relative L2 error that tensors which bear this codec stay below, by rounding.
    double mostError = std::numeric_limits<double>::infinity();
    double mostStochasticError = std::numeric_limits<double>::infinity();
};

/// All that people and planners may choose, the least lossy first: "none" is the first.
std::span<const Codec *const> codecs();
const Codec &noCodec();
/// The one of both that loses less.
const Codec &lessLossy(const Codec &one, const Codec &other);
/// The next one that loses less; none itself where there is nothing to lose.
const Codec &nextLessLossy(const Codec &codec);
/// Null: unknown.
const Codec *codecByNumber(std::uint8_t number);
const Codec *codecByName(const QString &name);

/// Each sample is written by itself, so that how a group splits a micro-batch changes no value. `samples` of equal
/// size; one where they do not divide the bytes.
quint64 encodedBytes(const Codec &codec, DType type, quint64 rawBytes, quint64 samples);
struct Encoded {
    const Codec *codec = &noCodec();  // none where the codec cannot write one of the values
    Payload payload;
};
Encoded encoded(const Codec &codec, DType type, Payload raw, quint64 samples, Rounding rounding);
/// Sums of squares over the values of some tensors: of what they lost on their way, and of themselves. Plain value.
struct CodecLoss {
    double error = 0;
    double power = 0;

    /// Relative L2; 0 where all values are zero.
    double relative() const { return power > 0 ? std::sqrt(error / power) : 0; }
    CodecLoss &operator+=(const CodecLoss &other) { return error += other.error, power += other.power, *this; }
    bool operator==(const CodecLoss &) const = default;
};
/// Of `raw` written as `written`; Float32 and Float64.
CodecLoss lossOf(const Encoded &written, DType type, const Payload &raw, quint64 samples);
/// The payload has encodedBytes() of them.
std::shared_ptr<Buffer> decoded(const Codec &codec, DType type, std::shared_ptr<Buffer> payload, quint64 rawBytes,
                                quint64 samples);

/// The codecs of one cut. Plain value, any thread.
struct CutCodec {
    const Codec *forward = &noCodec();   // of activations
    const Codec *backward = &noCodec();  // of their gradients

    bool operator==(const CutCodec &) const = default;
    /// "none", or {"forward": …, "backward": …}.
    QJsonValue toJson() const;
    /// Absent: none, also of one direction alone.
    static Result<CutCodec> fromJson(const QJsonValue &value, const QString &source, const QString &path);
};

}  // namespace hearth
