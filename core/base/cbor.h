// Reading numbers from CBOR that a peer has sent.
#pragma once

#include <QCborValue>
#include <cstring>
#include <span>
#include <vector>

namespace hearth {

/// The integer, or `fallback` for anything else. QCborValue::toInteger() alone also converts doubles, which is
/// undefined for those beyond 64 bits.
inline qint64 integerOf(const QCborValue &value, qint64 fallback = 0) {
    return value.isInteger() ? value.toInteger() : fallback;
}

/// Many numbers travel as their bytes.
inline QByteArray bytesOfNumbers(std::span<const double> numbers) {
    return {reinterpret_cast<const char *>(numbers.data()), static_cast<qsizetype>(numbers.size_bytes())};
}
inline std::vector<double> numbersOfBytes(const QByteArray &bytes) {
    std::vector<double> numbers(static_cast<std::size_t>(bytes.size()) / sizeof(double));
    if (!numbers.empty())
        std::memcpy(numbers.data(), bytes.constData(), numbers.size() * sizeof(double));
    return numbers;
}

}  // namespace hearth
