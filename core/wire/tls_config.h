#pragma once

#include <QList>
#include <QSslConfiguration>
#include <QSslError>
#include <functional>

#include "core/wire/identity.h"

class QSslSocket;

namespace hearth {

/// TLS 1.3 only, our certificate, the peer's required, no authorities, no tickets, no resumption.
QSslConfiguration tlsConfiguration(const Identity &identity);
/// Lets pass what a self-signed certificate always raises, and nothing else; the fingerprint decides afterwards.
void ignoreSelfSigned(QSslSocket &socket, const QList<QSslError> &errors);
/// The key that the peer has proved to have in this very session.
Result<Fingerprint> sessionFingerprint(const QSslSocket &socket);
/// Calls `arrived` for as long as `context` lives whenever bytes have come on the socket, also those that give nothing
/// to read: a handshake's and TLS's own. In the middle of the socket's work, where it must be neither used nor given
/// away.
void connectArrivals(const QSslSocket &socket, QObject *context, std::function<void()> arrived);

/// The listener's first message, once it has accepted the dialler: with TLS 1.3 a dialler's handshake ends before the
/// listener has looked at its certificate.
QCborMap welcomeMessage();
bool isWelcome(const QCborMap &message);
/// What it says instead to a dialler whose key is not trusted, and nothing after it: a connection that ends without a
/// word says nothing about trust.
void sendRefusal(QSslSocket &socket);
bool isRefusal(const QCborMap &message);

}  // namespace hearth
