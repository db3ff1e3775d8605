// Accepts pinned mutual TLS connections from devices that are allowed, and refuses everyone else early.
#pragma once

#include <QHostAddress>
#include <QObject>
#include <QTimer>
#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "core/base/error.h"
#include "core/base/heap_tidy.h"
#include "core/base/token_bucket.h"
#include "core/wire/admission_gate.h"
#include "core/wire/identity.h"

namespace hearth {

class Channel;
class StrangerLink;
class HalfOpen;

/// Lives in one thread; its channels live there, too. A peer gets a channel only after TLS 1.3 with a P-256 certificate
/// whose fingerprint `authorise` accepts; until then it can make this process take at most StrangerBrake's, keep and
/// compute at most AdmissionGate's limits. Addresses from which a device was let in are known from then on.
/// Where setStrangers() was called, whoever offers pairingProtocol() in the handshake gets a StrangerLink if that
/// filter lets it, trusted or not, and never a channel; everybody else is refused as without it.
class TlsListener : public QObject {
    Q_OBJECT

  public:
    using Authorise = std::function<bool(const Fingerprint &)>;
    /// Whether this key may try to pair from there now.
    using Strangers = std::function<bool(const Fingerprint &, const QHostAddress &)>;
    /// From connection to authorisation; slower peers are strangers that hold a place.
    static constexpr std::chrono::milliseconds handshakeDeadline{5000};
    /// What a peer may send until then: enough for a handshake with one small certificate.
    static constexpr qint64 handshakeBytes = 8192;
    /// Connections that the kernel keeps for the moments in which this thread does something else.
    static constexpr int backlog = 256;
    /// After a connection that the system could not hand over, mostly for want of file descriptors; the others wait.
    static constexpr std::chrono::milliseconds acceptPause{500};

    /// `authorise` is called in this thread, once per connection.
    TlsListener(Identity identity, Authorise authorise, QObject *parent = nullptr);
    ~TlsListener() override;

    /// Listens on the first free port of the range (0, 0 = any) and returns it. Error "wire.port-taken".
    Result<quint16> listen(const QHostAddress &address, quint16 first, quint16 last);
    void close();
    quint16 port() const;
    QHostAddress address() const;

    /// Last-known addresses of paired devices: for them places are kept while strangers crowd the others.
    void setKnownAddresses(const QList<QHostAddress> &addresses) { m_brake.setKnown(addresses); }
    /// Before listen(). Called in this thread, once per connection that wants to pair.
    void setStrangers(Strangers mayPair) { m_mayPair = std::move(mayPair); }
    void setHandshakeDeadline(std::chrono::milliseconds deadline) { m_handshakeDeadline = deadline; }

  Q_SIGNALS:
    /// The receiver takes ownership in this very slot call (direct connection); a channel nobody took is closed.
    void channelReady(hearth::Channel *channel);
    /// As above, for somebody who wants to pair. One that the receiver does not want it closes.
    void strangerReady(hearth::StrangerLink *link);
    /// Nobody got in: `fingerprint` is null where the peer showed none that counts. Who knocks without end is told of
    /// now and then only, here and in the log (LogPace).
    void refused(const hearth::Fingerprint &fingerprint, const QHostAddress &address, const hearth::Error &reason);

  private:
    struct Caller;
    class Server;
    void accept(qintptr descriptor);
    /// Qt takes no connection any more once one could not be taken.
    void acceptLater();
    /// Has the kernel apply what the brake says now.
    void brake();
    void startTls(quint64 place);
    void settle(quint64 place);
    void settleStranger(quint64 place, const Fingerprint &fingerprint);
    void refuse(quint64 place, const Fingerprint &fingerprint, const Error &reason);
    void report(const Fingerprint &fingerprint, const QHostAddress &address, const Error &reason);
    HalfOpen *find(quint64 place) const;
    std::unique_ptr<HalfOpen> take(quint64 place);

    Identity m_identity;
    Authorise m_authorise;
    Strangers m_mayPair;
    std::chrono::milliseconds m_handshakeDeadline = handshakeDeadline;
    StrangerBrake m_brake;
    StrangerBrake::Rules m_applied;
    bool m_hasSieve = true;  // as far as is known
    QTimer m_brakeTimer;     // runs while the rules are not open
    QTimer m_acceptAgain;
    HeapTidy m_tidy;  // after a flood
    AdmissionGate m_gate;
    std::unique_ptr<Server> m_server;
    std::vector<Caller> m_callers;
    LogPace m_pace;
    quint64 m_unreported = 0;
};

}  // namespace hearth
