// Turns a byte stream into frames, checking every length before it allocates.
#pragma once

#include <QByteArray>
#include <QCborMap>
#include <array>
#include <span>
#include <variant>

#include "core/wire/channel.h"
#include "core/wire/control_budget.h"
#include "core/wire/tensor_frame.h"

namespace hearth {

// A frame: 'H', version, type, 0, then the length of what follows as a little-endian quint32. Type 1 is a control
// message (a CBOR map of that length), 2 a tensor (a header of tensorHeaderBytes; payloadBytes() of payload follow it),
// 3 a farewell (an Error as a CBOR map).
constexpr qsizetype framePrefixBytes = 8;
constexpr quint8 frameVersion = 1;
enum class FrameType : quint8 { Control = 1, Tensor = 2, Farewell = 3 };

struct FrameLimits {
    qint64 controlBytes = Channel::maximumControlBytes;
    quint64 tensorBytes = Channel::maximumTensorBytes;
    ControlBudget control = {};
};
/// Where two ends exchange words about themselves and nothing larger.
constexpr FrameLimits onlyWords{64 << 10, 0, {4096, 1024, 32}};

/// Prefix and body of a control message or farewell.
QByteArray encodeFrame(FrameType type, const QCborMap &map);
/// Prefix and header of a tensor frame.
QByteArray encodeTensorFrameHead(const TensorHeader &header);

/// The receiving half of the framing, without a device: copy bytes into wanted(), report them with filled().
/// Value-like, one thread. After an error it must not be used any more.
class FrameReader {
  public:
    struct Farewell {
        Error reason;
    };
    using Event = std::variant<std::monostate, QCborMap, TensorFrame, Farewell>;

    explicit FrameReader(FrameLimits limits = {});
    void setLimits(FrameLimits limits) { m_limits = limits; }

    /// Where the next bytes belong; never empty. Payloads are read straight into the frame's own aligned buffer.
    std::span<std::byte> wanted();
    /// `count` bytes of wanted() are there; the frame they complete, if any.
    Result<Event> filled(qsizetype count);
    /// A frame has begun and is not complete.
    bool isInFrame() const { return m_part != Part::Prefix || m_filled != 0; }

  private:
    enum class Part { Prefix, Body, TensorHead, Payload };
    Result<void> beginFrame();
    Result<Event> completeBody();
    Result<Event> completePayload();
    void expect(Part part);

    FrameLimits m_limits;
    Part m_part = Part::Prefix;
    qsizetype m_filled = 0;  // of the current part
    std::array<std::byte, framePrefixBytes> m_prefix{};
    std::array<std::byte, tensorHeaderBytes> m_head{};
    FrameType m_type = FrameType::Control;
    QByteArray m_body;
    TensorFrame m_tensor;
    quint32 m_checksum = 0;
};

}  // namespace hearth
