// Where to dial trusted devices, and when.
#pragma once

#include <QHash>
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>

#include "core/base/token_bucket.h"
#include "core/home/trust_store.h"
#include "core/wire/tls_dial.h"

namespace hearth {

/// Looks for each device at all of its addresses: where it was linked last, those of the trust store, those that were
/// announced. They are tried side by side, each a little later than the one before it (RFC 8305, section 5), and the
/// first that ends in a pinned connection wins. Rounds without success follow each other with growing pauses. What was
/// announced may be anybody's word: it costs a bounded number of attempts, and never keeps the known addresses from
/// their turn. Main thread. `trust` outlives it.
class HomeDialler : public QObject {
    Q_OBJECT
  public:
    static constexpr std::chrono::milliseconds firstPause{250};      // a device that just starts is soon there
    static constexpr std::chrono::milliseconds longestPause{10000};  // one that is off costs next to nothing
    /// Before the next address is tried beside one that has not answered yet (RFC 8305).
    static constexpr std::chrono::milliseconds headStart{250};
    static constexpr std::size_t maximumAtOnce = 4;  // of one device
    /// Beside those, for an announcement: a device that has moved does not wait for what is left of its old places.
    static constexpr std::size_t moreAtOnce = 2;
    static constexpr qsizetype maximumHints = 8;
    /// Between two rounds that new announcements have brought forward.
    static constexpr std::chrono::milliseconds hintPause{2000};
    /// For which an announced address is left alone after somebody else was found there.
    static constexpr std::chrono::seconds wrongKeyPause{60};

    /// As dialTls() with this device's identity; `context` ends the attempt.
    using Dial = std::function<void(const QString &host, quint16 port, const Fingerprint &expected, QObject *context,
                                    DialCallback callback)>;
    using IsLinked = std::function<bool(const Fingerprint &device)>;

    HomeDialler(const TrustStore &trust, Dial dial, IsLinked isLinked, QObject *parent = nullptr);
    ~HomeDialler() override;

    /// A round for every trusted device that has an address and no link.
    void dialKnown();
    /// A round after the pause that is due.
    void dialLater(const Fingerprint &device);
    /// Where it is linked now: the first place to look for it when that ends. Empty: nobody could dial that.
    void setSeenAt(const Fingerprint &device, const QString &address);
    /// The link has proved to be a good one: the next pause is the first again.
    void setSteady(const Fingerprint &device);
    /// Addresses that were announced for a trusted device, in place of earlier ones; those beyond maximumHints are left
    /// out.
    void setHints(const Fingerprint &device, const QStringList &addresses);
    /// Of a device that is not trusted any more; also from within a signal.
    void forget(const Fingerprint &device);
    /// Somebody has announced this address, and nobody was ever met there.
    bool isOnlyAnnounced(const Fingerprint &device, const QString &address) const;
    void stop();

  Q_SIGNALS:
    /// The receiver takes ownership in this very slot call (direct connection).
    void connected(hearth::Channel *channel, const QString &address);
    /// The device has proved its key and does not trust this one.
    void notAccepted(const hearth::Fingerprint &device, const hearth::Error &reason);

  private:
    struct Way;
    Way &wayTo(const Fingerprint &device);
    void startRound(const Fingerprint &device);
    void joinRound(const Fingerprint &device, const QStringList &fresh);
    void tryNext(const Fingerprint &device, std::size_t atOnce = maximumAtOnce);
    void answered(const Fingerprint &device, quint64 attempt, Result<std::unique_ptr<Channel>> channel);
    void noteError(Way &way, const QString &address, const Error &error);
    QStringList addressesOf(const Fingerprint &device);

    const TrustStore &m_trust;
    Dial m_dial;
    IsLinked m_isLinked;
    std::map<Fingerprint, std::unique_ptr<Way>> m_ways;
    LogPace m_logPace;
    quint64 m_lastAttempt = 0;
    bool m_stopped = false;
};

}  // namespace hearth
