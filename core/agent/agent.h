// The agent of one device: its links, devices, runs and workers. The programs around it are thin.
#pragma once

#include <QCborMap>
#include <QDeadlineTimer>
#include <QObject>
#include <QTimer>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "core/agent/host_resources.h"
#include "core/agent/run_host.h"
#include "core/agent/worker_host.h"
#include "core/base/heap_tidy.h"
#include "core/discovery/diagnosis.h"
#include "core/discovery/discovery_source.h"
#include "core/home/home_links.h"
#include "core/home/removals.h"
#include "core/home/state_dir.h"
#include "core/home/trust_store.h"
#include "core/pairing/device_list.h"
#include "core/pairing/pairing_service.h"
#include "core/run/files/past_runs.h"

namespace hearth {

class AgentNearby;

struct AgentOptions {
    QString stateDir;
    QString name;  // empty: the name kept in the state folder, else the host's
    QString listenHost = QStringLiteral("::");
    quint16 port = 47600;      // 0: any, and the workers' ports, too
    bool choosesPort = false;  // where `port` is taken, as by another account's agent, other ones are: see AgentPorts
    int threads = 0;           // 0: all cores
    qint64 memoryBytes = 0;    // 0: what the machine has
    /// In the runs of other devices, too; in its own whoever starts them says so.
    bool trustsFabric = false;
    /// So long a device shows that somebody else passed for it, twice that at most: for whoever looks at the window
    /// because something does not work.
    std::chrono::milliseconds alarmStands{std::chrono::minutes(30)};
};

/// Main thread, with an event loop. Whatever its children do, it lives on.
class Agent : public QObject {
    Q_OBJECT
  public:
    /// Of ending children when the agent ends; below the 2 s that a person waits after Ctrl-C.
    static constexpr std::chrono::milliseconds endDeadline{700};

    /// For the coordinators of others to plan without this device and to take what its workers hold.
    static constexpr std::chrono::milliseconds leaveDeadline{20000};

    /// After which nobody waits any more for what has just happened, and its memory can go.
    static constexpr std::chrono::milliseconds tidyDelay{5000};

    /// That may look for reasons at the same time.
    static constexpr int maximumDiagnoses = 4;
    /// That are remembered of one device.
    static constexpr qsizetype maximumAddresses = 8;

    /// Takes the state folder's lock, reads or makes its identity, and listens. Errors: another agent runs, the folder
    /// is not private, trust.json is damaged, the port is taken.
    static Result<std::unique_ptr<Agent>> start(AgentOptions options);
    /// Ends all children and links; blocks up to endDeadline and a little.
    ~Agent() override;

    const Fingerprint &fingerprint() const { return m_identity.fingerprint(); }
    const QString &name() const { return m_options.name; }
    QString address() const;  // for people, "host:port": with several networks others reach it elsewhere, too
    const QString &stateDir() const { return m_options.stateDir; }
    QString runFolder(const QString &id) const;

    /// Leaves politely: the home hears of it (note "leaving"; state Leaving), no new work is taken, and `left` follows
    /// once no worker for another device's coordinator is here, or after leaveDeadline. Own runs go on until the end.
    void leave();
    int foreignWorkers() const { return m_workers->countForeign(); }

    /// Memory that only what has just happened needed goes back to the system after tidyDelay.
    void tidySoon();

    QCborMap status() const;
    std::vector<DeviceInfo> devices() const;
    Result<void> trust(const IdentityFile &device);
    /// What training may take of this device from now on; kept over restarts. Memory and threads count for workers that
    /// start later. A device that is to take no work now leaves its runs in order, stays in the home, and comes back
    /// when it may.
    Result<void> setLimits(const DeviceLimits &limits);
    /// The same for any device of the home, by id or name; empty: this one. A device that cannot be reached keeps what
    /// it has.
    void setLimitsOf(const QString &device, const DeviceLimits &limits, QObject *context,
                     std::function<void(Result<void>)> answer);

    /// A device of the home, by id or name, is called so here from now on, whatever it calls itself. This device itself
    /// also announces itself so; others that know it keep the name that they have for it. Errors: "device.bad-name",
    /// "device.name-taken", "device.unknown".
    Result<void> rename(const QString &device, const QString &name);

