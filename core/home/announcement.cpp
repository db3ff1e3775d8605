#include "core/home/announcement.h"

#include <QNetworkInterface>
#include <algorithm>
#include <optional>

#include "core/base/sentence.h"
#include "core/home/plain_name.h"

namespace hearth {
namespace {

constexpr int maximumVersion = 1000000;

tl::unexpected<Error> invalid(const Sentence &cause) {
    return fail(QStringLiteral("announcement.invalid"), sentence("An announcement cannot be read."), cause);
}

bool isHexDigit(QChar c) {
    return (c >= QLatin1Char('0') && c <= QLatin1Char('9')) || (c >= QLatin1Char('a') && c <= QLatin1Char('f'));
}

/// The first value of each key counts, and case of keys does not (RFC 6763, section 6.4).
std::optional<QByteArray> valueOf(const QByteArrayList &txt, const QByteArray &key) {
    for (const QByteArray &string : txt.mid(0, Announcement::maximumStrings)) {
        const qsizetype equals = string.indexOf('=');
        if (equals == key.size() && string.left(equals).toLower() == key)
            return string.mid(equals + 1);
    }
    return std::nullopt;
}

bool isMappedOrNone(const QHostAddress &address) {
    return address.isNull() || address.protocol() == QAbstractSocket::UnknownNetworkLayerProtocol;
}

}  // namespace

QByteArrayList Announcement::toTxt() const {
    return {"v=" + QByteArray::number(version), "id=" + prefix.toLatin1()};
}

Result<Announcement> Announcement::fromTxt(const QByteArrayList &txt) {
    const auto version = valueOf(txt, "v");
    const auto id = valueOf(txt, "id");
    if (!version || !id)
        return invalid(sentence("The version or the key's digits are missing."));
    Announcement announcement;
    const bool isNumber = !version->isEmpty() && version->size() <= 7 &&
                          std::all_of(version->cbegin(), version->cend(), [](char c) { return c >= '0' && c <= '9'; });
    announcement.version = isNumber ? version->toInt() : 0;
    if (announcement.version < 1 || announcement.version > maximumVersion)
        return invalid(sentence("The version is not a number."));
    announcement.prefix = QString::fromLatin1(*id);
    if (!isAnnouncedPrefix(announcement.prefix))
        return invalid(sentence("The key's digits are not %1 hexadecimal ones.").arg(prefixDigits));
    return announcement;
}

QString announcedPrefix(const Fingerprint &fingerprint) {
    return fingerprint.toHex().left(Announcement::prefixDigits);
}

bool isAnnouncedPrefix(const QString &text) {
    return text.size() == Announcement::prefixDigits && std::all_of(text.cbegin(), text.cend(), isHexDigit);
}

QString cleanName(const QByteArray &utf8) {
    QString name;
    for (const char32_t c : QString::fromUtf8(utf8.left(4 * maximumDeviceName)).toUcs4()) {
        if (c <= 0xffff && isHidden(QChar(static_cast<char16_t>(c))))
            continue;
        name += QChar::isPrint(c) ? QString::fromUcs4(&c, 1) : QStringLiteral(" ");
    }
    name = name.simplified().left(maximumDeviceName);
    if (!name.isEmpty() && name.back().isHighSurrogate())
        name.chop(1);
    return name.trimmed();
}

QList<Subnet> localSubnets() {
    QList<Subnet> subnets;
    for (const QNetworkInterface &interface : QNetworkInterface::allInterfaces()) {
        if (!interface.flags().testFlag(QNetworkInterface::IsUp) ||
            interface.flags().testFlag(QNetworkInterface::IsLoopBack))
            continue;
        for (const QNetworkAddressEntry &entry : interface.addressEntries()) {
            if (entry.prefixLength() > 0)
                subnets << Subnet(entry.ip(), entry.prefixLength());
        }
    }
    return subnets;
}

bool isAtHome(const QHostAddress &address, const QList<Subnet> &subnets) {
    if (isMappedOrNone(address) || address.isLoopback() || address.isMulticast() || address.isBroadcast())
        return false;
    QHostAddress plain = address;
    plain.setScopeId(QString());
    bool isV4 = false;
    const quint32 v4 = plain.toIPv4Address(&isV4);
    if (isV4 && plain.protocol() == QAbstractSocket::IPv6Protocol)
        return isAtHome(QHostAddress(v4), subnets);
    static const QList<Subnet> homes{
        {QHostAddress(QStringLiteral("10.0.0.0")), 8},     {QHostAddress(QStringLiteral("172.16.0.0")), 12},
        {QHostAddress(QStringLiteral("192.168.0.0")), 16}, {QHostAddress(QStringLiteral("169.254.0.0")), 16},
        {QHostAddress(QStringLiteral("100.64.0.0")), 10},  {QHostAddress(QStringLiteral("fc00::")), 7},
        {QHostAddress(QStringLiteral("fe80::")), 10}};
    const auto holds = [&plain](const Subnet &subnet) {
        QHostAddress network = subnet.first;
        network.setScopeId(QString());
        return network.protocol() == plain.protocol() && plain.isInSubnet(network, subnet.second);
    };
    return std::any_of(homes.begin(), homes.end(), holds) || std::any_of(subnets.begin(), subnets.end(), holds);
}

}  // namespace hearth
