// A host and a port as one text.
#pragma once

#include <QString>

#include "core/base/error.h"

namespace hearth {

/// "host:port", with brackets around IPv6.
QString joinAddress(const QString &host, quint16 port);
/// Splits "host:port" or "[v6]:port"; errors name what was given.
struct HostPort {
    QString host;
    quint16 port = 0;
};
Result<HostPort> splitAddress(const QString &address);

}  // namespace hearth
