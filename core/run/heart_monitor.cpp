#include "core/run/heart_monitor.h"

#include <QThread>
#include <QTimer>
#include <functional>
#include <map>

#include "core/base/post_to.h"
#include "core/home/link_watch.h"
#include "core/wire/stream_channel.h"
#include "core/wire/tls_dial.h"

namespace hearth {
namespace {

using Clock = std::chrono::steady_clock;

/// As long as a silent device has until it is lost.
constexpr std::chrono::milliseconds dialDeadline{1500};
constexpr std::chrono::milliseconds redialPause{100};

}  // namespace

/// The other thread's half.
class HeartMonitor::Listener : public QObject {
  public:
    Listener(const Identity &identity, HeartMonitor *owner) : m_identity(identity), m_owner(owner) {}
    ~Listener() override {
        // Not later, as Retire does: the thread is at its end, and no event loop comes after it.
        for (auto &[device, peer] : m_peers)
            delete peer.channel.release();
    }

    void begin() {
        m_timer = new QTimer(this);
        m_timer->setTimerType(Qt::PreciseTimer);
        connect(m_timer, &QTimer::timeout, this, [this] { tick(); });
        m_timer->start(LinkWatch::tick);
    }
    void watch(const QString &device, const WorkerAddress &worker, quint16 port) {
        m_peers.erase(device);
        Peer &peer = m_peers[device];
        peer.worker = worker;
        peer.worker.port = port;
        dial(device);
    }
    void forget(const QString &device) { m_peers.erase(device); }
    void doubt(const QString &device) {
        if (const auto peer = m_peers.find(device); peer != m_peers.end())
            peer->second.watch.doubt(Clock::now());
    }

  private:
    struct Retire {
        void operator()(Channel *channel) const {
            // It may be in one of its signals.
            channel->disconnect();
            channel->deleteLater();
        }
    };
    struct Peer {
        WorkerAddress worker;
        std::unique_ptr<Channel, Retire> channel;
        std::unique_ptr<QObject> dialling = std::make_unique<QObject>();  // ends a dial of a peer that is forgotten
        LinkWatch watch{Clock::now(), LinkWatch::close};
        bool suspect = false;  // and told so
    };

    void dial(const QString &device) {
        const auto peer = m_peers.find(device);
        if (peer == m_peers.end())
            return;
        const WorkerAddress &worker = peer->second.worker;
        QObject *context = peer->second.dialling.get();
        dialTls(m_identity, worker.address, worker.port, worker.fingerprint, dialDeadline, context,
                [this, device, context](Result<std::unique_ptr<Channel>> opened) {
                    if (opened) {
                        listen(device, std::move(*opened));
                        return;
                    }
                    qCDebug(memberLog).noquote() << device << "has no heartbeats:" << opened.error().toString();
                    doubt(device);
                    QTimer::singleShot(redialPause, context, [this, device] { dial(device); });
                });
    }

    void listen(const QString &device, std::unique_ptr<Channel> opened) {
        Peer &peer = m_peers[device];
        qCDebug(memberLog).noquote() << device << "beats for" << ownHost(*opened);
        peer.channel.reset(opened.release());
        connect(peer.channel.get(), &Channel::closed, this, [this, device](const Error &reason) {
            qCDebug(memberLog).noquote() << device << "has no heartbeats any more:" << reason.toString();
            doubt(device);
            if (const auto known = m_peers.find(device); known != m_peers.end()) {
                known->second.channel.reset();
                dial(device);
            }
        });
    }

    void tick() {
        std::vector<std::pair<QString, double>> gone;
        for (auto &[device, peer] : m_peers) {
            const LinkWatch::Order order = check(peer);
            const bool suspect = peer.watch.isSuspect();
            if (order == LinkWatch::Order::Probe || order == LinkWatch::Order::Cut)
                qCDebug(memberLog).noquote() << device << (order == LinkWatch::Order::Cut ? "is gone" : "is asked")
                                             << "after" << peer.watch.silence().count() << "ms";
            if (order == LinkWatch::Order::Cut) {
                gone.emplace_back(device, static_cast<double>(peer.watch.silence().count()) / 1000);
            } else if (suspect != peer.suspect) {
                peer.suspect = suspect;
                tell([owner = m_owner, id = device, suspect] {
                    suspect ? Q_EMIT owner->suspected(id) : Q_EMIT owner->revived(id);
                });
            }
        }
        for (const auto &[device, seconds] : gone) {
            m_peers.erase(device);
            tell([owner = m_owner, id = device, silent = seconds] { Q_EMIT owner->silent(id, silent); });
        }
    }

    static LinkWatch::Order check(Peer &peer) {
        const auto *channel = qobject_cast<StreamChannel *>(peer.channel.get());
        LinkWatch::Signs signs;
        if (channel) {
            const TcpFigures figures = channel->figures();
            signs = {figures.segmentsArrived, figures.allDelivered, figures.roundTrip,
                     [channel] { return channel->segmentsBetweenEnds(); }, figures.sinceData};
        }
        const LinkWatch::Order order = peer.watch.check(Clock::now(), signs);
        // The worker beats by itself.
        if (order == LinkWatch::Order::Probe && channel)
            peer.channel->sendControl({{QStringLiteral("probe"), 1}});
        return order;
    }

    void tell(std::function<void()> what) { postTo(m_owner, std::move(what)); }

    Identity m_identity;
    HeartMonitor *m_owner;
    QTimer *m_timer = nullptr;
    std::map<QString, Peer> m_peers;
};

HeartMonitor::HeartMonitor(const Identity &identity, QObject *parent)
    : QObject(parent), m_thread(std::make_unique<QThread>()), m_listener(new Listener(identity, this)) {
    m_thread->setObjectName(QStringLiteral("heartbeats"));
    m_listener->moveToThread(m_thread.get());
    connect(m_thread.get(), &QThread::finished, m_listener, &QObject::deleteLater);
    m_thread->start();
    postTo(m_listener, [listener = m_listener] { listener->begin(); });
}

HeartMonitor::~HeartMonitor() {
    m_thread->quit();
    m_thread->wait();
}

void HeartMonitor::watch(const QString &device, const WorkerAddress &worker, quint16 port) {
    postTo(m_listener, [listener = m_listener, device, worker, port] { listener->watch(device, worker, port); });
}

void HeartMonitor::forget(const QString &device) {
    postTo(m_listener, [listener = m_listener, device] { listener->forget(device); });
}

void HeartMonitor::doubt(const QString &device) {
    postTo(m_listener, [listener = m_listener, device] { listener->doubt(device); });
}

}  // namespace hearth
