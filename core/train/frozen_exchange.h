// Asks other devices for frozen tensors, and answers those who ask for them.
#pragma once

#include <QObject>
#include <QSet>
#include <QTimer>
#include <chrono>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <vector>

#include "core/train/peer_links.h"
#include "core/train/state_sender.h"

namespace hearth {

/// Between workers, over the links of the run's members alone: `frozen.get {term, layer, sha256}` is answered when the
/// layer's chunks (version frozenVersion) have been handed to the channel. Whoever is asked for what the deployment of
/// that term does not list says no; who awaits it, too, answers once it is here. The coordinator is told by a note.
/// Lives in the I/O thread; bytes are put together on the compute thread (FrozenStore).
class FrozenExchange : public QObject {
    Q_OBJECT
  public:
    /// Layers that one device is asked for at a time: one is on its way while the next is made ready.
    static constexpr int atOnce = 2;
    /// A source that has the layer and is silent for so long is not waited for: well before the coordinator counts it
    /// as silence (RunDeadlines::redeploy). One that awaits it, too, is waited for while its link is there.
    static constexpr std::chrono::milliseconds patience{10'000};

    using Found = std::function<void(std::shared_ptr<const Buffer>)>;
    struct Doors {
        /// From now on the layer is to come from there; empty: the coordinator.
        std::function<void(int layer, const QString &from)> expect;
        /// Tells the coordinator that this layer is wanted.
        std::function<void(quint32 term, int layer)> ask;
        /// Looks for a layer; calls back later, with null where it is not here.
        std::function<void(int layer, Found found)> find;
    };
    FrozenExchange(QString self, PeerLinks &links, StateSender &sender, Doors doors,
                   std::chrono::milliseconds waits = patience, QObject *parent = nullptr);

    /// The deployment that what follows belongs to; what was under way ends.
    void begin(const Deployment &deployment);
    /// Its stage is built, and these layers are not here.
    void fetch(quint32 term, const std::vector<int> &layers);
    /// What is under way ends.
    void drop();
    /// A chunk came from a member.
    void heard(const QString &device);
    void arrived(quint32 term, int layer);
    /// What came from there had another hash.
    void wasWrong(quint32 term, int layer, const QString &from);

    /// Who has the layer, or gets it before: whom to ask, in this order. The coordinator comes after them.
    static std::vector<QString> sourcesOf(const Deployment &deployment, int layer, const QString &self);

  Q_SIGNALS:
    /// Nobody has the layer. Error "worker.no-frozen".
    void failed(quint32 term, const hearth::Error &error);

  private:
    struct Wanted {
        std::vector<QString> sources;  // the one that is asked, first; the last one is the coordinator
        bool isAsked = false;
    };
    enum class Step { Waiting, Looking, Sending };
    struct Request {
        quint64 id = 0;
        QString device;
        quint32 term = 0;
        int layer = 0;
        QString sha256;
        Reply reply;
        Step step = Step::Waiting;
    };
    void ask();
    void askOne(int layer, Wanted &wanted);
    void goOn(quint32 term, int layer, const QString &from);
    void giveUp(const QString &device);
    void watch(const QString &device);
    void take(const QString &device, const QCborMap &args, const Reply &reply);
    void serve();
    void found(quint64 request, const std::shared_ptr<const Buffer> &bytes);
    void refuse(const std::function<bool(const Request &)> &which);
    void answer(quint64 request, const Result<void> &result);

    QString m_self;
    PeerLinks &m_links;
    StateSender &m_sender;
    Doors m_doors;
    std::chrono::milliseconds m_waits;
    Deployment m_deployment;
    bool m_built = false;
    std::map<int, Wanted> m_wanted;                         // by layer
    std::map<QString, std::unique_ptr<QTimer>> m_patience;  // by device that was asked
    QSet<QString> m_silent;                                 // asked in vain under this deployment
    std::list<Request> m_requests;                          // unanswered
    quint64 m_lastRequest = 0;
};

}  // namespace hearth
