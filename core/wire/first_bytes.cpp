#include "core/wire/first_bytes.h"

#include <array>
#include <cstdint>

namespace hearth {
namespace {

constexpr qsizetype recordHeader = 5;   // type, version (2), length (2)
constexpr qsizetype messageHeader = 4;  // type, length (3)
constexpr std::uint8_t handshakeRecord = 22;
constexpr std::uint8_t clientHello = 1;

}  // namespace

FirstBytes judgeFirstBytes(QByteArrayView bytes, qsizetype limit) {
    using Kind = FirstBytes::Kind;
    const auto at = [bytes](qsizetype index) { return static_cast<std::uint8_t>(bytes[index]); };
    // Each byte is judged as soon as it is there: garbage does not get to wait for more of it.
    const std::array<std::uint8_t, 2> begin{handshakeRecord, 3};
    for (qsizetype i = 0; i < std::min<qsizetype>(bytes.size(), begin.size()); ++i) {
        if (at(i) != begin[static_cast<std::size_t>(i)])
            return {Kind::Foreign, 0};
    }
    if (bytes.size() < recordHeader + messageHeader)
        return {Kind::Incomplete, recordHeader + messageHeader};
    const qsizetype record = at(3) << 8 | at(4);
    const qsizetype message = at(6) << 16 | at(7) << 8 | at(8);
    if (at(5) != clientHello || message + messageHeader != record || recordHeader + record > limit)
        return {Kind::Foreign, 0};
    const qsizetype whole = recordHeader + record;
    return {bytes.size() < whole ? Kind::Incomplete : Kind::Hello, whole};
}

}  // namespace hearth
