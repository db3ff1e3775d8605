// Whom this device trusts: how somebody comes into the home, by pairing or by file, and how he leaves it.
#pragma once

#include <QDeadlineTimer>
#include <QObject>
#include <QTimer>
#include <map>
#include <memory>
#include <optional>

#include "core/agent/agent_options.h"
#include "core/agent/device_book.h"
#include "core/agent/worker_host.h"
#include "core/base/token_bucket.h"
#include "core/home/home_links.h"
#include "core/home/ignore_list.h"
#include "core/home/removals.h"
#include "core/home/trust_store.h"
#include "core/pairing/device_list.h"
#include "core/pairing/pairing_service.h"

namespace hearth {

/// What lies in the state folder about trust.
struct TrustStores {
    TrustStore trust;
    Removals removals;
    IgnoreList ignored;
    DeviceList onTrial;  // paired here, and it was not heard whether there
    static Result<TrustStores> load(const QString &stateDir, const Identity &identity);
};

/// Main thread; what it is given outlives it.
///
/// Calls of windows and terminals: trust {identity}; distrust {fingerprint}; forget {device}; pair.start {address or
/// addresses, prefix?}; pair.accept {fingerprint}; pair.confirm {match, code?}; pair.cancel; those of pairing
/// answer a PairingStatus. Notes of linked devices, and to them: removals (a RemovalRoster).
class TrustService : public QObject {
    Q_OBJECT
  public:
    /// `trust` and `removals` of the stores are read by HomeLinks and by others: they stay where they are.
    TrustService(const AgentOptions &options, const Identity &identity, TrustStores &stores, DeviceBook &devices,
                 HomeLinks &links, WorkerHost &workers);

    void serveLinks();
    void serve(Rpc &rpc);

    PairingService &pairing() { return *m_pairing; }
    const PairingService &pairing() const { return *m_pairing; }
    /// Where this device listens, for those that it pairs with.
    void setPort(quint16 port) { m_port = port; }

    Result<void> add(const IdentityFile &device);
    /// By id, or by a name that only one has: it is not trusted any more, its link and its workers end at once, it is
    /// out of the runs, and the home is told in a word that this device signs (Removals).
    Result<void> forget(const QString &device);
    /// Takes a trust back that came with add(): only here, and no other device is told. Nothing where there is none.
    Result<void> distrust(const Fingerprint &device);
    /// For a person, where that device has removed this one: nothing else explains better why it cannot be reached.
    std::optional<Sentence> removedThere(const Fingerprint &device) const;

  Q_SIGNALS:
    /// The trust store has lost it, and its link has ended.
    void expelled(const QString &id);
    void pairingChanged(const hearth::PairingStatus &status);
    /// As PairingService tells it; the name is that of the device here that is called so.
    void pairingRefused(const hearth::PairingStatus &stranger);

  private:
    std::unique_ptr<PairingService> makePairing(const QString &stateDir);
    void servePairing();
    void serveRemovals();
    Result<void> addPaired(const PairedDevice &device);
    /// The device here that is called so and has another key; null where there is none.
    const DeviceInfo *namesake(const QString &key, const QString &name) const;
    /// What a device is called here that calls itself so: where it is not known, with digits of its key if this
    /// device's name or another's looks the same.
    QString distinctNameOf(const Fingerprint &device, const QString &name) const;
    void paired(const Fingerprint &device, bool onTrial);
    void endTrials();
    void notAccepted(const Fingerprint &device, const Error &error);
    /// Ends whatever this device had here; the trust store has lost it already.
    void expel(const Fingerprint &device, const Error &why);
    void takeRemovals(const Fingerprint &from, const QCborMap &told);
    /// What waits in m_untaken.
    void takeUntaken();
    /// At the signer of a list that names this device.
    void showRemovedThere(const Fingerprint &signer);
    /// In the log; a trusted device can bring it about again and again.
    void noteTrouble(const QString &why);
    void tellRemovals(const Fingerprint &device);
    /// Trusts nobody any more whom this device, or one that it trusts, has removed.
    void followRemovals();
    /// A person here is about to trust it.
    Result<void> readmit(const Fingerprint &device);
    /// What a person reads at the device.
    void showTrouble(const Fingerprint &device, const Error &error);
    /// Whether the device has its place there and is not linked: whoever is there with another key may have taken it.
    bool isMissedAt(const Fingerprint &device, const QString &address) const;
    /// The same for a while, of what somebody else did who passed for the device; returns the error as it is shown. Any
    /// stranger can cause it: it neither takes the place of a trouble of the device itself nor stays.
    Error raiseAlarm(const Fingerprint &device, Error error, const QString &address);
    void endAlarms();

    Identity m_identity;
    TrustStores &m_stores;
    DeviceBook &m_devices;
    HomeLinks &m_links;
    WorkerHost &m_workers;
    quint16 m_port = 0;
    std::map<Fingerprint, QDeadlineTimer> m_justPaired;  // what they tell first was said before
    LogPace m_removalsPace;
    // Each take is a save, which blocks, and a note to everybody, who does the same.
    TokenBucket m_removalsTakes{4, 0.5};
    std::vector<Removals::Told> m_untaken;  // the newest of each signer and bringer
    QTimer m_removalsTimer;
    QTimer m_trialTimer;
    std::chrono::milliseconds m_alarmStands;
    std::map<QString, QDeadlineTimer> m_alarms;  // by device
    QTimer m_alarmTimer;
    std::unique_ptr<PairingService> m_pairing;
};

}  // namespace hearth
