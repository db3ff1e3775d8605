#include "ui/phone/phone_server.h"

#include <QRandomGenerator>
#include <QTcpSocket>
#include <QTimer>
#include <QUrl>
#include <algorithm>
#include <array>

namespace hearth {

namespace {

QByteArray makeSecret() {
    std::array<quint32, 4> bits{};
    QRandomGenerator::system()->generate(bits.begin(), bits.end());
    return QByteArray(reinterpret_cast<const char *>(bits.data()), sizeof(bits))
        .toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals);
}

QByteArray httpAnswer(const QByteArray &status, const QByteArray &type, const QByteArray &body) {
    return "HTTP/1.1 " + status +
           "\r\n"
           "Content-Type: " +
           type + "\r\nContent-Length: " + QByteArray::number(body.size()) +
           "\r\n"
           "Connection: close\r\n"
           "Cache-Control: no-store\r\n"
           "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
           "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
           "Referrer-Policy: no-referrer\r\n"
           "X-Content-Type-Options: nosniff\r\n\r\n" +
           body;
}

}  // namespace

bool mayAskPhonePage(const QHostAddress &peer, const QList<Subnet> &subnets) {
    // A socket for both protocols tells IPv4 addresses as part of IPv6.
    bool isV4 = false;
    const quint32 v4 = peer.toIPv4Address(&isV4);
    const QHostAddress plain = isV4 ? QHostAddress(v4) : peer;
    return plain.isLoopback() || isAtHome(plain, subnets);
}

PhoneServer::PhoneServer(QObject *parent) : QTcpServer(parent), m_secret(makeSecret()) {}

Result<void> PhoneServer::begin(PhonePorts ports) {
    for (int port = ports.first; port <= ports.last; ++port) {
        if (listen(QHostAddress::Any, static_cast<quint16>(port)))
            return {};
    }
    return fail(QStringLiteral("phone.no-port"), tr("The run cannot be shown on a phone."),
                tr("None of the ports %1 to %2 of this computer is free.").arg(ports.first).arg(ports.last),
                tr("End a program that uses one of them, then try again."));
}

QString PhoneServer::addressAt(const QHostAddress &host) const {
    QUrl url;
    url.setScheme(QStringLiteral("http"));
    url.setHost(host.toString());
    url.setPort(serverPort());
    url.setPath(QLatin1Char('/') + QLatin1String(m_secret) + QLatin1Char('/'));
    return url.toString();
}

void PhoneServer::incomingConnection(qintptr handle) {
    auto *socket = new QTcpSocket(this);
    // A flood costs little: who is one too many is not looked at, and the interfaces only where a peer needs it.
    if (!socket->setSocketDescriptor(handle) || !hasRoomFor(*socket) ||
        !(mayAskPhonePage(socket->peerAddress(), {}) || mayAskPhonePage(socket->peerAddress(), localSubnets()))) {
        delete socket;
        return;
    }
    socket->setReadBufferSize(mostBytes);
    connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
    connect(socket, &QTcpSocket::readyRead, this, [this, socket] { read(*socket); });
    QTimer::singleShot(m_connectionTime, socket, [socket] { socket->abort(); });
}

/// It is among those that are counted.
bool PhoneServer::hasRoomFor(const QTcpSocket &socket) const {
    const auto all = findChildren<QTcpSocket *>(QString(), Qt::FindDirectChildrenOnly);
    const auto ofItsAddress = std::ranges::count_if(
        all, [&socket](const QTcpSocket *other) { return other->peerAddress() == socket.peerAddress(); });
    return all.size() <= mostConnections && ofItsAddress <= mostOfOneAddress;
}

void PhoneServer::read(QTcpSocket &socket) const {
    const QByteArray request = socket.peek(mostBytes);
    if (!request.contains("\r\n\r\n")) {
        if (request.size() >= mostBytes)
            socket.abort();
        return;
    }
    // Whatever else comes is not looked at.
    QObject::disconnect(&socket, &QTcpSocket::readyRead, this, nullptr);
    socket.readAll();
    socket.write(answer(request.left(request.indexOf("\r\n"))));
    socket.disconnectFromHost();
}

QByteArray PhoneServer::answer(const QByteArray &requestLine) const {
    const QList<QByteArray> words = requestLine.split(' ');
    const QByteArray path = words.size() == 3 ? words[1] : QByteArray();
    const qsizetype end = path.indexOf('/', 1);
    const QByteArray part = path.mid(end + 1);
    const bool isState = part == "state";
    if (end < 0 || !path.startsWith('/') || !isSecret(path.mid(1, end - 1)) || !(isState || part.isEmpty()))
        return httpAnswer("404 Not Found", "text/plain", {});
    if (words[0] != "GET")
        return httpAnswer("405 Method Not Allowed", "text/plain", {});
    if (isState)
        return httpAnswer("200 OK", "application/json", m_content(Part::State));
    return httpAnswer("200 OK", "text/html; charset=utf-8", m_content(Part::Page));
}

/// Takes as long whatever is wrong with it.
bool PhoneServer::isSecret(const QByteArray &given) const {
    if (given.size() != m_secret.size())
        return false;
    int different = 0;
    for (qsizetype i = 0; i < given.size(); ++i)
        different |= given[i] ^ m_secret[i];
    return different == 0;
}

}  // namespace hearth
