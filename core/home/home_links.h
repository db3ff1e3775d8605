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
#include <vector>

#include "core/base/token_bucket.h"
#include "core/home/device_info.h"
#include "core/home/home_dialler.h"
#include "core/home/trust_store.h"
#include "core/home/worker_start.h"
#include "core/wire/rpc.h"
#include "core/wire/tls_listener.h"

namespace hearth {

/// Listens for trusted devices and dials them (see HomeDialler). Of several connections that a device has opened the
/// one counts over which it says hello. When both ends have dialled each other, the link that the lower fingerprint
/// dialled stays; over the other one what was asked is still answered. A device that falls silent loses its link within
/// about two seconds ("link.silent", see LinkWatch): its calls fail, and it is dialled again. Between the ends go the
/// notes "beat" and "probe", which is answered by a beat. Main thread. `trust` outlives it.
class HomeLinks : public QObject {
    Q_OBJECT
  public:
    /// A call or note of a linked device.
    using Handler = std::function<void(const Fingerprint &from, const QCborMap &args, const Reply &reply)>;
    using NoteHandler = std::function<void(const Fingerprint &from, const QCborMap &args)>;
    /// What this device tells the others about itself; asked for at every new link.
    using Hello = std::function<QCborMap()>;

    /// A link that lasted so long was a good one: it is dialled again after the first pause.
    static constexpr std::chrono::milliseconds steadyAfter{5000};
    /// Connections of one device that have not said hello yet; the oldest makes room.
    static constexpr std::size_t maximumWaiting = 4;
    /// For which a link that the other direction has replaced stays open: no agent waits longer for another's answer.
    static constexpr std::chrono::milliseconds finishing = WorkerStart::onAnother + std::chrono::seconds(2);

    HomeLinks(Identity identity, const TrustStore &trust, Hello hello, QObject *parent = nullptr);
    ~HomeLinks() override;

    Result<quint16> listen(const QString &host, quint16 first, quint16 last);
    /// Before listening: who may try to pair; they come by strangerReady().
    void setStrangers(TlsListener::Strangers mayPair) { m_listener->setStrangers(std::move(mayPair)); }
    /// Register before listening; applies to every link.
    void handle(const QString &op, Handler handler);
    void onNotify(const QString &op, NoteHandler handler);

    /// Dials every trusted device that has an address and no link; call after the trust store has changed, too.
    void dialKnown();
    /// Where a trusted device was announced; only its key tells whether it is there. See HomeDialler::setHints().
    void setHints(const Fingerprint &device, const QStringList &addresses) { m_dialler->setHints(device, addresses); }
    /// Of a device that the trust store has just lost: its link ends now, and nothing of it is dialled or kept.
    void forget(const Fingerprint &device, const Error &reason);
    /// Null where there is no link. Of a link that has just been replaced the former one, until the new one said hello.
    Rpc *rpc(const Fingerprint &device) const;
    bool isLinked(const Fingerprint &device) const { return rpc(device) != nullptr; }
    void notifyAll(const QString &op, const QCborMap &args);
    void notify(const Fingerprint &device, const QString &op, const QCborMap &args);
    void closeAll();

  Q_SIGNALS:
    /// The link can be used; `info` is what the device told, bounded, with id and address as this end knows them.
    void linked(const hearth::Fingerprint &device, const hearth::DeviceInfo &info);
    /// Where a linked device can be dialled; `isFastest`: that it was, and was reached there first.
    void located(const hearth::Fingerprint &device, const QString &address, bool isFastest);
    void unlinked(const hearth::Fingerprint &device, const hearth::Error &reason);
    void refused(const hearth::Fingerprint &device, const QString &address, const hearth::Error &reason);
    /// As TlsListener::strangerReady().
    void strangerReady(hearth::StrangerLink *link);
    /// A trusted device has proved its key and does not trust this one.
    void notAccepted(const hearth::Fingerprint &device, const hearth::Error &reason);
    /// Where a trusted device was, somebody shows a key that is nobody's here.
    void otherKey(const hearth::Fingerprint &device, const QString &address);

  private:
    struct Link;
    using Links = std::map<Fingerprint, std::vector<std::unique_ptr<Link>>>;
    void take(std::unique_ptr<Channel> channel, bool dialled, const QString &address);
    /// Makes it the device's link, unless the present one has to stay.
    bool install(const Fingerprint &device, std::unique_ptr<Link> link);
    /// The connection over which the device has said hello, if it is its link now.
    bool promote(const Fingerprint &device, const Channel *channel);
    void closedBy(const Fingerprint &device, const Channel *channel, const Error &reason);
    void told(const Fingerprint &device, const QString &address, const QCborMap &hello);
    void drop(const Fingerprint &device, const Error &reason);
    void end(Link &link, const Error &reason);
    /// The link with this channel; null where it is not among them.
    static std::unique_ptr<Link> takeOut(Links &links, const Fingerprint &device, const Channel *channel);
    void add(Links &links, const Fingerprint &device, std::unique_ptr<Link> link);
    /// A link that lives, which another has replaced: what was asked over it may still be answered.
    void letFinish(const Fingerprint &device, std::unique_ptr<Link> link);
    void endAll(Links &links, const Fingerprint &device, const Error &reason);
    QCborMap hello() const;
    void watchLinks();
    void watchLink(const Fingerprint &device, Link &link);
    /// Keeps places for paired devices at the listener while strangers crowd the others.
    void knowAddresses();

    Identity m_identity;
    const TrustStore &m_trust;
    Hello m_hello;
    QString m_instance;  // of this process: tells a link that was replaced from an agent that has started again
    std::unique_ptr<TlsListener> m_listener;
    std::map<Fingerprint, std::unique_ptr<Link>> m_links;
    Links m_waiting;    // accepted ones, oldest first
    Links m_finishing;  // replaced ones, oldest first, of devices that have a link
    std::unique_ptr<HomeDialler> m_dialler;
    QHash<QString, Handler> m_handlers;
    QHash<QString, NoteHandler> m_noteHandlers;
    QSet<QHostAddress> m_seenAt;  // where linked devices were last
    QTimer m_watchTimer;          // runs while there are links
    LogPace m_logPace;            // a device can come and go as often as it likes
    bool m_closing = false;
};

}  // namespace hearth
