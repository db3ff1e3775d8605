// What an agent says of itself by mDNS, and what is made of what others say.
#pragma once

#include <QByteArrayList>
#include <QHostAddress>
#include <QList>
#include <QPair>
#include <QString>

#include "core/base/error.h"
#include "core/wire/identity.h"

namespace hearth {

/// The TXT record of "_hearth._tcp": "v=1" and "id=" with the first digits of the fingerprint. The service's name is
/// the device's, its port the agent's. Nothing else is announced, and nothing of it is proof of anything. Plain value.
struct Announcement {
    static constexpr int currentVersion = 1;
    static constexpr qsizetype prefixDigits = 16;    // tell a key from others, also where people read or give them
    static constexpr qsizetype maximumStrings = 32;  // of a TXT record; those beyond are not looked at

    int version = currentVersion;
    QString prefix;  // lower-case hex digits

    bool operator==(const Announcement &) const = default;
    QByteArrayList toTxt() const;
    /// Strict about what it knows, deaf to everything else: later versions may add keys. Errors:
    /// "announcement.invalid".
    static Result<Announcement> fromTxt(const QByteArrayList &txt);
};

QString announcedPrefix(const Fingerprint &fingerprint);
bool isAnnouncedPrefix(const QString &text);

/// At most maximumDeviceName characters that can be printed, without those that turn the direction of a text; empty
/// where nothing is left. Not free of markup: show it as plain text.
QString cleanName(const QByteArray &utf8);

/// An address and the length of its network's prefix.
using Subnet = QPair<QHostAddress, int>;
/// Of all interfaces that are up, loopback left out.
QList<Subnet> localSubnets();
/// Whether an announcement may lead there: private and link-local addresses, and those of the networks that this
/// machine is in. So nobody at home can make it knock at doors elsewhere.
bool isAtHome(const QHostAddress &address, const QList<Subnet> &subnets);

}  // namespace hearth
