#include "core/wire/frame_reader.h"

#include <QCborParserError>
#include <QCborValue>
#include <QtEndian>
#include <utility>

#include "core/base/crc32c.h"
#include "core/base/sentence.h"

namespace hearth {
namespace {

constexpr char magic = 'H';

tl::unexpected<Error> badFrame(const Sentence &cause) {
    return fail(QStringLiteral("wire.bad-frame"), sentence("The other end does not speak Hearth's protocol."), cause,
                sentence("Check that the same version of Hearth runs on both devices."));
}

void writePrefix(char *to, FrameType type, quint32 length) {
    to[0] = magic;
    to[1] = static_cast<char>(frameVersion);
    to[2] = static_cast<char>(type);
    to[3] = 0;
    qToLittleEndian(length, to + 4);
}

}  // namespace

QByteArray encodeFrame(FrameType type, const QCborMap &map) {
    const QByteArray body = QCborValue(map).toCbor();
    QByteArray frame(framePrefixBytes, Qt::Uninitialized);
    frame.reserve(framePrefixBytes + body.size());
    writePrefix(frame.data(), type, static_cast<quint32>(body.size()));
    frame += body;
    return frame;
}

QByteArray encodeTensorFrameHead(const TensorHeader &header) {
    QByteArray head(framePrefixBytes + tensorHeaderBytes, Qt::Uninitialized);
    writePrefix(head.data(), FrameType::Tensor, tensorHeaderBytes);
    encodeTensorHeader(header, std::span<std::byte, tensorHeaderBytes>(
                                   reinterpret_cast<std::byte *>(head.data()) + framePrefixBytes, tensorHeaderBytes));
    return head;
}

FrameReader::FrameReader(FrameLimits limits) : m_limits(limits) {}

void FrameReader::expect(Part part) {
    m_part = part;
    m_filled = 0;
}

std::span<std::byte> FrameReader::wanted() {
    std::span<std::byte> whole = m_prefix;
    switch (m_part) {
        case Part::Prefix:
            break;
        case Part::Body:
            whole = {reinterpret_cast<std::byte *>(m_body.data()), static_cast<std::size_t>(m_body.size())};
            break;
        case Part::TensorHead:
            whole = m_head;
            break;
        case Part::Payload:
            whole = m_tensor.payload->bytes();
            break;
    }
    return whole.subspan(static_cast<std::size_t>(m_filled));
}

Result<FrameReader::Event> FrameReader::filled(qsizetype count) {
    const std::span<std::byte> part = wanted();
    Q_ASSERT(count >= 0 && static_cast<std::size_t>(count) <= part.size());
    if (m_part == Part::Payload)  // while these bytes are still in the processor's cache
        m_checksum = crc32c(part.first(static_cast<std::size_t>(count)), m_checksum);
    m_filled += count;
    if (static_cast<std::size_t>(count) < part.size())
        return Event{};
    switch (m_part) {
        case Part::Prefix:
            if (auto begun = beginFrame(); !begun)
                return tl::unexpected(begun.error());
            return Event{};
        case Part::Body:
            return completeBody();
        case Part::TensorHead: {
            auto header = decodeTensorHeader(m_head, m_limits.tensorBytes);
            if (!header)
                return tl::unexpected(header.error());
            m_checksum = tensorChecksum(*header, {});
            m_tensor.header = std::move(*header);
            m_tensor.began = std::chrono::steady_clock::now();
            m_tensor.payload = Buffer::allocate(static_cast<qsizetype>(m_tensor.header.payloadBytes()));
            expect(Part::Payload);
            return m_tensor.payload->size() == 0 ? completePayload() : Event{};
        }
        case Part::Payload:
            return completePayload();
    }
    return Event{};
}

Result<void> FrameReader::beginFrame() {
    const auto *prefix = reinterpret_cast<const unsigned char *>(m_prefix.data());
    if (prefix[0] != magic || prefix[3] != 0)
        return badFrame(sentence("A frame begins with unexpected bytes."));
    if (prefix[1] != frameVersion) {
        return badFrame(
            sentence("It uses version %1 of the protocol; this program knows %2.").arg(prefix[1]).arg(frameVersion));
    }
    const auto length = qFromLittleEndian<quint32>(prefix + 4);
    m_type = static_cast<FrameType>(prefix[2]);
    switch (m_type) {
        case FrameType::Tensor:
            if (m_limits.tensorBytes == 0)
                return badFrame(sentence("A tensor came where none is allowed."));
            if (length != tensorHeaderBytes)
                return badFrame(sentence("The header of a tensor has %1 bytes.").arg(length));
            expect(Part::TensorHead);
            return {};
        case FrameType::Control:
        case FrameType::Farewell:
            if (length == 0 || length > static_cast<quint64>(m_limits.controlBytes)) {
                return badFrame(sentence("A control message has %1 bytes; from 1 to %2 are allowed.")
                                    .arg(length)
                                    .arg(m_limits.controlBytes));
            }
            m_body.resize(static_cast<qsizetype>(length));
            expect(Part::Body);
            return {};
    }
    return badFrame(sentence("A frame has the unknown type %1.").arg(prefix[2]));
}

Result<FrameReader::Event> FrameReader::completeBody() {
    const QByteArray body = std::exchange(m_body, {});  // the value has copies; a large message's memory is not kept
    expect(Part::Prefix);
    if (auto within = mustBeWithin(m_limits.control, body); !within)
        return tl::unexpected(within.error());
    QCborParserError parse;
    const QCborValue value = QCborValue::fromCbor(body, &parse);
    const bool whole = parse.offset == body.size();
    if (parse.error != QCborError::NoError || !whole || !value.isMap()) {
        return fail(QStringLiteral("wire.bad-control"), sentence("A control message could not be read."),
                    parse.error != QCborError::NoError ? sentence("CBOR: %1.").arg(parse.errorString())
                                                       : sentence("It is not exactly one CBOR map."));
    }
    if (m_type == FrameType::Farewell)
        return Event{Farewell{Error::fromCbor(value.toMap())}};
    return Event{value.toMap()};
}

Result<FrameReader::Event> FrameReader::completePayload() {
    expect(Part::Prefix);
    if (m_checksum != m_tensor.header.crc32c) {
        return fail(QStringLiteral("wire.checksum"), sentence("A tensor arrived damaged."),
                    sentence("Its checksum is %1 instead of %2.")
                        .arg(QStringLiteral("%1").arg(m_checksum, 8, 16, QLatin1Char('0')))
                        .arg(QStringLiteral("%1").arg(m_tensor.header.crc32c, 8, 16, QLatin1Char('0'))),
                    sentence("If this happens again, test the memory of both devices."));
    }
    return Event{std::exchange(m_tensor, {})};
}

}  // namespace hearth
