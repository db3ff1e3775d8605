// What the operating system says of an error number.
#pragma once

#include <QString>
#include <cstring>

namespace hearth {

/// A sentence in the language of the system, for a cause: systemReason(errno). Any thread.
inline QString systemReason(int code) {
    return QString::fromLocal8Bit(std::strerror(code)) + QLatin1Char('.');
}

}  // namespace hearth
