// A worker's connections to the other workers of its run.
#pragma once

#include <QDeadlineTimer>
#include <QLoggingCategory>
#include <QMap>
#include <QObject>
#include <QSet>
#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <optional>

#include "core/protocol/deployment.h"
#include "core/wire/channel.h"
#include "core/wire/rpc.h"

class QTimer;

namespace hearth {

Q_DECLARE_LOGGING_CATEGORY(linkLog)

/// Opens channels to other workers: TLS in the product, in-process pairs in tests.
class PeerConnector {
  public:
    using Connected = std::function<void(Result<std::unique_ptr<Channel>>)>;
    virtual ~PeerConnector() = default;
    /// `done` is called once, later, in the calling thread, and not after `context` died.
    virtual void connectTo(const Fingerprint &peer, const QString &address, quint16 port, QObject *context,
                           Connected done) = 0;
};

struct LinkRate {
    double bytesPerSecond = 0;
    double latencySeconds = 0;  // one way, from compute thread to compute thread
};

/// Between workers: call `peer.hello {run, purpose: "data"|"probe"}` first; `peer.ping {}`; `peer.burst {bytes}` is
/// answered when that many bytes of tensors have arrived on the same channel; others by handle(). The answer to a hello
/// for data waits for the deployment that names its sender. Devices are fingerprints in hex. Lives in the I/O thread
/// and owns the channels.
class PeerLinks : public QObject {
    Q_OBJECT

  public:
    /// From the first dial to the last hello: both ends got their deployment at about the same time.
    static constexpr std::chrono::milliseconds connectDeadline{20000};
    /// The far end may be building its layers when we dial; a refusal is not final before the deadline.
    static constexpr std::chrono::milliseconds redialInterval{300};
    /// A burst may take this long; on a slow link it is a small one (core/run/measure_links.cpp).
    static constexpr std::chrono::milliseconds burstDeadline{45000};
    /// Of one device: data, two measurements, and a connection whose end is not known here yet.
    static constexpr int maximumLinks = 4;
    /// Frames of a burst: large enough that the frames cost nothing, small enough for every window. What members may
    /// send before a deployment says what comes.
    static constexpr qint64 burstFrame = 1 << 20;

    PeerLinks(QString run, QString self, PeerConnector &connector, QObject *parent = nullptr);
    ~PeerLinks() override;

    /// How a measurement reaches the compute thread and comes back, as tensors do: runs its argument in this thread.
    using HandOver = std::function<void(std::function<void()>)>;
    void setHandOver(HandOver handOver) { m_handOver = std::move(handOver); }

    using Handler = std::function<void(const QString &device, const QCborMap &args, const Reply &reply)>;
    /// Calls of members over the links that carry tensors; before any of these.
    void handle(const QString &op, Handler handler) { m_handlers[op] = std::move(handler); }
    /// Over the link that carries tensors, as Rpc::call(); there is one.
    void call(const QString &device, const QString &op, const QCborMap &args, std::chrono::milliseconds deadline,
              QObject *context, Rpc::Callback callback);

    /// Who may have links here from now on; those of all others end.
    void setMembers(const QSet<Fingerprint> &members);
    bool isMember(const Fingerprint &device) const { return m_members.contains(device); }
    /// The largest tensor that a member may send from now on, in bytes.
    void setTensorLimit(quint64 bytes);
    /// Takes over a channel; ends it where its peer is no member, or has maximumLinks already.
    void adopt(std::unique_ptr<Channel> channel);
    /// Connects to everyone the deployment makes this device talk to, and to `partners`, keeping channels that are
    /// there already. Those of `tried` are dialled as well, and nobody waits for them. `done` is called once, later; a
    /// new call fails the one before with "worker.superseded".
    void connectPeers(const Deployment &deployment, const QSet<QString> &partners, const QSet<QString> &tried,
                      std::function<void(Result<void>)> done);
    /// Of those that it was to connect last: who has no channel now.
    QStringList unreached() const;
    /// Whether it was to connect that one last.
    bool isNeeded(const QString &device) const { return m_needed.contains(device); }
    /// Ends connectPeers() that is under way, with "worker.superseded".
    void cancelConnecting();
    /// The one that carries tensors; null where there is none.
    Channel *channel(const QString &device) const;
    /// Ends the channel that carries tensors; lost() follows.
    void end(const QString &device, const Error &reason);
    /// The same of all channels of which that is true.
    void endWhere(const std::function<bool(const Channel &)> &isTrue, const Error &reason);
    /// Drops the tensor if there is no channel: lost() has told.
    void send(const QString &device, const TensorHeader &header, Payload payload);
    /// Dials `peer`, measures round trip and one burst, hangs up. The burst begins once `wait` is over: those that are
    /// to run at once begin together, however long their connections take.
    void probe(const Fingerprint &peer, const QString &address, quint16 port, qint64 bytes,
               std::chrono::milliseconds wait, std::function<void(Result<LinkRate>)> done);
    void closeAll(const Error &reason);
    /// Sent and received over all channels since the start, as far as they are open.
    quint64 movedBytes() const;
    /// Of tensors on their way, by device; none where nothing waits.
    QMap<QString, qint64> waitingBytes() const;

  Q_SIGNALS:
    /// A channel carries tensors from now on.
    void linked(const QString &device);
    void tensorReceived(const QString &device, const hearth::TensorFrame &frame);
    /// The channel that carried tensors closed.
    void lost(const QString &device, const hearth::Error &reason);

  private:
    struct Link;
    struct Waiting;
    struct Probe;
    Link *add(std::unique_ptr<Channel> channel);
    void remove(Link *link, const Error &reason);
    Link *dataLink(const QString &device) const;
    /// `hello`: to be answered, where the other end began.
    void becomeData(Link *link, const std::optional<Reply> &hello = {});
    void receive(Link *link, const TensorFrame &frame);
    /// At its two places in turn, where it has two.
    void dial(const Deployment::Peer &peer);
    bool isAwaited(const QString &device) const;
    void settle(Result<void> result);
    QSet<QString> neededPeers(const Deployment &deployment) const;
    void welcome(const Deployment &deployment);
    /// As a wish of this end, which is no loss.
    void closeIf(const std::function<bool(const Link &)> &which, const Error &reason);
    void limit(Channel &channel) const;
    static Error unreachable(const Sentence &cause);
    void probePing(const std::shared_ptr<Probe> &probe);
    void probeBurst(const std::shared_ptr<Probe> &probe);

    QString m_run;
    QString m_self;
    PeerConnector &m_connector;
    QSet<Fingerprint> m_members;
    QSet<QString> m_deployed;  // the peers of the deployment
    quint64 m_tensorLimit = burstFrame;
    HandOver m_handOver = [](const std::function<void()> &back) { back(); };
    std::list<std::unique_ptr<Link>> m_links;
    std::unique_ptr<Waiting> m_waiting;
    QSet<QString> m_needed;  // peers of the last deployment
    QSet<QString> m_tried;   // those that nobody waits for
    QDeadlineTimer m_tries;  // and until when they are dialled
    QMap<QString, Handler> m_handlers;
};

}  // namespace hearth
