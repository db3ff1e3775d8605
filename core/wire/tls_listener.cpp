#include "core/wire/tls_listener.h"

#include <sys/socket.h>

#include <QMetaMethod>
#include <QRandomGenerator>
#include <QSslConfiguration>
#include <QSslSocket>
#include <QTcpServer>
#include <algorithm>
#include <utility>

#include "core/base/host_port.h"
#include "core/base/sentence.h"
#include "core/wire/half_open.h"
#include "core/wire/log.h"
#include "core/wire/stranger_link.h"
#include "core/wire/stream_channel.h"
#include "core/wire/syn_sieve.h"
#include "core/wire/tls_config.h"

namespace hearth {
namespace {

QHostAddress peerOf(qintptr descriptor) {
    sockaddr_storage storage{};
    socklen_t length = sizeof storage;
    auto *address = reinterpret_cast<sockaddr *>(&storage);
    if (::getpeername(static_cast<int>(descriptor), address, &length) != 0)
        return {};
    return plainAddress(QHostAddress(address));
}

Error crowded(const Sentence &cause) {
    return {QStringLiteral("wire.crowded"), sentence("A connection was refused before it was looked at."), cause,
            QString()};
}

}  // namespace

class TlsListener::Server : public QTcpServer {
  public:
    explicit Server(TlsListener *listener) : m_listener(listener) { setListenBacklogSize(backlog); }

  protected:
    void incomingConnection(qintptr descriptor) override { m_listener->accept(descriptor); }

