// Where a process of a run listens, as its agent tells it on the command line.
#pragma once

#include <QHostAddress>
#include <QString>
#include <optional>

namespace hearth {

/// Plain value.
struct PortRange {
    quint16 first = 0, last = 0;  // both 0: any

    /// "47601-47632", "47601", "0-0"; nothing where it is none.
    static std::optional<PortRange> of(const QString &text);
};

/// Of "192.168.1.7", "[fe80::1]" or "::", which is any of both kinds; null where it is none.
QHostAddress listenAddressOf(QString text);

}  // namespace hearth
