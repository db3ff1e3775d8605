// The devices of this home and their links: who is there, where, under which name, and why one cannot be seen.
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "core/agent/agent_options.h"
#include "core/agent/data_host.h"
#include "core/agent/device_book.h"
#include "core/agent/limits_service.h"
#include "core/agent/paced_notes.h"
#include "core/agent/trust_service.h"
#include "core/agent/worker_host.h"
#include "core/discovery/diagnosis.h"
#include "core/discovery/discovery_source.h"
#include "core/home/home_links.h"

namespace hearth {

class AgentNearby;

/// Main thread; what it is given outlives it.
///
/// Calls of windows and terminals: status; devices; device.address {fingerprint, address}; device.rename {device,
/// name}; nearby → Nearby; computers → Nearby with computers that offer SSH, for some seconds; pair.ignore {key};
/// pair.unignore {key}; diagnose → {findings}, with a note diagnose.finding for each. Calls of linked devices:
/// reach.back. Notes of them, and to them: device.changed {device}.
class HomeService : public QObject {
    Q_OBJECT
  public:
    /// That may look for reasons at the same time.
    static constexpr int maximumDiagnoses = 4;
    /// That are remembered of one device.
    static constexpr qsizetype maximumAddresses = 8;

    HomeService(const AgentOptions &options, TrustStore &trusted, DeviceBook &devices, HomeLinks &links,
                WorkerHost &workers, DataHost &holders, LimitsService &limits, TrustService &trust);
    ~HomeService() override;

    void serveLinks();
    void serve(Rpc &rpc);
    /// Errors: the port is taken.
    Result<void> listen();
    QString address() const;  // for people, "host:port": with several networks others reach it elsewhere, too
    QCborMap status() const;
    QCborMap hello() const;

    /// A device of the home, by id or name, is called so here from now on, whatever it calls itself. This device itself
    /// also announces itself so; others that know it keep the name that they have for it. Errors: "device.bad-name",
    /// "device.name-taken", "device.unknown".
    Result<void> rename(const QString &device, const QString &name);
    /// Puts an address in front of those known of a trusted device and dials it.
    Result<void> setAddress(const Fingerprint &device, const QString &address);

    /// Announces this device and looks for others until the end; once, after listen().
    void discover(std::unique_ptr<DiscoverySource> source);
    void endDiscovery();
    Nearby nearby() const;
    /// See AgentNearby::settlesIn().
    std::chrono::milliseconds nearbySettlesIn() const;
    /// See AgentNearby::lookForComputers().
    std::chrono::milliseconds lookForComputers();
    /// A device that is not of this home is not heard of any more, by the first digits of its key: 16 at least. Errors:
    /// "ignore.no-key", "ignore.own-key", "ignore.trusted".
    Result<void> ignore(const QString &key);
    /// Error "ignore.unknown".
    Result<void> unignore(const QString &key);
    /// Finds out why a device cannot be seen, in a few seconds: tells each finding, pending ones first, and at the end
    /// all of them. Not at all once `context` is gone. Error "diagnose.busy".
    void diagnose(QObject *context, std::function<void(const Finding &)> tell,
                  std::function<void(Result<std::vector<Finding>>)> answer);

  Q_SIGNALS:
    void strangerRefused();
    void nearbyChanged();

  private:
    DeviceInfo self() const;
    Result<quint16> listenSomewhere();
    void linked(const Fingerprint &id, const DeviceInfo &info);
    void unlinked(const Fingerprint &id, const Error &reason);
    void takeChange(const Fingerprint &from, const QCborMap &args);
    void deviceLeaves(const Fingerprint &from);
    void tellOfSelf();
    Result<void> renameSelf(const QString &name);
    void rememberAddress(const Fingerprint &device, const QString &address, bool isFastest);
    Result<void> putAddress(TrustedDevice device, const QString &address, bool first);
    void serveDiagnosis();
    DiagnosisOrder diagnosisOrder();

    const AgentOptions m_options;  // the name in it is the one of the start
    TrustStore &m_trusted;
    DeviceBook &m_devices;
    HomeLinks &m_links;
    WorkerHost &m_workers;
    DataHost &m_holders;
    LimitsService &m_limits;
    TrustService &m_trust;
    PacedNotes m_changes{[this](const Fingerprint &from, const QCborMap &note) { takeChange(from, note); }};
    quint16 m_port = 0;
    Sentence m_portNote;                    // for people, where it is not the usual one though nobody has chosen it
    std::unique_ptr<AgentNearby> m_nearby;  // null where discovery is off
    std::set<Fingerprint> m_reachingBack;   // devices that have asked whether they can be reached
    int m_diagnoses = 0;
};

}  // namespace hearth
