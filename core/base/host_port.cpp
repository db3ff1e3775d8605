#include "core/base/host_port.h"

#include "core/base/sentence.h"

namespace hearth {

QString joinAddress(const QString &host, quint16 port) {
    const bool v6 = host.contains(QLatin1Char(':'));
    return (v6 ? QStringLiteral("[%1]:%2") : QStringLiteral("%1:%2")).arg(host).arg(port);
}

Result<HostPort> splitAddress(const QString &address) {
    const auto refuse = [&address] {
        return fail(QStringLiteral("address.invalid"), sentence("\"%1\" is not an address.").arg(address.left(80)),
                    QString(), sentence("Write HOST:PORT, or [HOST]:PORT for IPv6."));
    };
    const qsizetype colon = address.lastIndexOf(QLatin1Char(':'));
    if (colon <= 0)
        return refuse();
    HostPort parts;
    parts.host = address.left(colon);
    if (parts.host.startsWith(QLatin1Char('[')) && parts.host.endsWith(QLatin1Char(']')))
        parts.host = parts.host.mid(1, parts.host.size() - 2);
    else if (parts.host.contains(QLatin1Char(':')))
        return refuse();
    bool ok = false;
    parts.port = address.mid(colon + 1).toUShort(&ok);
    if (!ok || parts.host.isEmpty())
        return refuse();
    return parts;
}

}  // namespace hearth
