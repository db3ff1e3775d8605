// The pairing of this device: at most one attempt at a time, over sockets.
#pragma once

#include <QHostAddress>
#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <vector>

#include "core/home/ignore_list.h"
#include "core/pairing/backoff.h"
#include "core/pairing/kept_backoff.h"
#include "core/pairing/pairing_session.h"
#include "core/pairing/stranger_pauses.h"
#include "core/wire/identity.h"
#include "core/wire/stranger_link.h"

namespace hearth {

/// Whom both people have confirmed.
struct PairedDevice {
    Fingerprint fingerprint;
    QString name;
    QStringList addresses;  // "host:port" where it should listen
};

struct PairingLimits {
    PairingTimes times;
    BackoffTimes backoff;  // after attempts in which digits could be learnt
    BackoffTimes strangers{std::chrono::milliseconds(2000), std::chrono::milliseconds(60000)};  // per network
    std::chrono::milliseconds dial{8000};     // per address that is tried
    std::chrono::milliseconds crossed{5000};  // for the other end's connection where both have dialled
    /// For the own dial once somebody has dialled this device; the other end waits for a word, PairingTimes::step.
    std::chrono::milliseconds held{2000};
};

/// Main thread. A stranger who wants to pair is one silent entry that waits for a person (accept() or ignore()) or for
/// its time to pass; whoever comes meanwhile is told that this device is busy. What a person begins here takes the
/// place of a stranger who waits. Strangers who come and go get growing pauses by network; attempts in which somebody
/// could have learnt the digits and that did not end in pairing pause everything, whoever makes them.
class PairingService : public QObject {
    Q_OBJECT
  public:
    /// What it needs of the home. All are called in this thread.
    struct Home {
        std::function<QString()> name;
        std::function<quint16()> port;
        /// Durable when it returns.
        std::function<Result<void>(const PairedDevice &)> trust;
        /// The other end has not stored it after all, though this one has.
        std::function<void(const Fingerprint &)> distrust;
        /// The session is over: certain, or on trial until the first link.
        std::function<void(const Fingerprint &, bool onTrial)> done;
        /// Why somebody with this key may not call itself so; nothing where it may.
        std::function<std::optional<Error>(const Fingerprint &, const QString &name)> objection;
        /// How somebody with this key, who calls itself so, is called before a person here.
        std::function<QString(const Fingerprint &, const QString &name)> shownName;
    };
    struct Target {
        QString host;
        quint16 port = 0;
    };

    PairingService(Identity identity, IgnoreList ignored, Home home, QObject *parent = nullptr);
    ~PairingService() override;
    void setLimits(const PairingLimits &limits);
    /// The file where the pause after failed attempts outlives this process.
    void keepPauseIn(const QString &path) { m_backoff.keepIn(path); }

    /// The listener's question: everybody but those who are ignored.
    bool mayPair(const Fingerprint &stranger) const { return !m_ignored.contains(stranger.toHex()); }
    /// Takes ownership.
    void take(StrangerLink *stranger);

    /// Dials the addresses one after the other until one answers. `prefix`: how the fingerprint of the device begins
    /// that a person has chosen; whoever answers with another key is passed over, and that counts as no attempt. Empty:
    /// whoever answers first is meant. Errors: "pairing.active", "pairing.wait", "pairing.no-address".
    Result<void> start(const std::vector<Target> &addresses, const QString &prefix = {});
    /// Takes the stranger who waits, if it is the one that a person has seen. Errors: "pairing.none",
    /// "pairing.changed".
    Result<void> accept(const Fingerprint &seen);
    /// What a person says of the digits `seen`; of others than are there now it says nothing. Errors as above.
    Result<void> confirm(bool match, const QString &seen);
    /// Ends what is under way; of one that is over, forgets the result. Errors: "pairing.none", "pairing.too-late".
    Result<void> cancel();
    /// Until unignore(), or a pairing with it from here; sends it away where it waits.
    Result<void> ignore(const IgnoredDevice &stranger);
    Result<void> unignore(const QString &key);
    const IgnoreList &ignored() const { return m_ignored; }

    PairingStatus status() const;
    /// Of all attempts, since the start: for tests and logs.
    int attempts() const { return m_attempts; }

  Q_SIGNALS:
    void changed();
    /// One whom nobody here had asked for was turned away, since it may not call itself so: the name that it gives, its
    /// key, its address and, as the error, the objection.
    void refused(const hearth::PairingStatus &stranger);
    void ignoredChanged();

  private:
    struct Attempt;
    using Clock = std::chrono::steady_clock;

    void acceptWaiting();
    void dial(std::size_t index);
    void dialled(std::unique_ptr<StrangerLink> link);
    void dialNext(const Error &error);
    /// Whether somebody with this key can be the one that a person here has chosen.
    bool isWanted(const Fingerprint &peer) const;
    void begin(PairingRole role, std::unique_ptr<StrangerLink> link);
    /// Of two connections in opposite directions; true where `link` was dealt with.
    bool cross(std::unique_ptr<StrangerLink> &link);
    void adopt(std::unique_ptr<StrangerLink> link);
    void received(const QByteArray &message);
    void carryOut(const PairingSession::Todo &todo);
    void sessionOver();
    void finish(PairingPhase phase, const std::optional<Error> &error);
    void drop();
    void tick();
    bool introduced();
    void waitForCrossing();
    void turnAway(std::unique_ptr<StrangerLink> link, PairingEnd why);

    Identity m_identity;
    IgnoreList m_ignored;
    Home m_home;
    PairingLimits m_limits;
    std::unique_ptr<Attempt> m_attempt;
    PairingStatus m_last;  // of the attempt that is over
    KeptBackoff m_backoff;
    StrangerPauses m_strangers{m_limits.strangers};
    QTimer m_timer;
    int m_attempts = 0;
};

}  // namespace hearth
