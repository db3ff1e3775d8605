// The links between the agents of a home: one pinned TLS channel to each trusted device that can be reached.
#pragma once

#include <QHash>
#include <QHostAddress>
#include <QObject>
#include <QSet>
#include <QTimer>
#include <functional>
#include <map>
#include <memory>

#include "core/home/device_info.h"
#include "core/home/trust_store.h"
#include "core/wire/rpc.h"
#include "core/wire/tls_listener.h"

namespace hearth {

/// Listens for trusted devices and dials those whose address is known, again and again with growing pauses. When both
/// ends have dialled each other, the link that the lower fingerprint dialled stays. A device that falls silent loses
/// its link within about two seconds ("link.silent", see LinkWatch): its calls fail, and it is dialled again where it
/// was seen last. Between the ends go the notes "beat" and "probe", which is answered by a beat. Main thread. `trust`
/// outlives it.
class HomeLinks : public QObject {
    Q_OBJECT
  public:
    /// A call or note of a linked device.
    using Handler = std::function<void(const Fingerprint &from, const QCborMap &args, const Reply &reply)>;
    using NoteHandler = std::function<void(const Fingerprint &from, const QCborMap &args)>;
    /// What this device tells the others about itself; asked for at every new link.
    using Hello = std::function<QCborMap()>;

    static constexpr std::chrono::milliseconds firstPause{250};      // a device that just starts is soon there
    static constexpr std::chrono::milliseconds longestPause{10000};  // one that is off costs next to nothing
    /// A link that lasted so long was a good one: the next pause is the first again.
    static constexpr std::chrono::milliseconds steadyAfter{5000};

    HomeLinks(Identity identity, const TrustStore &trust, Hello hello, QObject *parent = nullptr);
    ~HomeLinks() override;

    Result<quint16> listen(const QString &host, quint16 first, quint16 last);
    /// Register before listening; applies to every link.
    void handle(const QString &op, Handler handler);
    void onNotify(const QString &op, NoteHandler handler);

    /// Dials every trusted device that has an address and no link; call after the trust store has changed, too.
    void dialKnown();
    /// Null where there is no link.
    Rpc *rpc(const Fingerprint &device) const;
    bool isLinked(const Fingerprint &device) const { return rpc(device) != nullptr; }
    void notifyAll(const QString &op, const QCborMap &args);
    void notify(const Fingerprint &device, const QString &op, const QCborMap &args);
    void closeAll();

  Q_SIGNALS:
    /// The link can be used; `info` is what the device told, bounded, with id and address as this end knows them.
    void linked(const hearth::Fingerprint &device, const hearth::DeviceInfo &info);
    void unlinked(const hearth::Fingerprint &device, const hearth::Error &reason);
    void refused(const hearth::Fingerprint &device, const QString &address, const hearth::Error &reason);

  private:
    struct Link;
    struct Dialling;
    void take(std::unique_ptr<Channel> channel, bool dialled, const QString &address);
    void told(const Fingerprint &device, const QString &address, const QCborMap &hello);
    void drop(const Fingerprint &device, const Error &reason);
    void end(Link &link, const Error &reason);
    QCborMap hello() const;
    void watchLinks();
    void watchLink(const Fingerprint &device, Link &link);
    /// Keeps places for paired devices at the listener while strangers crowd the others.
    void knowAddresses();
    void dial(const Fingerprint &device);
    void dialLater(const Fingerprint &device);
    /// Those of the trust store, and where the device was seen last.
    QStringList addressesOf(const Fingerprint &device) const;

    Identity m_identity;
    const TrustStore &m_trust;
    Hello m_hello;
    QString m_instance;  // of this process: tells a link that was replaced from an agent that has started again
    std::unique_ptr<TlsListener> m_listener;
    std::map<Fingerprint, std::unique_ptr<Link>> m_links;
    std::map<Fingerprint, std::unique_ptr<Dialling>> m_dialling;
    QHash<QString, Handler> m_handlers;
    QHash<QString, NoteHandler> m_noteHandlers;
    QSet<QHostAddress> m_seenAt;  // where linked devices were last
    QTimer m_watchTimer;          // runs while there are links
    bool m_closing = false;
};

}  // namespace hearth