  private:
    TlsListener *m_listener;
};

struct TlsListener::Caller {
    quint64 place = 0;
    std::unique_ptr<HalfOpen> connection;
};

TlsListener::TlsListener(Identity identity, Authorise authorise, QObject *parent)
    : QObject(parent),
      m_identity(std::move(identity)),
      m_authorise(std::move(authorise)),
      m_server(std::make_unique<Server>(this)) {
    m_brakeTimer.setInterval(StrangerBrake::window);
    connect(&m_brakeTimer, &QTimer::timeout, this, &TlsListener::brake);
    m_acceptAgain.setSingleShot(true);
    connect(m_server.get(), &QTcpServer::acceptError, this, &TlsListener::acceptLater);
    connect(&m_acceptAgain, &QTimer::timeout, this, [this] { m_server->resumeAccepting(); });
}

TlsListener::~TlsListener() = default;

Result<quint16> TlsListener::listen(const QHostAddress &address, quint16 first, quint16 last) {
    for (quint32 port = first; port <= std::max(first, last); ++port) {
        if (m_server->listen(address, static_cast<quint16>(port)))
            return m_server->serverPort();
        if (m_server->serverError() != QAbstractSocket::AddressInUseError)
            break;
    }
    const bool taken = m_server->serverError() == QAbstractSocket::AddressInUseError;
    const Sentence range = first >= last ? Sentence(QString::number(first)) : sentence("%1 to %2").arg(first).arg(last);
    return fail(taken ? QStringLiteral("wire.port-taken") : QStringLiteral("wire.cannot-listen"),
                sentence("Port %1 of %2 cannot be opened.").arg(range, address.toString()),
                taken ? sentence("Another program uses it.") : Sentence(m_server->errorString() + QLatin1Char('.')),
                sentence("End the other program, or choose another port with --listen."));
}

void TlsListener::close() {
    m_server->close();
    m_brakeTimer.stop();
    m_acceptAgain.stop();  // only a server that listens may take up again
    m_applied = {};
    for (const Caller &caller : std::exchange(m_callers, {}))
        m_gate.leave(caller.place);
}

quint16 TlsListener::port() const {
    return m_server->serverPort();
}

QHostAddress TlsListener::address() const {
    return m_server->serverAddress();
}

HalfOpen *TlsListener::find(quint64 place) const {
    const auto found = std::find_if(m_callers.begin(), m_callers.end(),
                                    [place](const Caller &caller) { return caller.place == place; });
    return found == m_callers.end() ? nullptr : found->connection.get();
}

std::unique_ptr<HalfOpen> TlsListener::take(quint64 place) {
    const auto found = std::find_if(m_callers.begin(), m_callers.end(),
                                    [place](const Caller &caller) { return caller.place == place; });
    if (found == m_callers.end())
        return nullptr;
    auto connection = std::move(found->connection);
    m_callers.erase(found);
    m_gate.leave(place);
    return connection;
}

void TlsListener::accept(qintptr descriptor) {
    const QHostAddress address = peerOf(descriptor);
    StrangerBrake::Arrival arrival;
    if (m_hasSieve || m_brake.isDrawn(address, QRandomGenerator::global()->generateDouble()))
        arrival = m_brake.arrived(address, StrangerBrake::Clock::now());
    brake();
    if (!arrival.taken) {
        resetConnection(descriptor);
        report({}, address, crowded(sentence("Too many came at the same time.")));
        return;
    }
    const auto decision = m_gate.admit(address, arrival.standing);
    if (decision.evict)
        refuse(*decision.evict, {}, crowded(sentence("A newer one took its place.")));
    if (!decision.place) {
        resetConnection(descriptor);
        report({}, address, crowded(decision.reason));
        return;
    }
    if (!m_applied.isOpen())
        removeSieve(descriptor);
    const quint64 place = *decision.place;
    auto connection = std::make_unique<HalfOpen>(descriptor, address, handshakeBytes, m_handshakeDeadline);
    connect(connection.get(), &HalfOpen::saidHello, this, [this, place] { startTls(place); });
    connect(connection.get(), &HalfOpen::secured, this, [this, place] { settle(place); });
    connect(connection.get(), &HalfOpen::failed, this, [this, place](const QString &cause) {
        refuse(place, {},
               {QStringLiteral("wire.handshake-failed"), sentence("A connection could not be secured."), cause,
                sentence("Run the same version of Hearth on all devices.")});
    });
    m_callers.push_back({place, std::move(connection)});
}

void TlsListener::acceptLater() {
    if (m_pace.take())
        qCWarning(wireLog).noquote() << "no connection can be taken now:" << m_server->errorString();
    m_acceptAgain.start(acceptPause);
}

void TlsListener::brake() {
    const StrangerBrake::Rules &rules = m_brake.rules(StrangerBrake::Clock::now());
    if (rules == m_applied)
        return;
    const bool wasOpen = m_applied.isOpen();
    m_applied = rules;
    if (rules.isOpen()) {
        removeSieve(m_server->socketDescriptor());
        m_brakeTimer.stop();
        m_tidy.soon();
        return;
    }
    if (wasOpen) {
        m_brakeTimer.start();
        if (m_pace.take())
            qCWarning(wireLog, "strangers ask for more connections than are taken; some get no answer");
    }
    if (!m_hasSieve)
        return;
    const auto sieved = sieveConnections(m_server->socketDescriptor(), rules.passed, rules.shutOut, rules.share);
    if (!sieved) {
        m_hasSieve = false;
        // The one before would keep out whoever it names for ever.
        removeSieve(m_server->socketDescriptor());
        qCWarning(wireLog).noquote() << sieved.error().toString();
    }
}

void TlsListener::startTls(quint64 place) {
    if (!m_gate.beginHandshake(place, AdmissionGate::Clock::now())) {
        refuse(place, {},
               crowded(sentence("More than %1 handshakes of strangers a second would begin.")
                           .arg(AdmissionGate::handshakesPerSecond)));
        return;
    }
    QSslConfiguration configuration = tlsConfiguration(m_identity);
    if (m_mayPair)
        configuration.setAllowedNextProtocols({pairingProtocol()});
    find(place)->startTls(configuration);
}

void TlsListener::refuse(quint64 place, const Fingerprint &fingerprint, const Error &reason) {
    const auto connection = take(place);
    if (connection)
        report(fingerprint, connection->peer(), reason);
}

void TlsListener::report(const Fingerprint &fingerprint, const QHostAddress &address, const Error &reason) {
    if (!m_pace.take()) {
        ++m_unreported;
        return;
    }
    if (const quint64 more = std::exchange(m_unreported, 0); more > 0)
        qCWarning(wireLog) << "refused" << more << "more connections without a word";
    qCWarning(wireLog).noquote().nospace()
        << "refused " << (fingerprint.isNull() ? QStringLiteral("a stranger") : fingerprint.toHex()) << " at "
        << address.toString() << ": " << reason.toString();
    Q_EMIT refused(fingerprint, address, reason);
}

void TlsListener::settle(quint64 place) {
    const HalfOpen *found = find(place);
    if (!found)
        return;
    const QSslSocket &socket = *found->socket();
    const auto fingerprint = sessionFingerprint(socket);
    if (!fingerprint) {
        refuse(place, {}, fingerprint.error());
        return;
    }
    if (m_mayPair && socket.sslConfiguration().nextNegotiatedProtocol() == pairingProtocol()) {
        settleStranger(place, *fingerprint);
        return;
    }
    if (!m_authorise(*fingerprint)) {
        if (const HalfOpen *refused = find(place))  // authorise() may have closed this listener
            sendRefusal(*refused->socket());
        refuse(place, *fingerprint,
               {QStringLiteral("wire.stranger"), sentence("A device that is not trusted here tried to connect."),
                sentence("Its fingerprint is %1.").arg(fingerprint->toHex()),
                sentence("If it is yours, trust it first.")});
        return;
    }
    const auto connection = take(place);
    if (!connection || connection->socket()->state() != QAbstractSocket::ConnectedState)
        return;  // authorise() may have closed this listener
    m_brake.met(connection->peer());
    const QSslSocket &own = *connection->socket();
    const QString name = joinAddress(unmapped(own.peerAddress()).toString(), own.peerPort());
    auto *channel = new StreamChannel(connection->takeSocket(), *fingerprint, name);
    channel->sendControl(welcomeMessage());
    const bool taken = isSignalConnected(QMetaMethod::fromSignal(&TlsListener::channelReady));
    Q_EMIT channelReady(channel);
    if (!taken)
        delete channel;
}

void TlsListener::settleStranger(quint64 place, const Fingerprint &fingerprint) {
    if (!m_mayPair(fingerprint, find(place)->peer())) {
        refuse(place, fingerprint,
               {QStringLiteral("wire.stranger"), sentence("A device that is ignored here tried to pair."),
                sentence("Its fingerprint is %1.").arg(fingerprint.toHex()), QString()});
        return;
    }
    const auto connection = take(place);
    if (!connection || connection->socket()->state() != QAbstractSocket::ConnectedState)
        return;  // the filter may have closed this listener
    const QHostAddress address = unmapped(connection->socket()->peerAddress());
    auto *link = new StrangerLink(connection->takeSocket(), fingerprint, address);
    const bool taken = isSignalConnected(QMetaMethod::fromSignal(&TlsListener::strangerReady));
    Q_EMIT strangerReady(link);
    if (!taken)
        delete link;
}

}  // namespace hearth