    /// Puts an address in front of those known of a trusted device and dials it.
    Result<void> setDeviceAddress(const Fingerprint &device, const QString &address);

    /// Announces this device and looks for others until the end; once, after start().
    void discover(std::unique_ptr<DiscoverySource> source);
    Nearby nearby() const;
    /// See AgentNearby::settlesIn().
    std::chrono::milliseconds nearbySettlesIn() const;
    /// Finds out why a device cannot be seen, in a few seconds: tells each finding, pending ones first, and at the end
    /// all of them. Not at all once `context` is gone. Error "diagnose.busy".
    void diagnose(QObject *context, std::function<void(const Finding &)> tell,
                  std::function<void(Result<std::vector<Finding>>)> answer);
    /// By id, or by a name that only one has: it is not trusted any more, its link and its workers end at once, it is
    /// out of the runs, and the home is told in a word that this device signs (Removals).
    Result<void> forget(const QString &device);
    /// Takes a trust back that came with trust(): only here, and no other device is told. Nothing where there is none.
    Result<void> distrust(const Fingerprint &device);
    PairingService &pairing() { return *m_pairing; }
    /// A device that is not of this home is not heard of any more, by the first digits of its key: 16 at least. Errors:
    /// "ignore.no-key", "ignore.own-key", "ignore.trusted".
    Result<void> ignore(const QString &key);
    /// Error "ignore.unknown".
    Result<void> unignore(const QString &key);

    /// Those that are live, or whose folders were read.
    std::vector<RunInfo> runs() const;
    /// All of them; folders that were not read yet are read beside the event loop.
    void readRuns(QObject *context, std::function<void(std::vector<RunInfo>)> answer);
    quint64 lastSeqOf(const QString &run) const;
    /// `request` is the order's CBOR; answers {id}. With {resume: id} instead of job and model, a run that has ended
    /// goes on in its folder; errors: "run.unknown", "run.live", "run.resume-keeps-job" and those of mustBeResumable().
    void startRun(const QCborMap &request, QObject *context, std::function<void(Result<QCborMap>)> answer);
    /// {command: pause|resume|stop|evaluate|save {path?}|checkpoint|adopt|leave {device, by id or name}}; to the run's
    /// coordinator, with the device's id.
    Result<void> commandRun(const QString &id, const QCborMap &command);
    /// An error that lists what there is, unless the run exists.
    Result<void> requireRun(const QString &id) const;
    bool isLive(const QString &id) const { return m_runs.contains(id); }

  Q_SIGNALS:
    void deviceChanged(const hearth::DeviceInfo &device);
    void runChanged(const QString &id, const QString &state);
    void runGrew(const QString &id);
    void runEnded(const QString &id);
    void strangerRefused(const QString &address);
    void nearbyChanged();
    /// It is no device of this home any more.
    void deviceRemoved(const QString &id);
    void pairingChanged(const hearth::PairingStatus &status);
    void left();

