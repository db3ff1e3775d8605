// Reading numbers from CBOR that a peer has sent.
#pragma once

#include <QCborValue>

namespace hearth {

/// The integer, or `fallback` for anything else. QCborValue::toInteger() alone also converts doubles, which is
/// undefined for those beyond 64 bits.
inline qint64 integerOf(const QCborValue &value, qint64 fallback = 0) {
    return value.isInteger() ? value.toInteger() : fallback;
}

}  // namespace hearth
