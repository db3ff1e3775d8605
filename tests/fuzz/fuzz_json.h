// The bytes of a fuzz target as JSON.
#pragma once

#include <cstdint>

#include "core/base/json_reader.h"

namespace hearth {

inline Result<QJsonObject> jsonOf(const std::uint8_t *data, std::size_t size) {
    return parseJsonObject({reinterpret_cast<const char *>(data), static_cast<qsizetype>(size)},
                           QStringLiteral("fuzz"));
}

/// A `Value` has fromJson().
template <class Value>
Result<Value> readAs(const std::uint8_t *data, std::size_t size) {
    return jsonOf(data, size).and_then([](const QJsonObject &object) {
        return Value::fromJson(object, QStringLiteral("fuzz"));
    });
}

}  // namespace hearth