  private:
    /// What lies in the state folder.
    struct Stores {
        TrustStore trust;
        Removals removals;
        IgnoreList ignored;
        DeviceList onTrial;  // paired here, and it was not heard whether there
        static Result<Stores> load(const QString &stateDir, const Identity &identity);
    };
    Agent(AgentOptions options, OwnedFd lock, Identity identity, Stores stores);
    Result<void> listen();
    Result<quint16> listenSomewhere();
    void serveHome();
    std::unique_ptr<PairingService> makePairing(IgnoreList ignored);
    void servePairing();
    void serveRemovals();
    Result<void> trustPaired(const PairedDevice &device);
    /// What a device is called here that calls itself so: where it is not known, with digits of its key if this
    /// device's name or another's looks the same.
    QString distinctNameOf(const Fingerprint &device, const QString &name) const;
    void paired(const Fingerprint &device, bool onTrial);
    void judgeTrials();
    /// Ends whatever this device had here; the trust store has lost it already.
    void expel(const Fingerprint &device, const Error &why);
    void takeRemovals(const Fingerprint &from, const QCborMap &told);
    void tellRemovals(const Fingerprint &device);
    /// Trusts nobody any more whom this device, or one that it trusts, has removed.
    void followRemovals();
    /// For a person, where that device has removed this one: nothing else explains better why it cannot be reached.
    std::optional<QString> removedThere(const Fingerprint &device) const;
    /// A person here is about to trust it.
    Result<void> readmit(const Fingerprint &device);
    /// What a person reads at the device.
    void complain(const Fingerprint &device, const Error &error);
    /// Whether the device has its place there and is not linked: whoever is there with another key may have taken it.
    bool isMissedAt(const Fingerprint &device, const QString &address) const;
    /// The same for a while, of what somebody else did who passed for the device; returns the error as it is shown. Any
    /// stranger can cause it: it neither takes the place of a trouble of the device itself nor stays.
    Error raiseAlarm(const Fingerprint &device, Error error, const QString &address);
    void endAlarms();
    QCborMap hello() const;
    DeviceState ownState() const;
    void noteOwnState();
    DeviceInfo self() const;
    void update(const DeviceInfo &told);
    void rememberAddress(const Fingerprint &device, const QString &address, bool isFastest);
    void serveDiagnosis();
    DiagnosisOrder diagnosisOrder();
    Result<void> putAddress(TrustedDevice device, const QString &address, bool first);
    void startWorker(RunHost &run, const QString &device, const Reply &reply);
    /// Of the linked ones, by id, as this device sees them: their workers are found there from here.
    QCborMap placesOfOthers() const;
    void stopWorker(const QString &run, const QString &device);
    /// Error "measure.busy": beside a run of this home nothing is measured.
    Result<void> mustMeasureAlone(const QCborMap &request);
    /// The folders of runs that only measured, and are over.
    void dropMeasurements();
    QStringList pastRuns() const;
    Result<QString> folderForRun(const QCborMap &request);
    Result<QString> runToResume(const QCborMap &request);
    void startIn(const Result<QString> &id, const QCborMap &request, QObject *context,
                 std::function<void(Result<QCborMap>)> answer);
    void connectRun(RunHost *run);
    /// One whose coordinator did not take it.
    void forgetRun(const QString &id);
    void runIsOver(const QString &id);
    void serveRest();
    void serveLimits();
    void followLimits();
    void tellOfSelf();
    Result<void> renameSelf(const QString &name);
    /// Error "device.leaving" or "device.resting".
    Result<void> mustTakeWork() const;
    Error leavingError() const;
    void workersChanged();
    void deviceLeaves(const Fingerprint &from);

    AgentOptions m_options;
    bool m_memoryGiven = false;  // not what the machine has
    OwnedFd m_lock;
    Identity m_identity;
    TrustStore m_trust;
    Removals m_removals;
    std::map<Fingerprint, QDeadlineTimer> m_justPaired;  // what they tell first was said before
    DeviceList m_onTrial;
    QTimer m_trialTimer;
    std::map<QString, QDeadlineTimer> m_alarms;  // by device
    QTimer m_alarmTimer;
    HostResources m_host;
    quint16 m_port = 0;
    QString m_portNote;  // for people, where it is not the usual one though nobody has chosen it
    bool m_ending = false;
    bool m_leaving = false;
    QTimer m_leaveTimer;
    HeapTidy m_tidy{tidyDelay};
    DeviceLimits m_limits;
    Rest m_rest = Rest::None;
    DeviceState m_ownState = DeviceState::Lost;  // as it was noted last,
    qint64 m_ownSince = 0;                       // and since when it is so
    QTimer m_limitsTimer;                        // runs only where the answer may change by itself
    std::unique_ptr<HomeLinks> m_links;
    std::unique_ptr<AgentNearby> m_nearby;  // null where discovery is off
    std::unique_ptr<PairingService> m_pairing;
    std::unique_ptr<WorkerHost> m_workers;
    std::map<QString, DeviceInfo> m_devices;  // the others, by id
    std::set<Fingerprint> m_reachingBack;     // devices that have asked whether they can be reached
    int m_diagnoses = 0;
    std::map<QString, std::unique_ptr<RunHost>> m_runs;
    PastRuns m_pastRuns;
};

}  // namespace hearth
